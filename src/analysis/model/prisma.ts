import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const read: Effect = { env: 'db', op: 'read' };
/** `findUnique` of one tick is one query (its data loader). */
const batched: Effect = { ...read, isBatched: true };
const write: Effect = { env: 'db', op: 'write' };

const rawMembers: Readonly<Record<string, Member>> = {
  ...each('$queryRaw $queryRawUnsafe $executeRaw $executeRawUnsafe', {
    returns: 'Promise<any>',
    effect: { env: 'db', op: 'sql' },
  }),
  // Typed SQL stands in files of its own, which are not read.
  $queryRawTyped: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
  $runCommandRaw: { returns: 'Promise<any>', effect: write },
};

/** Prisma 5 to 7. The delegates (`prisma.user`) are generated from the schema: any property is one. */
export const prisma: Library = {
  name: '@prisma/client',
  modules: ['@prisma/client', '@prisma/client/edge', '@prisma/client/index', '.prisma/client'],
  modulePattern:
    '(?:[^\'"`\\s]+/)?(?:\\.prisma/client|generated/(?:[\\w-]*prisma[\\w-]*|client))' +
    '(?:/client|/index|/edge|/default)?(?:\\.[cm]?[jt]s)?',
  verifiedWith: '7.10.0',
  generates: ['PrismaClient', 'Prisma'],
  nestsRelated: true,
  hasSchemaFile: true,
  remedies: {
    bulk: 'Insert all rows with `createMany`',
    returning:
      'Insert all rows with `createManyAndReturn` where the database supports it (`createMany` returns only their number)',
    related: 'Send all of them with one `$transaction([…])`',
    reads: 'one `findMany` (`where: { id: { in: ids } }`) or `include`',
  },
  exports: {
    PrismaClient: { construct: { returns: 'PrismaClient' } },
    Prisma: {},
  },
  types: {
    PrismaClient: {
      role: 'orm',
      isWhole: true,
      concurrency: 'pooled',
      // The pool is the driver adapter's: with @prisma/adapter-pg it is pg's, which waits for ever. The engine of up to 6 sizes its
      // own by the machine's cores and the address.
      pool: { isPerCall: true, checkoutRoundTrips: 0 },
      members: {
        ...rawMembers,
        $transaction: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 0, params: ['TransactionClient'], scope: 'transaction' },
        },
        $extends: { returns: 'this' },
        // Of the official read-replica extension.
        $replica: { returns: 'PrismaClient' },
        $primary: { returns: 'PrismaClient' },
        $on: { returns: 'this' },
        $connect: { returns: 'Promise<void>', effect: { env: 'db', op: 'sync' } },
        $disconnect: { returns: 'Promise<void>', effect: { env: 'db', op: 'sync' } },
      },
      anyMember: { type: 'ModelDelegate' },
    },
    TransactionClient: {
      role: 'transaction',
      concurrency: 'serial',
      admitsPool: true,
      members: rawMembers,
      anyMember: { type: 'ModelDelegate' },
    },
    ModelDelegate: {
      members: {
        findUnique: { returns: 'Promise<any>', effect: batched },
        ...each('findFirst findMany count aggregate groupBy findRaw aggregateRaw', {
          returns: 'Promise<any>',
          effect: read,
        }),
        findUniqueOrThrow: { returns: 'Promise<any>', effect: { ...batched, mayVeto: true } },
        findFirstOrThrow: { returns: 'Promise<any>', effect: { ...read, mayVeto: true } },
        ...each(
          'create createMany createManyAndReturn update updateMany updateManyAndReturn upsert delete deleteMany',
          { returns: 'Promise<any>', effect: write },
        ),
      },
    },
  },
};
