import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

function answering(effect: Effect): Member {
  return { returns: 'Promise<any>', effect };
}

const reading: Member = answering({ env: 'db', op: 'read' });
const writing = (verb: NonNullable<Effect['verb']>): Member =>
  answering({ env: 'db', op: 'write', verb });
/** Of one document, which the call or what it is called on names. */
const ofOne = (verb: NonNullable<Effect['verb']>): Member =>
  answering({ env: 'db', op: 'write', verb, keyed: true });
const asked: Member = answering({ env: 'http', op: 'read' });
const told: Member = answering({ env: 'http', op: 'write' });

/** Statements go to whichever node holds the rows; none is part of a transaction. */
const cassandra: Library = {
  name: 'cassandra-driver',
  modules: ['cassandra-driver'],
  verifiedWith: '4.10.0',
  commitsEach: true,
  isPartitioned: true,
  remedies: { batch: 'Send them concurrently, a few at a time (`executeConcurrent`)' },
  exports: { Client: { construct: { returns: 'Client' } } },
  types: {
    Client: {
      concurrency: 'pooled',
      members: {
        execute: answering({ env: 'db', op: 'sql' }),
        batch: writing('many'),
        ...each('connect shutdown', answering({ env: 'db', op: 'unknown' })),
      },
    },
  },
};

const documents = withDefault({}, { call: { returns: 'ServerScope' } });
/** CouchDB. */
const nano: Library = {
  name: 'nano',
  modules: ['nano'],
  verifiedWith: '11.0.7',
  commitsEach: true,
  remedies: { batch: 'Write all documents with one `bulk`' },
  exports: documents.exports,
  types: {
    Namespace: documents.namespace,
    ServerScope: {
      concurrency: 'pooled',
      members: {
        ...each('use scope', { returns: 'DocumentScope' }),
        db: { type: 'DatabaseScope' },
      },
    },
    DatabaseScope: {
      members: {
        use: { returns: 'DocumentScope' },
        ...each('get list', reading),
      },
    },
    DocumentScope: {
      concurrency: 'pooled',
      members: {
        ...each('get head list fetch find view info', reading),
        insert: writing('insert'),
        destroy: ofOne('delete'),
        bulk: writing('many'),
      },
    },
  },
};

const cosmos: Library = {
  name: '@azure/cosmos',
  modules: ['@azure/cosmos'],
  verifiedWith: '4.9.3',
  isHosted: true,
  commitsEach: true,
  remedies: {
    batch:
      'Write all documents with one bulk request (`executeBulkOperations`, or `bulk` before it)',
  },
  exports: { CosmosClient: { construct: { returns: 'CosmosClient' } } },
  types: {
    CosmosClient: { members: { database: { returns: 'Database' } } },
    Database: { members: { container: { returns: 'Container' } } },
    Container: {
      concurrency: 'pooled',
      members: { item: { returns: 'Item' }, items: { type: 'Items' } },
    },
    Item: {
      members: {
        read: reading,
        ...each('replace patch', ofOne('update')),
        delete: ofOne('delete'),
      },
    },
    Items: {
      members: {
        ...each('query readAll', { returns: 'QueryIterator' }),
        create: writing('insert'),
        upsert: writing('save'),
        ...each('executeBulkOperations bulk batch', writing('many')),
      },
    },
    QueryIterator: { members: { fetchAll: reading } },
  },
};

const blobReads = each('getProperties exists download downloadToBuffer getTags', asked);
const blobWrites = each('delete deleteIfExists setMetadata setHTTPHeaders setTags', told);
const blobs: Library = {
  name: '@azure/storage-blob',
  modules: ['@azure/storage-blob'],
  verifiedWith: '12.32.0',
  isHosted: true,
  exports: {
    BlobServiceClient: { type: 'Static', construct: { returns: 'BlobServiceClient' } },
    ContainerClient: { construct: { returns: 'ContainerClient' } },
    BlobClient: { construct: { returns: 'BlobClient' } },
    BlockBlobClient: { construct: { returns: 'BlockBlobClient' } },
  },
  types: {
    Static: { members: { fromConnectionString: { returns: 'BlobServiceClient' } } },
    BlobServiceClient: {
      members: {
        getContainerClient: { returns: 'ContainerClient' },
        getProperties: asked,
        ...each('createContainer deleteContainer', told),
      },
    },
    ContainerClient: {
      members: {
        getBlobClient: { returns: 'BlobClient' },
        getBlockBlobClient: { returns: 'BlockBlobClient' },
        ...each('exists getProperties', asked),
        ...each('create createIfNotExists delete deleteIfExists uploadBlockBlob deleteBlob', told),
      },
    },
    BlobClient: { members: { ...blobReads, ...blobWrites } },
    BlockBlobClient: {
      members: {
        ...blobReads,
        ...blobWrites,
        ...each('upload uploadData uploadFile uploadStream', told),
      },
    },
  },
};

const minio: Library = {
  name: 'minio',
  modules: ['minio'],
  verifiedWith: '8.0.7',
  exports: { Client: { construct: { returns: 'Client' } } },
  types: {
    Client: {
      members: {
        ...each('statObject bucketExists listBuckets getObjectTagging', asked),
        ...each(
          'putObject fPutObject removeObject removeObjects copyObject makeBucket removeBucket fGetObject',
          told,
        ),
      },
    },
  },
};

/** Stores of documents, rows and files without SQL transactions. */
export const storeClients: readonly Library[] = [cassandra, nano, cosmos, blobs, minio];
