import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isRepeating,
  libraryNamed,
  libraryNames,
  libraryOf,
  typeOf,
} from '../src/analysis/model/index.ts';
import { repeatingNames } from '../src/analysis/model/names.ts';
import type { Library, Member } from '../src/analysis/model/schema.ts';
import { problemsOf } from '../tools/check-model/declarations.ts';
import { itInFull } from './lanes.ts';

/** The drivers, by the specifiers whose declarations are compared with the model; by the name of the library. */
const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  pg: ['pg'],
  'pg-promise': ['pg-promise'],
  postgres: ['postgres'],
  mysql: ['mysql'],
  mysql2: ['mysql2'],
  'mysql2/promise': ['mysql2/promise'],
  mariadb: ['mariadb'],
  'mariadb/callback': ['mariadb/callback'],
  mssql: ['mssql'],
  oracledb: ['oracledb'],
  'better-sqlite3': ['better-sqlite3'],
  sqlite3: ['sqlite3'],
  redis: ['redis'],
  ioredis: ['ioredis'],
  mongodb: ['mongodb'],
  amqplib: ['amqplib'],
  '@supabase/supabase-js': ['@supabase/supabase-js'],
  '@neondatabase/serverless': ['@neondatabase/serverless'],
  '@upstash/redis': ['@upstash/redis'],
  'generic-pool': ['generic-pool'],
  tarn: ['tarn'],
  typeorm: ['typeorm'],
  knex: ['knex'],
  sequelize: ['sequelize'],
  kysely: ['kysely'],
  'drizzle-orm/pg': [
    ...['neon-serverless', 'vercel-postgres', 'pglite'],
    'pg-core',
    'pg-core/query-builders/query',
  ].map((it) => `drizzle-orm/${it}`),
  'drizzle-orm/neon-http': [
    ...['neon-http', 'xata-http', 'pg-proxy'],
    'pg-core',
    'pg-core/query-builders/query',
  ].map((it) => `drizzle-orm/${it}`),
  'drizzle-orm/node-postgres': ['node-postgres', 'pg-core', 'pg-core/query-builders/query'].map(
    (it) => `drizzle-orm/${it}`,
  ),
  'drizzle-orm/postgres-js': ['postgres-js', 'pg-core', 'pg-core/query-builders/query'].map(
    (it) => `drizzle-orm/${it}`,
  ),
  'drizzle-orm/mysql': [
    'mysql2',
    'planetscale-serverless',
    'mysql-core',
    'mysql-core/query-builders/query',
  ].map((it) => `drizzle-orm/${it}`),
  'drizzle-orm/sqlite': [
    'libsql',
    'd1',
    'sqlite-proxy',
    'sqlite-core',
    'sqlite-core/query-builders/query',
  ].map((it) => `drizzle-orm/${it}`),
  'drizzle-orm/sqlite-sync': [
    'better-sqlite3',
    'bun-sqlite',
    'sqlite-core/query-builders/query',
  ].map((it) => `drizzle-orm/${it}`),
};

/** Its native build is not wanted here: the declarations are a package of their own, of another version. */
const WITHOUT_DRIVER = new Set(['better-sqlite3']);

describe('the library model', () => {
  itInFull('agrees with the declarations of the drivers', () => {
    assert.deepStrictEqual(problemsOf(DRIVERS), []);
    // Seven seconds on an idle machine: the declarations of all drivers are one large program.
  }).timeout(90_000);

  for (const name of [...Object.keys(DRIVERS), '@prisma/client']) {
    if (WITHOUT_DRIVER.has(name)) continue;
    it(`was verified with the installed version of ${name}`, () => {
      const parts = name.split('/');
      const manifest = parts.slice(0, name.startsWith('@') ? 2 : 1);
      const path = join('node_modules', ...manifest, 'package.json');
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      assert.strictEqual(libraryNamed(name)?.verifiedWith, version);
    });
  }

  it('has each library that a file of its folder describes', async () => {
    const folder = 'src/analysis/model';
    const files = readdirSync(folder).filter((it) => it.endsWith('.ts'));
    const modules = await Promise.all(files.map((it) => import(`../${folder}/${it}`)));
    const described = modules
      .flatMap((it) => Object.values(it as Record<string, unknown>).flat())
      .filter((it) => typeof it === 'object' && it !== null && 'verifiedWith' in it)
      .map((it) => (it as Library).name);
    assert.deepStrictEqual(
      described.filter((it) => !libraryNamed(it)),
      [],
    );
  });

  it('reaches a library by its specifiers, node: or not', () => {
    const names = ['pg', 'node:fs', 'fs', 'mysql2/promise', 'drizzle-orm/mysql2', 'left-pad'].map(
      (it) => libraryOf(it)?.name,
    );
    assert.deepStrictEqual(names, [
      'pg',
      'fs',
      'fs',
      'mysql2/promise',
      'drizzle-orm/mysql',
      undefined,
    ]);
  });

  it('distinguishes node:sqlite from the package sqlite', () => {
    assert.strictEqual(libraryOf('node:sqlite')?.name, 'node:sqlite');
    assert.strictEqual(libraryOf('sqlite')?.name, 'sqlite');
  });

  it('reaches a generated Prisma client where it is usually put', () => {
    for (const specifier of [
      '../generated/prisma/client.js',
      '@/generated/prisma',
      '../../node_modules/.prisma/client',
    ]) {
      assert.strictEqual(libraryOf(specifier)?.name, '@prisma/client', specifier);
    }
    assert.strictEqual(libraryOf('./prisma'), undefined);
  });

  it('names all that is given a function to call for each of several things', () => {
    const isGiven = (it: Member) =>
      [it, it.construct, it.withCallback].some((signature) => isRepeating(signature?.callback));
    const nameless = libraryNames.flatMap((name) => {
      const { exportPatterns = [], types } = libraryNamed(name)!;
      const members = Object.values(types).flatMap(({ memberPatterns = [], anyMember }) => [
        ...memberPatterns.map(([, it]) => it),
        ...(anyMember ? [anyMember] : []),
      ]);
      return [...exportPatterns.map(([, it]) => it), ...members].filter(isGiven);
    });
    assert.deepEqual(nameless, []);
    for (const name of ['eachSeries', 'consume', 'Worker']) assert.ok(repeatingNames.has(name));
    assert.ok(!repeatingNames.has('release'));
  });

  it('folds what a type extends into the type', () => {
    const library = libraryNamed('typeorm');
    const manager = library && typeOf(library, 'TransactionManager');
    assert.strictEqual(manager?.role, 'transaction');
    assert.ok(manager.members?.['findOneBy']?.effect);
  });
});
