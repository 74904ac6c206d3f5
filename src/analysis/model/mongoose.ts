import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const inSession = { options: { session: 'handle' } } as const;
const run: Effect = { env: 'db', op: 'builder', ...inSession };
/** The documents come first, and theirs are no options. */
const write: Effect = { env: 'db', op: 'write', ...inSession, optionsAt: 1 };
const sync: Effect = { env: 'db', op: 'sync' };

const QUERY_STEPS =
  'all allowDiskUse and batchSize box circle clone collation comment elemMatch equals explain geometry gt gte hint in ' +
  'intersects limit lt lte maxDistance maxTimeMS merge mod near nin nor ne or polygon populate post pre ' +
  'projection read readConcern regex sanitizeProjection select set setQuery setUpdate size skip slice ' +
  'tailable transform w within';

/** Before the options stand a filter, an update, a projection, whose fields may have any name. */
const steps: Readonly<Record<string, Member>> = {
  find: { returns: 'DocumentsQuery', step: { op: 'read', optionsAt: 2 } },
  ...each('findOne findById', {
    returns: 'DocumentQuery',
    step: { op: 'read', optionsAt: 2, keyed: true },
  }),
  ...each('findOneAndUpdate findByIdAndUpdate', {
    returns: 'DocumentQuery',
    step: { op: 'write', optionsAt: 2 },
  }),
  ...each('findOneAndDelete findByIdAndDelete', {
    returns: 'DocumentQuery',
    step: { op: 'write', optionsAt: 1 },
  }),
  ...each('countDocuments exists', { returns: 'Query', step: { op: 'read', optionsAt: 1 } }),
  estimatedDocumentCount: { returns: 'Query', step: { op: 'read', optionsAt: 0 } },
  distinct: { returns: 'Query', step: { op: 'read', optionsAt: 2 } },
  where: { returns: 'Query', step: { op: 'read' } },
  ...each('updateOne updateMany replaceOne', {
    returns: 'Query',
    step: { op: 'write', optionsAt: 2 },
  }),
  ...each('deleteOne deleteMany', { returns: 'Query', step: { op: 'write', optionsAt: 1 } }),
};
function runs(result: string): Readonly<Record<string, Member>> {
  return {
    exec: { returns: `Promise<${result}>`, effect: run },
    ...each('then catch finally', { returns: 'Promise<any>', effect: run }),
    session: { returns: 'this', step: { handle: 0 } },
  };
}
const model: Member = { returns: 'Model', step: { table: 0 }, equippedBy: 1 };
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
  model,
  startSession,
  connection: { type: 'Connection' },
  models: { type: 'Models' },
  Model: { type: 'Model', construct: { returns: 'Document' } },
  Connection: { construct: { returns: 'Connection' } },
  Schema: { construct: { returns: 'Schema' } },
});
/** `lean()` asks for plain objects instead of documents. */
function query(result: string): LibraryType {
  return {
    role: 'builder',
    awaited: { returns: result, effect: run },
    members: {
      ...steps,
      ...each(`${QUERY_STEPS} orFail`, { returns: 'this' }),
      sort: { returns: 'this', step: { keyed: false } },
      setOptions: { returns: 'this', step: { optionsAt: 0 } },
      lean: { returns: 'Query' },
      ...runs(result),
    },
  };
}

/** Hooks (`schema.pre`) may have more effects than the methods. */
export const mongoose: Library = {
  name: 'mongoose',
  modules: ['mongoose'],
  verifiedWith: '9.12.1',
  borrowedBy: 'session',
  remedies: {
    bulk: 'Insert all documents with `insertMany`',
    saved: 'Save all documents with one `bulkSave`',
    reads: 'one `find({ _id: { $in: ids } })` or `populate`',
  },
  keepsDocuments: true,
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
        model,
        startSession,
        transaction,
        collection: { returns: 'mongodb.Collection', step: { table: 0 } },
        db: { type: 'mongodb.Db' },
        models: { type: 'Models' },
        close: { returns: 'Promise<void>', effect: sync },
      },
    },
    /** By their names: `mongoose.models.User || mongoose.model('User', schema)`. */
    Models: { role: 'orm', concurrency: 'pooled', anyMember: { type: 'Model' } },
    Schema: {
      equips: {
        Model: { property: 'statics', method: 'static', loads: 'loadClass' },
        Document: { property: 'methods', method: 'method', loads: 'loadClass' },
      },
    },
    Model: {
      role: 'orm',
      concurrency: 'pooled',
      construct: { returns: 'Document' },
      members: {
        ...steps,
        aggregate: { returns: 'Aggregate', step: { pipeline: 0, optionsAt: 1 } },
        ...each('create insertMany insertOne bulkWrite bulkSave', {
          returns: 'Promise<any>',
          effect: write,
        }),
        findOneAndReplace: { returns: 'Promise<any>', effect: { ...write, optionsAt: 2 } },
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
        ...each('save deleteOne', { returns: 'Promise<any>', effect: { ...write, optionsAt: 0 } }),
        ...each('updateOne replaceOne', { returns: 'Promise<any>', effect: write }),
        populate: { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
      },
    },
  },
};
