import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const read: Effect = { env: 'db', op: 'read', key: 0, options: { lockMode: 'sync' } };
const write: Effect = { env: 'db', op: 'write', key: 0 };
const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };

const transactional: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 0, params: ['TransactionManager'], scope: 'transaction' },
};
const managerMembers: Readonly<Record<string, Member>> = {
  ...each('find findOne findAll findAndCount findByCursor count', {
    returns: 'Promise<any>',
    effect: read,
  }),
  ...each('findOneOrFail refreshOrFail', {
    returns: 'Promise<any>',
    effect: { ...read, mayVeto: true },
  }),
  ...each('refresh populate', { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } }),
  ...each('insert insertMany nativeUpdate nativeDelete upsert upsertMany', {
    returns: 'Promise<any>',
    effect: write,
  }),
  // Everything that was persisted or removed goes out with the flush.
  ...each('flush persistAndFlush removeAndFlush', {
    returns: 'Promise<any>',
    effect: { env: 'db', op: 'write' },
  }),
  ...each('persist remove', { returns: 'this' }),
  lock: control,
  transactional,
  getRepository: { returns: 'EntityRepository', step: { table: 0 } },
};

/** The driver packages export what the core does. */
export const mikroOrm: Library = {
  name: '@mikro-orm/core',
  modules: [
    'core',
    'postgresql',
    'mysql',
    'mariadb',
    'sqlite',
    'better-sqlite',
    'libsql',
    'mssql',
    'mongodb',
    'knex',
  ].map((it) => `@mikro-orm/${it}`),
  verifiedWith: '6.6.16',
  isGivenDriver: true,
  exports: {
    MikroORM: { type: 'MikroORMStatic', construct: { returns: 'MikroORM' } },
    EntityManager: { construct: { returns: 'EntityManager' } },
    SqlEntityManager: { construct: { returns: 'EntityManager' } },
    EntityRepository: { construct: { returns: 'EntityRepository' } },
  },
  types: {
    MikroORMStatic: {
      members: {
        init: { returns: 'Promise<MikroORM>', effect: sync },
        initSync: { returns: 'MikroORM' },
      },
    },
    MikroORM: {
      members: { em: { type: 'EntityManager' }, ...each('connect close', control) },
    },
    EntityManager: {
      role: 'orm',
      concurrency: 'pooled',
      admitsTransaction: true,
      managesTransactions: true,
      pool: { checkoutRoundTrips: 0 },
      members: {
        ...managerMembers,
        fork: { returns: 'EntityManager' },
        begin: { ...control, begins: 'transaction' },
        ...each('commit rollback', { ...control, releases: 'this' }),
      },
    },
    TransactionManager: { role: 'transaction', concurrency: 'serial', members: managerMembers },
    EntityRepository: {
      role: 'orm',
      tableType: 0,
      concurrency: 'pooled',
      members: {
        ...each('find findOne findAll findAndCount findByCursor count', {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'read', options: { lockMode: 'sync' } },
        }),
        findOneOrFail: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'read', mayVeto: true },
        },
        ...each('insert insertMany nativeUpdate nativeDelete upsert upsertMany', {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'write' },
        }),
        getEntityManager: { returns: 'EntityManager' },
      },
    },
  },
};
