import { each } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';

const reading: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'read' } };
const writing: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'write' } };

/** What both of two searching servers of one origin are asked. */
const elasticClient: LibraryType = {
  members: {
    ...each(
      'search msearch count get mget exists getSource existsSource explain termvectors fieldCaps info ping',
      reading,
    ),
    ...each('index create update delete bulk updateByQuery deleteByQuery reindex', writing),
    ...each('indices cluster cat', { type: 'Administration' }),
    helpers: {},
  },
};
const elasticTypes: Readonly<Record<string, LibraryType>> = {
  Client: elasticClient,
  Administration: {
    memberPatterns: [
      // `health` may wait for what the next request needs.
      [/^(?:get|exists|stats|indices|count|aliases)(?![a-z])/, reading],
      [/^[a-z]/, writing],
    ],
  },
};

const vectors =
  'search query scroll retrieve count recommend getCollection getCollections collectionExists';

/** Search servers, asked by HTTP. */
export const search: readonly Library[] = [
  {
    name: '@elastic/elasticsearch',
    modules: ['@elastic/elasticsearch'],
    verifiedWith: '9.4.3',
    exports: { Client: { construct: { returns: 'Client' } } },
    types: elasticTypes,
  },
  {
    name: '@opensearch-project/opensearch',
    modules: ['@opensearch-project/opensearch'],
    verifiedWith: '3.9.0',
    exports: { Client: { construct: { returns: 'Client' } } },
    types: elasticTypes,
  },
  {
    name: 'meilisearch',
    modules: ['meilisearch'],
    verifiedWith: '0.62.0',
    exports: {
      Meilisearch: { construct: { returns: 'Meilisearch' } },
      MeiliSearch: { construct: { returns: 'Meilisearch' }, until: '0.53.0' },
    },
    types: {
      Meilisearch: {
        members: {
          index: { returns: 'Index' },
          ...each('multiSearch getStats getVersion health getKeys', reading),
          ...each('createIndex updateIndex deleteIndex swapIndexes', writing),
        },
      },
      Index: {
        members: {
          ...each(
            'search searchGet searchForFacetValues getDocument getDocuments getStats getSettings',
            reading,
          ),
          ...each(
            'addDocuments updateDocuments deleteDocument deleteDocuments ' +
              'deleteAllDocuments updateSettings',
            writing,
          ),
        },
      },
    },
  },
  {
    name: '@qdrant/js-client-rest',
    modules: ['@qdrant/js-client-rest'],
    verifiedWith: '1.18.0',
    exports: { QdrantClient: { construct: { returns: 'QdrantClient' } } },
    types: {
      QdrantClient: {
        members: {
          ...each(vectors, reading),
          ...each('upsert delete createCollection deleteCollection setPayload', writing),
        },
      },
    },
  },
  {
    name: 'typesense',
    modules: ['typesense'],
    verifiedWith: '3.1.0',
    remedies: { batch: 'Write all documents with one `import`' },
    exports: {
      Client: { construct: { returns: 'Client' } },
      default: { type: 'Static' },
    },
    types: {
      Static: { members: { Client: { construct: { returns: 'Client' } } } },
      Client: {
        members: {
          collections: { returns: 'Collection' },
          multiSearch: { type: 'MultiSearch' },
          health: { type: 'Health' },
        },
      },
      // With a name one of them, without a name all.
      Collection: {
        members: {
          documents: { returns: 'Documents' },
          ...each('retrieve exists', reading),
          ...each('create update delete', writing),
        },
      },
      Documents: {
        members: {
          ...each('search retrieve export', reading),
          ...each('create upsert update emplace delete import', writing),
        },
      },
      MultiSearch: { members: { perform: reading } },
      Health: { members: { retrieve: reading } },
    },
  },
];
