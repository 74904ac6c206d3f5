import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

/** `Person.query(trx)`: what is given is the transaction, whatever is known of it. */
const given = { query: 'handle', $query: 'handle', transacting: 'handle' } as const;
const run: Effect = { env: 'db', op: 'builder', options: given };
const sync: Effect = { env: 'db', op: 'sync' };

/** Steps that leave the statement what it is: a read unless a step below has made it something else. */
const NEUTRAL =
  'select column columns distinct distinctOn from as alias aliasFor tableRefFor ' +
  'findById findByIds findOne first where andWhere orWhere whereNot andWhereNot orWhereNot whereRaw andWhereRaw orWhereRaw ' +
  'whereExists orWhereExists whereNotExists orWhereNotExists whereIn orWhereIn whereNotIn orWhereNotIn ' +
  'whereNull orWhereNull whereNotNull orWhereNotNull whereBetween andWhereBetween orWhereBetween whereNotBetween ' +
  'whereLike whereILike whereColumn andWhereColumn orWhereColumn whereComposite whereInComposite whereNotInComposite ' +
  'groupBy groupByRaw orderBy orderByRaw having havingIn havingRaw havingNull havingNotNull offset limit page range ' +
  'count countDistinct min max sum sumDistinct avg avgDistinct returning union unionAll ' +
  'join joinRaw innerJoin leftJoin leftOuterJoin rightJoin outerJoin fullOuterJoin crossJoin joinRelated innerJoinRelated ' +
  'leftJoinRelated leftOuterJoinRelated rightJoinRelated outerJoinRelated fullOuterJoinRelated ' +
  'withGraphFetched withGraphJoined modifyGraph allowGraph modifiers skipUndefined ' +
  'clearSelect clearWhere clearOrder clearWithGraph clone timeout debug';
const WRITES =
  'insert insertAndFetch insertGraph insertGraphAndFetch upsertGraph upsertGraphAndFetch update updateAndFetch ' +
  'updateAndFetchById patch patchAndFetch patchAndFetchById delete del deleteById increment decrement truncate ' +
  'relate unrelate';

const transaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 'last', params: ['knex.Transaction'], scope: 'transaction' },
};

/** Objection 2 and 3, on knex. Hooks of a model (`$beforeInsert`) may have more effects than the methods. */
export const objection: Library = {
  name: 'objection',
  modules: ['objection'],
  verifiedWith: '3.1.5',
  exports: {
    Model: { type: 'ModelStatic', construct: { returns: 'Model' } },
    transaction,
  },
  types: {
    ModelStatic: {
      role: 'orm',
      concurrency: 'pooled',
      construct: { returns: 'Model' },
      members: {
        query: { returns: 'QueryBuilder', step: { op: 'read', handle: 0 } },
        // The name of the relation comes first.
        relatedQuery: {
          returns: 'QueryBuilder',
          step: { op: 'read', handle: 1, optionsAt: 1 },
        },
        bindTransaction: { returns: 'ModelStatic', step: { handle: 0 } },
        transaction,
        startTransaction: {
          returns: 'Promise<knex.Transaction>',
          acquires: 'transaction',
          effect: sync,
        },
        knex: { returns: 'knex.Knex' },
        fetchGraph: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
        ...each('fromJson fromDatabaseJson', { returns: 'Model' }),
      },
    },
    QueryBuilder: {
      role: 'builder',
      awaited: { returns: 'any', effect: run },
      members: {
        ...each(NEUTRAL, { returns: 'this' }),
        modify: { returns: 'this', step: { lends: true } },
        ...each(WRITES, { returns: 'this', step: { op: 'write' } }),
        ...each('forUpdate forShare forNoKeyUpdate forKeyShare', {
          returns: 'this',
          step: { op: 'sync' },
        }),
        // What follows is not to run without the row.
        throwIfNotFound: { returns: 'this', step: { op: 'sync' } },
        transacting: { returns: 'this', step: { handle: 0 } },
        resultSize: { returns: 'Promise<any>', effect: run },
        execute: { returns: 'Promise<any>', effect: run },
        ...each('then catch finally', { returns: 'Promise<any>', effect: run }),
      },
    },
    Model: {
      members: {
        $query: { returns: 'QueryBuilder', step: { op: 'read', handle: 0 } },
        $relatedQuery: {
          returns: 'QueryBuilder',
          step: { op: 'read', handle: 1, optionsAt: 1 },
        },
        $fetchGraph: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
        ...each('$set $setJson $clone $toJson toJSON $id', {}),
      },
    },
  },
};
