import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const READS =
  'find findBy findAndCount findAndCountBy findOne findOneBy count countBy exists existsBy sum average minimum maximum';
const FAILING_READS = 'findOneOrFail findOneByOrFail';
const WRITES =
  'insert update updateAll upsert delete deleteAll softDelete restore increment decrement clear';
const ENTITY_WRITES = 'save remove softRemove recover';
const OLD_READS = 'findByIds findOneById';

const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
const sql: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } };

const entityRead: Effect = { env: 'db', op: 'read', options: { lock: 'sync' } };

/** Entity methods; `key` is the index of the entity class where it is an argument. */
function entityMembers(key?: number): Readonly<Record<string, Member>> {
  const table = key === undefined ? {} : { key };
  const read: Effect = { ...entityRead, ...table };
  const write: Effect = { env: 'db', op: 'write', ...table };
  return {
    ...each(READS, { returns: 'Promise<any>', effect: read }),
    ...each(FAILING_READS, { returns: 'Promise<any>', effect: { ...read, mayVeto: true } }),
    ...each(OLD_READS, { returns: 'Promise<any>', effect: read, until: '0.3' }),
    exist: { returns: 'Promise<any>', effect: read, until: '0.3' },
    preload: { returns: 'Promise<any>', effect: read },
    ...each(WRITES, { returns: 'Promise<any>', effect: write }),
    ...each(ENTITY_WRITES, { returns: 'Promise<any>', effect: { ...write, keyOrRow: true } }),
    query: sql,
    // In memory only.
    ...each('create getId hasId', {}),
  };
}

/** `createQueryBuilder(User, 'user', queryRunner?)` and, on a repository, `createQueryBuilder('user', queryRunner?)`. */
const managerBuilder: Member = {
  returns: 'SelectQueryBuilder',
  step: { op: 'read', table: 0, handle: 2 },
};
const repositoryBuilder: Member = {
  returns: 'SelectQueryBuilder',
  step: { op: 'read', handle: 1 },
};

const transaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 'last', params: ['TransactionManager'], scope: 'transaction' },
};

const chain = each(
  'where andWhere orWhere whereInIds andWhereInIds orWhereInIds setParameter setParameters clone comment',
  {
    returns: 'this',
  },
);
const execute: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'builder' } };
const builderRun: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'builder' },
};

/** Where editors import its classes from, too. */
const FOLDERS =
  'data-source data-source/DataSource entity-manager/EntityManager query-builder/SelectQueryBuilder ' +
  'query-runner/QueryRunner repository/Repository';

/** typeorm 0.2 to 1. Every manager and repository made from a transaction's manager stays on its connection. */
export const typeorm: Library = {
  name: 'typeorm',
  modules: ['typeorm', ...FOLDERS.split(' ').map((it) => `typeorm/${it}`)],
  verifiedWith: '1.1.1',
  isGivenDriver: true,
  remedies: {
    saved: 'Save all rows with one `save([…])`',
    reads: 'one `find` (`where: { id: In(ids) }`) or `relations`',
  },
  ambience: ['typeorm-transactional', 'typeorm-transactional-cls-hooked'],
  injection: {
    modules: ['@nestjs/typeorm'],
    decorators: {
      InjectRepository: 1,
      InjectEntityManager: 0,
      InjectDataSource: 0,
      InjectConnection: 0,
    },
    byType: ['DataSource', 'EntityManager'],
  },
  exports: {
    DataSource: { construct: { returns: 'DataSource' } },
    Repository: { construct: { returns: 'Repository' } },
    TreeRepository: { construct: { returns: 'TreeRepository' } },
    EntityManager: { construct: { returns: 'EntityManager' } },
    BaseEntity: { type: 'BaseEntityStatic', construct: { returns: 'BaseEntity' } },
    AbstractRepository: { construct: { returns: 'AbstractRepository' }, until: '0.3' },
    Connection: { construct: { returns: 'DataSource' }, until: '0.3' },
    createConnection: { returns: 'Promise<DataSource>', effect: sync, until: '0.3' },
    createConnections: { returns: 'Promise<DataSource[]>', effect: sync, until: '0.3' },
    getConnection: { returns: 'DataSource', isShared: true, sourceAt: 0, until: '0.3' },
    getManager: { returns: 'EntityManager', sourceAt: 0, until: '0.3' },
    getRepository: { returns: 'Repository', step: { table: 0 }, sourceAt: 1, until: '0.3' },
    getTreeRepository: { returns: 'TreeRepository', step: { table: 0 }, sourceAt: 1, until: '0.3' },
    createQueryBuilder: { ...managerBuilder, until: '0.3' },
  },
  types: {
    DataSource: {
      role: 'orm',
      isWhole: true,
      concurrency: 'pooled',
      // The pool is the driver's, and so are its size and how long it waits.
      pool: {
        maxOption: 'poolSize',
        engineOption: 'type',
        engines: {
          postgres: { max: 10, maxOption: 'extra.max' },
          mysql: { max: 10, maxOption: 'extra.connectionLimit' },
          mariadb: { max: 10, maxOption: 'extra.connectionLimit' },
        },
        checkoutRoundTrips: 0,
      },
      members: {
        manager: { type: 'EntityManager' },
        initialize: { returns: 'Promise<this>', effect: sync },
        connect: { returns: 'Promise<this>', effect: sync, until: '0.3' },
        ...each('synchronize dropDatabase runMigrations undoLastMigration destroy', control),
        close: { ...control, until: '0.3' },
        getRepository: { returns: 'Repository', step: { table: 0 } },
        getTreeRepository: { returns: 'TreeRepository', step: { table: 0 } },
        transaction,
        ...each('query sql', sql),
        createQueryBuilder: managerBuilder,
        createQueryRunner: { returns: 'QueryRunner' },
        createEntityManager: { returns: 'EntityManager' },
      },
    },
    EntityManager: {
      role: 'orm',
      concurrency: 'pooled',
      admitsTransaction: true,
      managesTransactions: true,
      members: {
        ...entityMembers(0),
        sql,
        transaction,
        dataSource: { type: 'DataSource' },
        connection: { type: 'DataSource' },
        createQueryBuilder: managerBuilder,
        getRepository: { returns: 'Repository', step: { table: 0 } },
        getTreeRepository: { returns: 'TreeRepository', step: { table: 0 } },
        getCustomRepository: { returns: 'Repository', until: '0.3' },
        withRepository: { returns: 'Repository' },
      },
    },
    /** The argument of the callback of `transaction`. */
    TransactionManager: {
      extends: 'EntityManager',
      role: 'transaction',
      concurrency: 'serial',
      members: {
        getRepository: { returns: 'TransactionRepository', step: { table: 0 } },
        getTreeRepository: { returns: 'TransactionRepository', step: { table: 0 } },
        getCustomRepository: { returns: 'TransactionRepository', until: '0.3' },
        withRepository: { returns: 'TransactionRepository' },
      },
    },
    Repository: {
      role: 'orm',
      tableType: 0,
      concurrency: 'pooled',
      admitsTransaction: true,
      members: {
        ...entityMembers(),
        sql,
        manager: { type: 'EntityManager' },
        createQueryBuilder: repositoryBuilder,
        extend: { returns: 'this' },
      },
    },
    TransactionRepository: {
      extends: 'Repository',
      role: 'transaction',
      tableType: 0,
      concurrency: 'serial',
      members: { manager: { type: 'TransactionManager' } },
    },
    TreeRepository: {
      extends: 'Repository',
      tableType: 0,
      members: each(
        'findTrees findRoots findDescendants findDescendantsTree countDescendants findAncestors findAncestorsTree countAncestors',
        { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
      ),
    },
    AbstractRepository: {
      members: { repository: { type: 'Repository' }, manager: { type: 'EntityManager' } },
    },
    /** Lazy: it acquires its connection at the first call that needs one. Neither commit nor rollback releases it. */
    QueryRunner: {
      role: 'connection',
      concurrency: 'serial',
      members: {
        connect: { ...control, begins: 'connection' },
        startTransaction: { ...control, begins: 'connection' },
        ...each('query sql', { ...sql, begins: 'connection' }),
        stream: { ...sql, begins: 'connection' },
        ...each('commitTransaction rollbackTransaction', control),
        release: { ...control, releases: 'this' },
        manager: { type: 'RunnerManager', begins: 'connection' },
      },
    },
    /** `queryRunner.manager`: on the runner's connection, whether or not a transaction is open. */
    RunnerManager: { extends: 'TransactionManager', role: 'connection' },
    BaseEntityStatic: {
      role: 'orm',
      concurrency: 'pooled',
      members: {
        ...Object.fromEntries(
          Object.entries(entityMembers()).filter(
            ([name]) =>
              !/^(?:updateAll|deleteAll|softDelete|restore|recover|increment|decrement|exist)$/.test(
                name,
              ),
          ),
        ),
        // What is found saves itself.
        ...each('find findBy', { returns: 'Promise<BaseEntity[]>', effect: entityRead }),
        ...each('findOne findOneBy', { returns: 'Promise<BaseEntity>', effect: entityRead }),
        ...each('findOneOrFail findOneByOrFail', {
          returns: 'Promise<BaseEntity>',
          effect: { ...entityRead, mayVeto: true },
        }),
        ...each('create merge', { returns: 'BaseEntity' }),
        createQueryBuilder: repositoryBuilder,
        getRepository: { returns: 'Repository' },
      },
    },
    BaseEntity: {
      members: {
        ...each('save remove softRemove recover', {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'write' },
        }),
        reload: { returns: 'Promise<void>', effect: { env: 'db', op: 'read' } },
      },
    },
    SelectQueryBuilder: {
      role: 'builder',
      members: {
        ...chain,
        ...each(
          'addSelect distinct distinctOn groupBy addGroupBy having andHaving orHaving ' +
            'innerJoin innerJoinAndSelect innerJoinAndMapOne innerJoinAndMapMany leftJoin leftJoinAndSelect ' +
            'leftJoinAndMapOne leftJoinAndMapMany limit offset skip take orderBy addOrderBy loadAllRelationIds ' +
            'loadRelationIdAndMap maxExecutionTime setFindOptions setOnLocked setOption useIndex whereExists ' +
            'andWhereExists orWhereExists withDeleted cache subQuery fromDummy select',
          { returns: 'this' },
        ),
        addCommonTableExpression: { returns: 'this', step: { names: 1 } },
        ...each('from addFrom', { returns: 'this', step: { table: 0 } }),
        setLock: { returns: 'this', step: { op: 'sync' } },
        setQueryRunner: { returns: 'this', step: { handle: 0 } },
        insert: { returns: 'InsertQueryBuilder', step: { op: 'write' } },
        update: { returns: 'UpdateQueryBuilder', step: { op: 'write', table: 0 } },
        delete: { returns: 'DeleteQueryBuilder', step: { op: 'write' } },
        ...each('softDelete restore', { returns: 'SoftDeleteQueryBuilder', step: { op: 'write' } }),
        relation: { returns: 'RelationQueryBuilder', step: { op: 'unknown', table: 0 } },
        ...each(
          'getOne getMany getManyAndCount getRawOne getRawMany getRawAndEntities getCount getExists stream execute',
          builderRun,
        ),
        getOneOrFail: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'builder', mayVeto: true },
        },
      },
    },
    InsertQueryBuilder: {
      role: 'builder',
      members: {
        into: { returns: 'this', step: { table: 0 } },
        ...each('values valuesFromSelect orIgnore orUpdate returning output updateEntity', {
          returns: 'this',
        }),
        execute,
      },
    },
    UpdateQueryBuilder: {
      role: 'builder',
      members: {
        ...chain,
        ...each('set returning output limit orderBy addOrderBy whereEntity updateEntity', {
          returns: 'this',
        }),
        execute,
      },
    },
    DeleteQueryBuilder: {
      role: 'builder',
      members: {
        ...chain,
        from: { returns: 'this', step: { table: 0 } },
        ...each('returning output', { returns: 'this' }),
        execute,
      },
    },
    SoftDeleteQueryBuilder: { extends: 'DeleteQueryBuilder' },
    RelationQueryBuilder: {
      role: 'builder',
      members: {
        of: { returns: 'this' },
        ...each('loadOne loadMany', { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } }),
        ...each('add addAndRemove remove set', {
          returns: 'Promise<void>',
          effect: { env: 'db', op: 'write' },
        }),
      },
    },
  },
};
