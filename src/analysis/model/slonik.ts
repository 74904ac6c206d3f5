import { each } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';
import type { PoolFacts } from './pool-facts.ts';

const sql: Effect = { env: 'db', op: 'sql' };
const sync: Effect = { env: 'db', op: 'sync' };
const answered: Member = { returns: 'Promise<any>', effect: sql };
const inTransaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 0, params: ['DatabaseTransactionConnection'], scope: 'transaction' },
};

const common: Readonly<Record<string, Member>> = {
  ...each('query any anyFirst maybeOne maybeOneFirst exists', answered),
  // No row is an error.
  ...each('one oneFirst many manyFirst', { ...answered, effect: { ...sql, mayVeto: true } }),
  stream: { ...answered, callback: { at: 1, params: [undefined] } },
  transaction: inTransaction,
};

const ONE_CONNECTION = { concurrency: 'serial', members: common } as const;

/** It only writes statements, and the caller sends them. */
const PARTS = each(
  'array binary date identifier join json jsonb literalValue timestamp unnest',
  {},
);
const tags: Readonly<Record<string, LibraryType>> = {
  SqlTag: {
    members: {
      ...PARTS,
      ...each('fragment unsafe uuid interval and or list', {}),
      ...each('type typeAlias prepared', { returns: 'Tag' }),
    },
  },
  Tag: { call: {} },
};
const oldTag: Readonly<Record<string, LibraryType>> = {
  SqlTag: { call: {}, members: { ...PARTS, raw: {} } },
};

function types(facts: PoolFacts): Readonly<Record<string, LibraryType>> {
  return {
    DatabasePool: {
      role: 'pool',
      concurrency: 'pooled',
      pool: facts,
      members: {
        ...common,
        connect: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 0, params: ['DatabasePoolConnection'], scope: 'connection' },
        },
        end: { returns: 'Promise<void>', effect: sync },
      },
    },
    DatabasePoolConnection: { role: 'connection', ...ONE_CONNECTION },
    DatabaseTransactionConnection: { role: 'transaction', ...ONE_CONNECTION },
    /** What a function declares that takes any of them. */
    CommonQueryMethods: {
      role: 'orm',
      concurrency: 'pooled',
      admitsTransaction: true,
      members: common,
    },
    DatabaseConnection: { extends: 'CommonQueryMethods' },
  };
}

const facts: PoolFacts = {
  max: 10,
  maxOption: 'maximumPoolSize',
  optionsAt: 1,
  takesTexts: true,
  server: 'postgres',
  // Nobody waits for what a release sends.
  checkoutRoundTrips: 0,
};

const traits = {
  closesFailed: true,
  remedies: {
    bulk: 'Insert all rows with one statement (`sql.unnest`)',
    duplicate: 'Add `ON CONFLICT DO NOTHING`',
  },
} as const;

const exports: Library['exports'] = {
  createPool: { returns: 'Promise<DatabasePool>', effect: sync },
  sql: { type: 'SqlTag' },
  createSqlTag: { returns: 'SqlTag' },
  ...each('parseDsn stringifyDsn createTypeParserPreset isSqlToken', {}),
};

/** slonik, and what was made of version 31; both lend connections to callbacks only. */
export const slonik: readonly Library[] = [
  {
    name: 'slonik',
    modules: ['slonik'],
    verifiedWith: '49.10.9',
    ...traits,
    exports,
    types: {
      // `connectionTimeout` covers connecting only.
      ...types({ ...facts, waitMs: Number.POSITIVE_INFINITY }),
      ...tags,
    },
  },
  {
    name: '@silverhand/slonik',
    modules: ['@silverhand/slonik'],
    verifiedWith: '31.0.0-beta.3',
    ...traits,
    exports,
    types: {
      ...types({ ...facts, waitMs: 5000, waitOption: 'connectionTimeout' }),
      ...oldTag,
    },
  },
];
