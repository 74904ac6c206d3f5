import { each, withDefault } from './members.ts';
import type { Effect, Injection, Library, Member } from './schema.ts';

/** The same in all methods: which transaction, what to lock, whether finding nothing is an error. */
const options = { transaction: 'handle', lock: 'sync', rejectOnEmpty: 'veto' } as const;
const read: Effect = { env: 'db', op: 'read', options };
const find: Effect = { ...read, optionsAt: 0 };
const write: Effect = { env: 'db', op: 'write', options };
/** The row comes first: what it holds is no option. */
const writeRow: Effect = { ...write, optionsAt: 1 };
const sync: Effect = { env: 'db', op: 'sync' };

const modelMembers: Readonly<Record<string, Member>> = {
  findAll: { returns: 'Promise<Model[]>', effect: find },
  findOne: { returns: 'Promise<Model>', effect: find },
  findByPk: { returns: 'Promise<Model>', effect: read },
  ...each('findAndCountAll count', { returns: 'Promise<any>', effect: find }),
  ...each('sum min max aggregate describe', { returns: 'Promise<any>', effect: read }),
  create: { returns: 'Promise<Model>', effect: writeRow },
  bulkCreate: { returns: 'Promise<Model[]>', effect: writeRow },
  ...each('update upsert', { returns: 'Promise<any>', effect: writeRow }),
  ...each('findOrCreate findCreateFind findOrBuild destroy restore truncate', {
    returns: 'Promise<any>',
    effect: { ...write, optionsAt: 0 },
  }),
  ...each('increment decrement sync drop', { returns: 'Promise<any>', effect: write }),
  build: { returns: 'Model' },
  bulkBuild: { returns: 'Model[]' },
  ...each('scope unscoped schema', { returns: 'this' }),
};

const whole = withDefault(
  {
    Sequelize: { construct: { returns: 'Sequelize' } },
    Model: { type: 'ModelStatic', construct: { returns: 'Model' } },
    Transaction: {},
    DataTypes: { type: 'DataTypes' },
    // Parts of statements.
    ...each('and cast col fn json literal or where', {}),
    ...each('Op QueryTypes', { type: 'Words' }),
    Utils: { type: 'Utils' },
    ...each(
      'BaseError DatabaseError ForeignKeyConstraintError UniqueConstraintError ValidationError ValidationErrorItem',
      { construct: {} },
    ),
  },
  { construct: { returns: 'Sequelize' } },
);

/** The class is also the module itself, which the declarations do not say. */
const exports: Library['exports'] = {
  ...whole.exports,
  default: { ...whole.exports['default'], untyped: true },
};

const query: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'sql', options } };
const managedTransaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 'last', params: ['Transaction'], scope: 'transaction' },
};
const unmanagedTransaction: Member = {
  returns: 'Promise<Transaction>',
  acquires: 'transaction',
  effect: sync,
};

const types: Library['types'] = {
  Namespace: whole.namespace,
  Sequelize: {
    role: 'orm',
    isWhole: true,
    concurrency: 'pooled',
    pool: {
      max: 5,
      maxOption: 'pool.max',
      optionsAt: 'last',
      takesTexts: true,
      engineOption: 'dialect',
      waitMs: 60_000,
      waitOption: 'pool.acquire',
      checkoutRoundTrips: 0,
    },
    members: {
      query,
      transaction: { ...unmanagedTransaction, withCallback: managedTransaction },
      define: { returns: 'ModelStatic' },
      model: { returns: 'ModelStatic' },
      models: { type: 'Models' },
      getQueryInterface: { returns: 'QueryInterface' },
      ...each('escape getDialect getDatabaseName isDefined', {}),
      ...each('authenticate close', { returns: 'Promise<any>', effect: sync }),
      ...each('sync drop truncate createSchema dropSchema', {
        returns: 'Promise<any>',
        effect: write,
      }),
    },
  },
  Models: { anyMember: { type: 'ModelStatic' } },
  Words: {},
  Utils: { anyMember: {} },
  QueryInterface: {
    members: {
      ...each('describeTable showAllTables showAllSchemas showIndex tableExists', {
        returns: 'Promise<any>',
        effect: read,
      }),
      ...each(
        'addColumn addConstraint addIndex changeColumn createSchema createTable dropAllTables dropSchema dropTable ' +
          'removeColumn removeConstraint removeIndex renameColumn renameTable',
        { returns: 'Promise<any>', effect: sync },
      ),
      ...each('bulkDelete bulkInsert', { returns: 'Promise<any>', effect: writeRow }),
      ...each('quoteIdentifier quoteIdentifiers quoteTable', {}),
      sequelize: { type: 'Sequelize' },
    },
  },
  DataTypes: { follows: 'Sequelize' },
  Transaction: {
    role: 'transaction',
    concurrency: 'serial',
    members: each('commit rollback', { returns: 'Promise<void>', releases: 'this', effect: sync }),
  },
  ModelStatic: {
    role: 'orm',
    concurrency: 'pooled',
    construct: { returns: 'Model' },
    equips: { ModelStatic: {}, Model: { property: 'prototype' } },
    members: { ...modelMembers, init: { returns: 'this' }, sequelize: { type: 'Sequelize' } },
  },
  ModelCtor: { extends: 'ModelStatic' },
  Model: {
    members: {
      ...each('save destroy restore', {
        returns: 'Promise<any>',
        effect: { ...write, optionsAt: 0 },
      }),
      ...each('update increment decrement', { returns: 'Promise<any>', effect: writeRow }),
      reload: { returns: 'Promise<any>', effect: find },
      ...each('get set toJSON changed previous getDataValue setDataValue setAttributes equals', {}),
      ...each('isNewRecord dataValues', {}),
      sequelize: { type: 'Sequelize' },
    },
    // What an association adds: `order.getItems()`, and the same in sequelize-typescript: `order.$get('items')`.
    memberPatterns: [
      [
        /^(?:(?:get|count|has)[A-Z]|\$(?:get|count|has)$)/,
        { returns: 'Promise<any>', effect: find },
      ],
      [
        /^(?:(?:set|add|remove|create)[A-Z]|\$(?:set|add|remove|create)$)/,
        { returns: 'Promise<any>', effect: write },
      ],
    ],
  },
};

const injection: Injection = {
  modules: ['@nestjs/sequelize'],
  decorators: { InjectModel: 1, InjectConnection: 0 },
  byType: ['Sequelize'],
  gives: { InjectModel: 'ModelStatic' },
};

/** No constraint need declare which rows exist. */
const reads = 'one `findAll` (`where: { id: ids }`) or `include`';

const missing = 'Query all rows with one `findAll`, and insert the missing rows with `bulkCreate`';

const traits = { isGivenDriver: true, runsHooks: true, modelOption: 'sequelize' } as const;

/** A model's hooks may have more effects than its methods; users of this model must check for them. */
export const sequelize: readonly Library[] = [
  {
    name: 'sequelize',
    modules: ['sequelize', 'sequelize-typescript'],
    verifiedWith: '6.37.8',
    ...traits,
    borrowedBy: 'transaction',
    ambience: 'cls',
    injection,
    remedies: { bulk: 'Insert all rows with `bulkCreate`', missing, reads },
    exports,
    types,
  },
  {
    name: '@sequelize/core',
    modules: ['@sequelize/core'],
    verifiedWith: '7.0.0-alpha.48',
    ...traits,
    ambience: 'default',
    remedies: { missing, reads },
    exports,
    types: {
      ...types,
      Sequelize: {
        ...types['Sequelize'],
        members: {
          ...types['Sequelize']?.members,
          transaction: managedTransaction,
          startUnmanagedTransaction: unmanagedTransaction,
        },
      },
    },
  },
];
