import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

function answering(effect: Effect): Member {
  return { returns: 'Promise<any>', effect };
}

const stored: Member = answering({ env: 'db', op: 'read' });
const storing = (verb: NonNullable<Effect['verb']>): Member =>
  answering({ env: 'db', op: 'write', verb });
/** Of one document, which its reference names. */
const ofOne = (verb: NonNullable<Effect['verb']>): Member =>
  answering({ env: 'db', op: 'write', verb, keyed: true });
const asked: Member = answering({ env: 'http', op: 'read' });
const told: Member = answering({ env: 'http', op: 'write' });

/** A collection is what it is called by; a document adds nothing to that. */
const collection: Member = { returns: 'CollectionReference', step: { table: 0 } };
const document: Member = { returns: 'DocumentReference' };

const query: Readonly<Record<string, Member>> = {
  ...each('where orderBy limit limitToLast offset select startAt startAfter endAt endBefore', {
    returns: 'Query',
  }),
  ...each('count aggregate', { returns: 'AggregateQuery' }),
  get: stored,
};

/** Documents by HTTP/2: each call by itself writes for good; several belong to a `batch()` or to `runTransaction`. */
const firestoreTypes: Readonly<Record<string, LibraryType>> = {
  Firestore: {
    concurrency: 'pooled',
    members: {
      collection,
      collectionGroup: { returns: 'Query', step: { table: 0 } },
      doc: document,
      ...each('getAll listCollections', stored),
      runTransaction: answering({ env: 'db', op: 'unknown' }),
      recursiveDelete: storing('many'),
      batch: { returns: 'WriteBatch' },
      ...each('settings bulkWriter', {}),
    },
  },
  Query: { members: query },
  CollectionReference: {
    members: { ...query, doc: document, add: storing('insert'), listDocuments: stored },
  },
  AggregateQuery: { members: { get: stored } },
  DocumentReference: {
    members: {
      collection,
      get: answering({ env: 'db', op: 'read', keyed: true }),
      listCollections: stored,
      ...each('create set', ofOne('insert')),
      update: ofOne('update'),
      delete: ofOne('delete'),
    },
  },
  WriteBatch: {
    members: {
      ...each('set update delete create', { returns: 'this' }),
      commit: storing('many'),
    },
  },
};

const firestore: Library = {
  name: '@google-cloud/firestore',
  modules: ['@google-cloud/firestore'],
  verifiedWith: '8.7.1',
  isHosted: true,
  commitsEach: true,
  remedies: {
    batch: 'Write all documents with one `batch()`',
    reads: 'one `getAll(…)` of all references',
  },
  exports: { Firestore: { construct: { returns: 'Firestore' } } },
  types: firestoreTypes,
};

const OF_FIRESTORE = '@google-cloud/firestore.Firestore';

const users: Readonly<Record<string, Member>> = {
  ...each('getUser getUserByEmail getUserByPhoneNumber getUsers listUsers', asked),
  ...each(
    'createUser updateUser deleteUser deleteUsers importUsers setCustomUserClaims revokeRefreshTokens',
    told,
  ),
};
const messages = each(
  'send sendEach sendEachForMulticast subscribeToTopic unsubscribeFromTopic',
  told,
);

const services: Readonly<Record<string, Member>> = {
  firestore: { returns: OF_FIRESTORE },
  auth: { returns: 'Auth' },
  messaging: { returns: 'Messaging' },
  storage: { returns: '@google-cloud/storage.Storage' },
};
const admin = withDefault({
  ...services,
  ...each('initializeApp app', { returns: 'App' }),
});

/** One server kit for several services. */
const firebase: Library = {
  name: 'firebase-admin',
  modules: ['', '/app', '/firestore', '/auth', '/messaging', '/storage'].map(
    (it) => `firebase-admin${it}`,
  ),
  verifiedWith: '13.10.0',
  isHosted: true,
  exports: {
    ...admin.exports,
    ...each('getFirestore initializeFirestore', { returns: OF_FIRESTORE }),
    Firestore: { construct: { returns: OF_FIRESTORE } },
    getAuth: { returns: 'Auth' },
    getMessaging: { returns: 'Messaging' },
    getStorage: { returns: '@google-cloud/storage.Storage' },
  },
  types: {
    Namespace: admin.namespace,
    App: { members: services },
    Auth: { members: users },
    Messaging: { members: messages },
  },
};

const storage: Library = {
  name: '@google-cloud/storage',
  modules: ['@google-cloud/storage'],
  verifiedWith: '7.22.0',
  isHosted: true,
  exports: { Storage: { construct: { returns: 'Storage' } } },
  types: {
    Storage: { members: { bucket: { returns: 'Bucket' }, getBuckets: asked, createBucket: told } },
    Bucket: {
      members: {
        file: { returns: 'File' },
        ...each('exists getFiles getMetadata getLabels', asked),
        ...each('upload combine create delete deleteFiles setMetadata setLabels', told),
      },
    },
    File: {
      members: {
        ...each('exists getMetadata isPublic', asked),
        // With a `destination` it writes a file, which somebody reads next.
        download: answering({ env: 'http', op: 'unknown' }),
        ...each(
          'save delete copy move rename setMetadata makePublic makePrivate createResumableUpload',
          told,
        ),
      },
    },
  },
};

const pubsub: Library = {
  name: '@google-cloud/pubsub',
  modules: ['@google-cloud/pubsub'],
  verifiedWith: '5.3.1',
  isHosted: true,
  remedies: {
    bulk: 'Start all of them and await one `Promise.all`: the client sends batches',
  },
  exports: { PubSub: { construct: { returns: 'PubSub' } } },
  types: {
    PubSub: { members: { topic: { returns: 'Topic' } } },
    Topic: {
      role: 'queue',
      members: each('publishMessage publish publishJSON', answering({ env: 'queue', op: 'write' })),
    },
  },
};

const rows: Member = answering({ env: 'db', op: 'sql' });
const bigquery: Library = {
  name: '@google-cloud/bigquery',
  modules: ['@google-cloud/bigquery'],
  verifiedWith: '8.3.1',
  isHosted: true,
  commitsEach: true,
  remedies: { batch: 'Insert all rows with one `insert([…])`' },
  exports: { BigQuery: { construct: { returns: 'BigQuery' } } },
  types: {
    BigQuery: {
      concurrency: 'pooled',
      members: { query: rows, createQueryJob: rows, dataset: { returns: 'Dataset' } },
    },
    Dataset: { members: { query: rows, table: { returns: 'Table' }, getTables: stored } },
    Table: { members: { query: rows, getRows: stored, insert: storing('insert') } },
  },
};

/** Clients made of descriptions: one object per resource, one method per call. */
const apis = withDefault({ google: { type: 'Google' } });
const googleapis: Library = {
  name: 'googleapis',
  modules: ['googleapis'],
  verifiedWith: '188.0.0',
  isHosted: true,
  exports: apis.exports,
  types: {
    Namespace: apis.namespace,
    Google: { members: each('auth options discover', {}), anyMember: { returns: 'Service' } },
    Service: {
      // Those of BigQuery run whatever statement they are given.
      members: { context: {}, jobs: { type: 'Jobs' } },
      anyMember: { type: 'Resource' },
    },
    Resource: {
      call: told,
      // The names of reads, but for a code that is sent by mail.
      memberPatterns: [[/^(?!getOob)(?:get|list|query|search|lookup|batchGet)(?![a-z])/, asked]],
      anyMember: { type: 'Resource' },
    },
    Jobs: { extends: 'Resource', members: { query: told } },
  },
};

const secretManager: Library = {
  name: '@google-cloud/secret-manager',
  modules: ['@google-cloud/secret-manager'],
  verifiedWith: '6.3.0',
  isHosted: true,
  exports: { SecretManagerServiceClient: { construct: { returns: 'SecretManagerServiceClient' } } },
  types: {
    SecretManagerServiceClient: {
      members: {
        ...each(
          'accessSecretVersion getSecret getSecretVersion listSecrets listSecretVersions',
          asked,
        ),
        ...each(
          'createSecret updateSecret deleteSecret addSecretVersion destroySecretVersion disableSecretVersion ' +
            'enableSecretVersion',
          told,
        ),
        ...each('secretPath secretVersionPath projectPath close', {}),
      },
    },
  },
};

/** Tokens and keys are kept until they expire. */
const kept: Member = answering({ env: 'http', op: 'read', memo: true });
const auth: Library = {
  name: 'google-auth-library',
  modules: ['google-auth-library'],
  verifiedWith: '10.9.1',
  isHosted: true,
  exports: {
    OAuth2Client: { construct: { returns: 'OAuth2Client' } },
    GoogleAuth: { construct: { returns: 'GoogleAuth' } },
  },
  types: {
    OAuth2Client: {
      members: {
        verifyIdToken: answering({ env: 'http', op: 'read', memo: true, mayVeto: true }),
        ...each('getAccessToken getRequestHeaders getFederatedSignonCertsAsync', kept),
        getTokenInfo: asked,
        ...each('getToken refreshAccessToken revokeToken revokeCredentials', told),
        ...each('generateAuthUrl setCredentials', {}),
        request: answering({ env: 'http', op: 'method', argument: 0 }),
      },
    },
    GoogleAuth: {
      members: each(
        'getAccessToken getRequestHeaders getProjectId getClient getIdTokenClient',
        kept,
      ),
    },
  },
};

export const google: readonly Library[] = [
  firestore,
  firebase,
  storage,
  pubsub,
  bigquery,
  googleapis,
  secretManager,
  auth,
];
