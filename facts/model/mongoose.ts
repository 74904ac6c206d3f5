import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const inSession = { options: { session: 'handle' } } as const;
const run: Effect = { env: 'db', op: 'builder', ...inSession };
const write: Effect = { env: 'db', op: 'write', ...inSession };
const sync: Effect = { env: 'db', op: 'sync' };

const QUERY_READS = 'countDocuments estimatedDocumentCount distinct exists where findAndCount';
const QUERY_WRITES = 'updateOne updateMany replaceOne deleteOne deleteMany';
const DOCUMENT_WRITES = 'findOneAndUpdate findOneAndDelete findByIdAndUpdate findByIdAndDelete';
const QUERY_STEPS =
  'all allowDiskUse and batchSize box circle clone collation comment elemMatch equals explain geometry gt gte hint in ' +
  'intersects limit lt lte maxDistance maxTimeMS merge mod near nin nor ne or polygon populate post pre ' +
  'projection read readConcern regex sanitizeProjection select set setOptions setQuery setUpdate size skip slice ' +
  'sort tailable transform w within';

const steps: Readonly<Record<string, Member>> = {
  find: { returns: 'DocumentsQuery', step: { op: 'read' } },
  ...each('findOne findById', { returns: 'DocumentQuery', step: { op: 'read' } }),
  ...each(DOCUMENT_WRITES, { returns: 'DocumentQuery', step: { op: 'write' } }),
  ...each(QUERY_READS, { returns: 'Query', step: { op: 'read' } }),
  ...each(QUERY_WRITES, { returns: 'Query', step: { op: 'write' } }),
};
function runs(result: string): Readonly<Record<string, Member>> {
  return {
    exec: { returns: `Promise<${result}>`, effect: run },
    ...each('then catch finally', { returns: 'Promise<any>', effect: run }),
    session: { returns: 'this', step: { handle: 0 } },
  };
}
const startSession: Member = {
  returns: 'Promise<mongodb.ClientSession>',
  acquires: 'session',
  effect: sync,
};
const transaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 0, params: ['mongodb.ClientSession'], scope: 'transaction' },
};

const whole = withDefault({
  connect: { returns: 'Promise<Mongoose>', effect: sync },
  createConnection: { returns: 'Connection' },
  disconnect: { returns: 'Promise<void>', effect: sync },
  model: { returns: 'Model', step: { table: 0 } },
  startSession,
  connection: { type: 'Connection' },
  Model: { type: 'Model', construct: { returns: 'Document' } },
  Connection: { construct: { returns: 'Connection' } },
});
/** `lean()` asks for plain objects instead of documents. */
function query(result: string): LibraryType {
  return {
    role: 'builder',
    awaited: { returns: result, effect: run },
    members: {
      ...steps,
      ...each(`${QUERY_STEPS} orFail`, { returns: 'this' }),
      lean: { returns: 'Query' },
      ...runs(result),
    },
  };
}

/** Hooks (`schema.pre`) may do more than the methods say. */
export const mongoose: Library = {
  name: 'mongoose',
  modules: ['mongoose'],
  verifiedWith: '9.12.1',
  exports: whole.exports,
  types: {
    Namespace: whole.namespace,
    Mongoose: whole.namespace,
    Connection: {
      role: 'orm',
      concurrency: 'pooled',
      pool: {
        max: 100,
        maxOption: 'maxPoolSize',
        waitOption: 'waitQueueTimeoutMS',
        checkoutRoundTrips: 0,
      },
      members: {
        model: { returns: 'Model', step: { table: 0 } },
        startSession,
        transaction,
        collection: { returns: 'mongodb.Collection', step: { table: 0 } },
        db: { type: 'mongodb.Db' },
        close: { returns: 'Promise<void>', effect: sync },
      },
    },
    Model: {
      role: 'orm',
      concurrency: 'pooled',
      construct: { returns: 'Document' },
      members: {
        ...steps,
        aggregate: { returns: 'Aggregate', step: { op: 'read' } },
        ...each('create insertMany insertOne bulkWrite bulkSave findOneAndReplace', {
          returns: 'Promise<any>',
          effect: write,
        }),
        // Of the schema, whose changes wait for one another.
        ...each('createCollection createIndexes ensureIndexes syncIndexes cleanIndexes init', {
          returns: 'Promise<any>',
          effect: sync,
        }),
        populate: { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
        startSession,
        db: { type: 'Connection' },
      },
    },
    Query: query('any'),
    DocumentQuery: query('Document'),
    DocumentsQuery: query('Document[]'),
    Aggregate: {
      role: 'builder',
      awaited: { returns: 'any', effect: run },
      members: {
        ...runs('any'),
        ...each(
          'match project group sort limit skip lookup unwind addFields append facet count sample option collation',
          { returns: 'this' },
        ),
      },
    },
    Document: {
      keepsSession: true,
      members: {
        ...each('save deleteOne updateOne replaceOne', { returns: 'Promise<any>', effect: write }),
        populate: { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
      },
    },
  },
};
