import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const inSession = { options: { session: 'handle' } } as const;
const read: Effect = { env: 'db', op: 'read', ...inSession };
const write: Effect = { env: 'db', op: 'write', ...inSession };
const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };

/** What gives the documents of a cursor; the query itself is sent by the first of them. */
function cursorMembers(effect: Effect): Readonly<Record<string, Member>> {
  return {
    ...each('toArray next hasNext tryNext', { returns: 'Promise<any>', effect }),
    forEach: {
      returns: 'Promise<void>',
      effect,
      callback: { at: 0, params: [undefined], runs: 'per-item' },
    },
    close: { returns: 'Promise<void>' },
    ...each('batchSize addCursorFlag maxTimeMS withReadPreference withReadConcern map', {
      returns: 'this',
    }),
  };
}
/** Stages may write what the others find. */
const aggregate: Member = { returns: 'AggregationCursor', step: { pipeline: 0 } };

export const mongodb: Library = {
  name: 'mongodb',
  modules: ['mongodb'],
  verifiedWith: '7.8.0',
  borrowedBy: 'session',
  isDisposable: true,
  remedies: {
    bulk: 'Insert all documents with `insertMany`',
    reads: 'one `find({ _id: { $in: ids } })`',
  },
  keepsDocuments: true,
  exports: {
    MongoClient: { type: 'MongoClientStatic', construct: { returns: 'MongoClient' } },
    Db: { construct: { returns: 'Db' } },
    Collection: {},
    ClientSession: {},
  },
  types: {
    MongoClientStatic: {
      members: { connect: { returns: 'Promise<MongoClient>', effect: sync } },
    },
    MongoClient: {
      role: 'orm',
      isWhole: true,
      concurrency: 'pooled',
      pool: {
        max: 100,
        maxOption: 'maxPoolSize',
        optionsAt: 1,
        urlAt: 0,
        waitMs: Number.POSITIVE_INFINITY,
        waitOption: 'waitQueueTimeoutMS',
        checkoutRoundTrips: 0,
      },
      members: {
        connect: { returns: 'Promise<this>', effect: sync },
        db: { returns: 'Db' },
        startSession: { returns: 'ClientSession', acquires: 'session' },
        withSession: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 'last', params: ['ClientSession'], scope: 'session' },
        },
        bulkWrite: { returns: 'Promise<any>', effect: write },
        watch: { returns: 'ChangeStream' },
        close: control,
      },
    },
    ClientSession: {
      role: 'session',
      // Serial by contract while a transaction is open.
      concurrency: 'serial',
      members: {
        startTransaction: {},
        ...each('commitTransaction abortTransaction', control),
        withTransaction: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 0, params: ['ClientSession'], scope: 'transaction' },
        },
        endSession: { ...control, releases: 'this' },
      },
    },
    Db: {
      members: {
        collection: { returns: 'Collection', step: { table: 0 } },
        aggregate,
        command: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
        stats: { returns: 'Promise<any>', effect: read },
        listCollections: { returns: 'AbstractCursor' },
        watch: { returns: 'ChangeStream' },
        ...each('createCollection dropCollection dropDatabase renameCollection createIndex', {
          returns: 'Promise<any>',
          effect: sync,
        }),
      },
    },
    Collection: {
      members: {
        ...each(
          'findOne count countDocuments estimatedDocumentCount distinct indexes indexExists indexInformation isCapped options',
          { returns: 'Promise<any>', effect: read },
        ),
        find: { returns: 'FindCursor' },
        aggregate,
        // Before the options stand documents, filters and updates, whose fields may have any name.
        ...each('insertOne insertMany deleteOne deleteMany bulkWrite', {
          returns: 'Promise<any>',
          effect: { ...write, optionsAt: 1 },
        }),
        ...each('updateOne updateMany replaceOne findOneAndReplace', {
          returns: 'Promise<any>',
          effect: { ...write, optionsAt: 2 },
        }),
        // Of the schema, whose changes wait for one another.
        ...each('createIndex createIndexes dropIndex dropIndexes drop rename', {
          returns: 'Promise<any>',
          effect: sync,
        }),
        // How a worker claims one job.
        findOneAndUpdate: {
          returns: 'Promise<any>',
          effect: { ...write, optionsAt: 2, work: true },
        },
        findOneAndDelete: {
          returns: 'Promise<any>',
          effect: { ...write, optionsAt: 1, work: true },
        },
        ...each('insert update remove', { returns: 'Promise<any>', effect: write, until: '4' }),
        ...each('initializeOrderedBulkOp initializeUnorderedBulkOp', {
          returns: 'BulkOperationBase',
        }),
        watch: { returns: 'ChangeStream' },
      },
    },
    AbstractCursor: { role: 'builder', members: cursorMembers(read) },
    FindCursor: {
      role: 'builder',
      members: {
        ...cursorMembers(read),
        ...each(
          'allowDiskUse collation comment filter hint limit max min project returnKey showRecordId skip sort ' +
            'addQueryModifier clone',
          { returns: 'this' },
        ),
        ...each('count explain', { returns: 'Promise<any>', effect: read }),
      },
    },
    AggregationCursor: {
      role: 'builder',
      members: {
        ...cursorMembers({ ...read, op: 'builder' }),
        ...each('addStage geoNear group limit lookup match project redact skip sort unwind clone', {
          returns: 'this',
        }),
        out: { returns: 'this', step: { op: 'write' } },
        explain: { returns: 'Promise<any>', effect: read },
      },
    },
    BulkOperationBase: {
      role: 'builder',
      members: {
        execute: { returns: 'Promise<any>', effect: write },
        ...each('insert raw', { returns: 'this' }),
      },
    },
    ChangeStream: {
      isWorkSource: true,
      members: {
        ...each('next tryNext hasNext', {
          returns: 'Promise<any>',
          effect: { ...sync, work: true },
        }),
        close: { returns: 'Promise<void>' },
      },
    },
  },
};
