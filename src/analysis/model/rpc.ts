import { each } from './members.ts';
import type { Library, LibraryType } from './schema.ts';

/** Each method is a call to another process, and its name says nothing about what that does. */
const remote: LibraryType = {
  anyMember: { returns: 'Promise<any>', effect: { env: 'http', op: 'unknown' } },
};

/** Clients whose methods are those of a service, as its schema or its code declares them. */
export const rpc: readonly Library[] = [
  {
    name: '@connectrpc/connect',
    modules: ['@connectrpc/connect'],
    verifiedWith: '2.3.0',
    exports: {
      createClient: { returns: 'Client' },
      createPromiseClient: { returns: 'PromiseClient', until: '1.7.0' },
    },
    types: { Client: remote, PromiseClient: remote },
  },
  {
    name: '@temporalio/workflow',
    modules: ['@temporalio/workflow'],
    verifiedWith: '1.24.0',
    exports: {
      ...each('proxyActivities proxyLocalActivities', { returns: 'Activities' }),
      ...each('executeChild startChild', {
        returns: 'Promise<any>',
        effect: { env: 'queue', op: 'unknown' },
      }),
      ...each('setHandler defineSignal defineQuery defineUpdate workflowInfo uuid4', {}),
    },
    types: {
      Activities: {
        anyMember: { returns: 'Promise<any>', effect: { env: 'queue', op: 'unknown' } },
      },
    },
  },
];
