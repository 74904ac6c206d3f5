import { receivedBody } from './bodies.ts';
import { each } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const VERIFIED = '5.20261117.1';

const asking: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'read' } };
const changing: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } };
/** What another program does when it is called is for that program to tell. */
const called: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'unknown' } };
/** Its own objects are asked for changes by GET as well. */
const fetched: Member = { ...called, returns: 'Promise<node.Response>' };
const readingKey: Member = { ...asking, effect: { env: 'http', op: 'read', key: 0 } };
const changingKey: Member = { ...changing, effect: { env: 'http', op: 'write', key: 0 } };

const run: Effect = { env: 'db', op: 'builder' };
const statements: Readonly<Record<string, Member>> = {
  prepare: { returns: 'D1PreparedStatement', step: { sql: 0 } },
  batch: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
};

/** SQLite over HTTP: each call is a request, and several statements go in one `batch`, which is a transaction. */
const d1: Library = {
  name: 'd1',
  modules: [],
  verifiedWith: VERIFIED,
  ambient: ['D1Database', 'D1DatabaseSession', 'D1PreparedStatement'],
  commitsEach: true,
  remedies: {
    batch: 'Send all statements with one `batch([…])`, which is one request and one transaction',
    reads: 'one `batch([…])`, or one query with `IN`',
  },
  exports: {},
  types: {
    D1Database: {
      concurrency: 'pooled',
      members: {
        ...statements,
        exec: { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } },
        dump: { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
        withSession: { returns: 'D1DatabaseSession' },
      },
    },
    D1DatabaseSession: { concurrency: 'pooled', members: { ...statements, getBookmark: {} } },
    D1PreparedStatement: {
      members: {
        bind: { returns: 'this' },
        ...each('first all run raw', { returns: 'Promise<any>', effect: run }),
      },
    },
  },
};

/** Keys and values, of which a place near the reader has a copy. */
const kv: Library = {
  name: 'workers-kv',
  modules: [],
  verifiedWith: VERIFIED,
  ambient: ['KVNamespace'],
  called: 'Workers KV',
  exports: {},
  types: {
    KVNamespace: {
      members: {
        ...each('get getWithMetadata', readingKey),
        ...each('put delete', changingKey),
        list: asking,
      },
    },
  },
};

/** The body is on its way: the wait was the request's. */
const bodyRead: Member = {
  returns: 'Promise<any>',
  effect: { env: 'http', op: 'read', memo: true },
};

/** Objects of any size. */
const r2: Library = {
  name: 'r2',
  modules: [],
  verifiedWith: VERIFIED,
  ambient: ['R2Bucket', 'R2Object', 'R2ObjectBody', 'R2MultipartUpload'],
  called: 'R2',
  exports: {},
  types: {
    R2Bucket: {
      members: {
        get: { ...readingKey, returns: 'Promise<R2ObjectBody>' },
        head: { ...readingKey, returns: 'Promise<R2Object>' },
        put: { ...changingKey, returns: 'Promise<R2Object>' },
        delete: changingKey,
        list: asking,
        createMultipartUpload: { ...changingKey, returns: 'Promise<R2MultipartUpload>' },
        resumeMultipartUpload: { returns: 'R2MultipartUpload' },
      },
    },
    R2Object: { members: each('writeHttpMetadata', {}) },
    R2ObjectBody: {
      extends: 'R2Object',
      members: each('json text arrayBuffer bytes blob', bodyRead),
    },
    R2MultipartUpload: { members: each('uploadPart complete abort', changing) },
  },
};

const enqueued: Member = { returns: 'Promise<any>', effect: { env: 'queue', op: 'write' } };

const queues: Library = {
  name: 'cloudflare-queues',
  modules: [],
  verifiedWith: VERIFIED,
  ambient: ['Queue', 'MessageBatch'],
  remedies: { bulk: 'Send up to 100 messages at a time with `sendBatch`' },
  exports: {},
  types: {
    Queue: {
      role: 'queue',
      members: {
        ...each('send sendBatch', enqueued),
        metrics: { returns: 'Promise<any>', effect: { env: 'queue', op: 'read' } },
      },
    },
    MessageBatch: { members: { messages: { type: 'Message[]' }, ...each('ackAll retryAll', {}) } },
    Message: { members: each('ack retry', {}) },
  },
};

/** Reads come from memory mostly, and writes are sent together: no call is worth a wait of its own. */
function kept(op: 'read' | 'write'): Member {
  return { returns: 'Promise<any>', effect: { env: 'http', op, memo: true } };
}
const storage: Readonly<Record<string, Member>> = {
  ...each('get list getAlarm', kept('read')),
  ...each('put delete setAlarm deleteAlarm', kept('write')),
};

const durableObjects: Library = {
  name: 'durable-objects',
  modules: [],
  verifiedWith: VERIFIED,
  ambient: [
    ...['DurableObjectNamespace', 'DurableObjectId', 'DurableObjectStub'],
    ...['DurableObjectState', 'DurableObjectStorage', 'DurableObjectTransaction', 'SqlStorage'],
  ],
  exports: {},
  types: {
    DurableObjectNamespace: {
      members: {
        ...each('idFromName idFromString newUniqueId', { returns: 'DurableObjectId' }),
        ...each('get getByName', { returns: 'DurableObjectStub' }),
        jurisdiction: { returns: 'this' },
      },
    },
    DurableObjectId: { members: each('toString equals', {}) },
    DurableObjectStub: {
      members: {
        fetch: fetched,
        ...each('id name connect', {}),
      },
      anyMember: called,
    },
    DurableObjectState: {
      members: {
        storage: { type: 'DurableObjectStorage' },
        blockConcurrencyWhile: { returns: 'Promise<any>', callback: { at: 0, params: [] } },
        id: { type: 'DurableObjectId' },
        ...each(
          'waitUntil acceptWebSocket getWebSockets setWebSocketAutoResponse getWebSocketAutoResponse getTags abort',
          {},
        ),
      },
    },
    DurableObjectStorage: {
      members: {
        ...storage,
        deleteAll: kept('write'),
        sync: { returns: 'Promise<any>', effect: { env: 'http', op: 'sync' } },
        transaction: {
          returns: 'Promise<any>',
          callback: { at: 0, params: ['DurableObjectTransaction'] },
        },
        transactionSync: { callback: { at: 0, params: [] } },
        sql: { type: 'SqlStorage' },
        kv: { type: 'SyncKvStorage' },
        ...each('getCurrentBookmark getBookmarkForTime', kept('read')),
        onNextSessionRestoreBookmark: kept('write'),
      },
    },
    DurableObjectTransaction: { members: { ...storage, rollback: {} } },
    // In the same thread: there is nothing to wait for.
    SqlStorage: { members: { exec: { returns: 'SqlStorageCursor' } } },
    SqlStorageCursor: { members: each('next toArray one raw', {}) },
    SyncKvStorage: { members: each('get list put delete', {}) },
  },
};

const context: Readonly<Record<string, Member>> = each('waitUntil passThroughOnException', {});
const steps: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'sync' } };

/** A function that the platform calls with the bindings that its type names. */
function handler(first: string | undefined): LibraryType {
  return { isHolder: true, isGeneric: true, takes: [first, '<0>', 'ExecutionContext'] };
}
const ofPages: LibraryType = { isHolder: true, isGeneric: true, takes: ['EventContext'] };

/** What the types declare beside the stores. */
const platform: Readonly<Record<string, LibraryType>> = {
  ExecutionContext: { members: { ...context, access: { type: 'CloudflareAccessContext' } } },
  CloudflareAccessContext: { members: { getIdentity: asking } },
  ScheduledController: { members: each('noRetry', {}) },
  Fetcher: {
    members: {
      fetch: fetched,
      connect: {},
    },
    anyMember: called,
  },
  Service: { extends: 'Fetcher' },
  DispatchNamespace: { members: { get: { returns: 'Fetcher' } } },
  Hyperdrive: { members: each('connect', {}) },
  Ai: {
    members: {
      run: asking,
      ...each('toMarkdown websearch models', asking),
      autorag: { returns: 'AutoRAG' },
      ...each('gateway aiSearch', {}),
    },
  },
  AutoRAG: { members: each('list search aiSearch', asking) },
  VectorizeIndex: {
    members: {
      ...each('query getByIds describe', asking),
      ...each('insert upsert deleteByIds', changing),
    },
  },
  Vectorize: { extends: 'VectorizeIndex', members: { queryById: asking } },
  Workflow: {
    members: {
      get: { returns: 'Promise<WorkflowInstance>', effect: { env: 'http', op: 'read', key: 0 } },
      create: { returns: 'Promise<WorkflowInstance>', effect: { env: 'http', op: 'write' } },
      ...each('createBatch deleteBatch', changing),
    },
  },
  WorkflowInstance: {
    members: {
      status: asking,
      ...each('pause resume terminate restart delete sendEvent', changing),
    },
  },
  AnalyticsEngineDataset: { members: each('writeDataPoint', {}) },
  SendEmail: { members: { send: { ...changing, effect: { env: 'email', op: 'write' } } } },
  RateLimit: { members: { limit: { ...changing, effect: { env: 'http', op: 'sync' } } } },
  SecretsStoreSecret: { members: { get: asking } },
  CacheStorage: {
    members: {
      default: { type: 'Cache' },
      open: { returns: 'Promise<Cache>', effect: { env: 'http', op: 'read', memo: true } },
    },
  },
  Cache: {
    members: {
      match: {
        returns: 'Promise<node.Response>',
        effect: { env: 'http', op: 'read', key: 0 },
      },
      ...each('put delete', changingKey),
    },
  },
  ExportedHandler: {
    isHolder: true,
    isGeneric: true,
    members: {
      fetch: { type: 'ExportedHandlerFetchHandler' },
      scheduled: { type: 'ExportedHandlerScheduledHandler' },
      queue: { type: 'ExportedHandlerQueueHandler' },
      ...each('email tail trace test', { type: 'OtherHandler' }),
    },
  },
  ExportedHandlerFetchHandler: handler(undefined),
  ExportedHandlerScheduledHandler: handler('ScheduledController'),
  ExportedHandlerQueueHandler: handler('cloudflare-queues.MessageBatch'),
  OtherHandler: handler(undefined),
  PagesFunction: ofPages,
  PagesPluginFunction: ofPages,
  EventContext: { isGeneric: true, members: { env: { type: '<0>' }, next: called, ...context } },
  HTMLRewriter: {
    members: { ...each('on onDocument', { returns: 'this' }), transform: { returns: 'Rewritten' } },
  },
  // Its handlers run while it is read.
  Rewritten: { members: receivedBody },
};

/** Those of no name in the declarations, and one that browsers have, too. */
const UNNAMED = new Set(['OtherHandler', 'Rewritten', 'Cache']);
const OF_PLATFORM = Object.keys(platform).filter((it) => !UNNAMED.has(it));

const stores: readonly Library[] = [d1, kv, r2, queues, durableObjects];

const types: Library = {
  name: '@cloudflare/workers-types',
  modules: ['@cloudflare/workers-types', '@cloudflare/workers-types/experimental'],
  verifiedWith: VERIFIED,
  ambient: OF_PLATFORM,
  writes: { file: 'worker-configuration', types: ['Env', 'CloudflareBindings', 'CloudflareEnv'] },
  exports: {},
  types: platform,
};

function entrypoint(ctx: string): LibraryType {
  return {
    isGeneric: true,
    unnamed: ['Env'],
    members: { env: { type: '<0>' }, ctx: { type: ctx } },
  };
}
const OF_TYPES = '@cloudflare/workers-types.';

/** The classes that a worker extends. */
const modules: Library = {
  name: 'cloudflare:workers',
  modules: ['cloudflare:workers'],
  verifiedWith: VERIFIED,
  exports: {
    DurableObject: { construct: { returns: 'DurableObject' } },
    WorkerEntrypoint: { construct: { returns: 'WorkerEntrypoint' } },
    WorkflowEntrypoint: { construct: { returns: 'WorkflowEntrypoint' } },
    RpcTarget: { construct: {} },
    env: { type: 'Env' },
    waitUntil: {},
  },
  types: {
    DurableObject: entrypoint('durable-objects.DurableObjectState'),
    WorkerEntrypoint: entrypoint(`${OF_TYPES}ExecutionContext`),
    WorkflowEntrypoint: entrypoint(`${OF_TYPES}ExecutionContext`),
    // What a step has done is kept, and one follows the other.
    WorkflowStep: {
      members: {
        do: { ...steps, callback: { at: 'last', params: [] } },
        ...each('sleep sleepUntil waitForEvent', steps),
      },
    },
  },
};

/** The platform of Cloudflare: its types need no import. */
export const cloudflare: readonly Library[] = [...stores, types, modules];
