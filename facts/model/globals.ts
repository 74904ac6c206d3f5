import { each } from './members.ts';
import { bodyMembers } from './bodies.ts';
import type { Library } from './schema.ts';

/** What Node.js and Bun offer without an import. */
export const globals: Library = {
  name: 'node',
  modules: [],
  verifiedWith: '20.20.2',
  exports: {
    fetch: {
      returns: 'Promise<Response>',
      acquires: 'body',
      effect: { env: 'http', op: 'method' },
    },
    Bun: { type: 'bun.Namespace' },
  },
  types: {
    Response: {
      members: {
        // The body is on its way: the wait was the request's.
        ...each('json text arrayBuffer blob bytes formData', {
          returns: 'Promise<any>',
          effect: { env: 'http', op: 'read', memo: true },
          body: 'reads',
        }),
        ...bodyMembers,
        ...each('ok status statusText headers url redirected', { body: 'tells' }),
      },
    },
  },
};
