import { each } from './members.ts';
import type { Library, Member } from './schema.ts';

const reading: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } };
const writing: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'write' } };

/** Better Auth: its functions for servers ask the database of the program, through an adapter that has a pool. */
export const betterAuth: Library = {
  name: 'better-auth',
  modules: ['better-auth', 'better-auth/minimal'],
  verifiedWith: '1.7.25',
  usesTables: true,
  exports: each('betterAuth', { returns: 'Auth' }),
  types: {
    Auth: {
      members: {
        api: { type: 'Api' },
        handler: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
        ...each('options', {}),
      },
    },
    // Plugins add functions to those that it has itself.
    Api: { role: 'orm', memberPatterns: [[/^(?:get|has|list)/, reading]], anyMember: writing },
  },
};
