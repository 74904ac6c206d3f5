import { valueOf } from '../../src/analysis/provenance/value-of.ts';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseForESLint } from '@typescript-eslint/parser';
import { describe as described } from '../../src/analysis/provenance/describe.ts';
import { factsOf } from '../../src/analysis/facts.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import type { Types } from '../../src/analysis/file/source.ts';
import { typesFromServices } from '../../src/project/types.ts';

/** Packages as they lie in node_modules: only declarations, which is all that a checker reads. */
const PACKAGES = {
  'node_modules/@types/pg/index.d.ts': `
    export class Pool { connect(): Promise<PoolClient>; query(text: string): Promise<unknown> }
    export interface PoolClient { query(text: string): Promise<unknown>; release(): void }`,
  'node_modules/mysql2/promise.d.ts': `
    export interface Pool { getConnection(): Promise<PoolConnection> }
    export interface PoolConnection { release(): void }`,
  'node_modules/@prisma/client/index.d.ts': "export * from '.prisma/client'",
  'node_modules/.prisma/client/index.d.ts': `
    export class PrismaClient { user: UserDelegate }
    interface UserDelegate { findMany(): Promise<unknown[]> }`,
  'context.d.ts': `
    import type { Pool } from 'pg'
    import type { PrismaClient } from '@prisma/client'
    export interface Context { prisma: PrismaClient; pool: Pool; socket: { connect(): void } }
    export function contextOf<T>(request: T): Context & { request: T }
    export class TenantPool extends Pool { tenant: string }
    export const tenants: { named(name: string): TenantPool }
    export function anything(): any
    export function mysql(): Promise<import('mysql2/promise').Pool> | undefined`,
};

const PROGRAM = `
import { anything, contextOf, mysql, tenants } from 'context'

export async function run(request: object) {
  const ctx = contextOf(request)
  await ctx.prisma.user.findMany()
  const client = await ctx.pool.connect()
  client.release()
  await tenants.named('a').query('select 1')
  ctx.socket.connect()
  anything().query('select 1')
  const connection = await (await mysql())!.getConnection()
  connection.release()
}
`;

describe('types', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'deadtime-types-'));
    const files = {
      ...PACKAGES,
      'app.ts': PROGRAM,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'preserve',
          target: 'es2022',
          types: [],
          paths: { context: ['./context.d.ts'] },
        },
        files: ['app.ts'],
      }),
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  after(() => rmSync(root, { recursive: true }));

  /** What each receiver of a call is, with a record of the questions that were put to the checker. */
  function receivers(options: { isTyped: boolean }): {
    readonly values: Readonly<Record<string, string>>;
    readonly asked: readonly string[];
  } {
    const path = join(root, 'app.ts');
    const { ast, services } = parseForESLint(PROGRAM, {
      filePath: path,
      tsconfigRootDir: root,
      project: options.isTyped ? ['./tsconfig.json'] : false,
      range: true,
    });
    const types = typesFromServices(services);
    const asked: string[] = [];
    const recorded: Types | undefined = types && {
      typeOf(node) {
        asked.push(PROGRAM.slice(...rangeOf(node)));
        return types.typeOf(node);
      },
    };
    const file = factsOf({
      path,
      text: PROGRAM,
      ast,
      comments: [],
      types: recorded,
    });
    const values = file.nodes
      .all('CallExpression')
      .flatMap(({ callee }) =>
        callee.type === 'MemberExpression'
          ? [[file.textOf(callee), described(valueOf(file, callee.object))]]
          : [],
      );
    return { values: Object.fromEntries(values), asked };
  }

  it('turn what is unknown into what it is declared to be, where something modelled is called on it', () => {
    const { values, asked } = receivers({ isTyped: true });
    assert.deepEqual(values, {
      'ctx.prisma.user.findMany': '@prisma/client.ModelDelegate',
      'ctx.pool.connect': 'pg.Pool',
      'client.release': 'pg.PoolClient',
      "tenants.named('a').query": 'pg.Pool',
      'tenants.named': 'unknown',
      'ctx.socket.connect': 'unknown',
      'anything().query': 'unknown',
      '(await mysql())!.getConnection': 'mysql2/promise.Pool',
      'connection.release': 'mysql2/promise.PoolConnection',
    });
    assert.ok(!asked.includes('tenants'), 'nothing modelled is called on it');
  });

  it('are not needed', () => {
    const { values, asked } = receivers({ isTyped: false });
    assert.deepEqual(new Set(Object.values(values)), new Set(['unknown']));
    assert.deepEqual(asked, []);
  });
});
