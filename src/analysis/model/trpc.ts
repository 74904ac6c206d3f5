import { each } from './members.ts';
import type { Library, Member } from './schema.ts';

/** A procedure without its function: each step adds to it. */
const step: Member = { returns: 'this' };
const ofRequest: Member = { callback: { at: 0, params: [undefined], runs: 'per-request' } };

/** tRPC: the functions of procedures and middleware run once per request. */
export const trpc: Library = {
  name: '@trpc/server',
  modules: ['@trpc/server'],
  verifiedWith: '11.25.2',
  exports: { initTRPC: { type: 'Builder' } },
  types: {
    Builder: {
      members: { ...each('context meta', step), create: { returns: 'Root' } },
    },
    Root: {
      members: { procedure: { type: 'Procedure' }, middleware: ofRequest },
    },
    Procedure: {
      members: {
        ...each('input output meta concat', step),
        use: { ...step, ...ofRequest },
        ...each('query mutation subscription', ofRequest),
      },
    },
  },
};
