import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { folderWith } from './folder.ts';

/** Packages as they lie in node_modules: only declarations, which is all that a checker reads. */
const PACKAGES = {
  'node_modules/@types/pg/index.d.ts': `
    export class Pool { connect(): Promise<PoolClient>; query(text: string): Promise<{ rows: unknown[] }> }
    export interface PoolClient { query(text: string): Promise<{ rows: unknown[] }>; release(): void }`,
  'node_modules/mysql2/promise.d.ts': `
    export interface Pool { getConnection(): Promise<PoolConnection> }
    export interface PoolConnection { release(): void }`,
  'node_modules/tenants/index.d.ts': `
    import type { Pool } from 'pg'
    export class TenantPool extends Pool { tenant: string }
    export const tenants: { named(name: string): TenantPool; all: Promise<Pool>[] }
    export function contextOf<T>(request: T): { pool: Pool } & { request: T }
    export function anything(): any
    export function mysql(): Promise<import('mysql2/promise').Pool> | undefined`,
};

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, module: 'preserve', target: 'es2022', skipLibCheck: true, types: [] },
  },
  include: ['src'],
});

export const typescripts = {
  'TypeScript 6': 'typescript',
  'TypeScript 7.0': 'typescript7',
  'TypeScript 7.1': 'typescript7-beta',
} as const;

/** A folder with declarations of two drivers, and the TypeScript of that name in this repository. */
export function typedProject(
  files: Readonly<Record<string, string>>,
  typescript: 'none' | (typeof typescripts)[keyof typeof typescripts] = typescripts[
    'TypeScript 7.0'
  ],
) {
  const folder = folderWith({
    ...PACKAGES,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': TSCONFIG,
    ...files,
  });
  if (typescript !== 'none') {
    const link = join(folder.path, 'node_modules', 'typescript');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', typescript), link, 'dir');
  }
  return folder;
}

/** A connection of a context whose type alone says that it is one; the early return loses it. */
export const ordersOfContext = `import { contextOf } from 'tenants';

export async function ordersOf(request: object) {
  const client = await contextOf(request).pool.connect();
  const orders = await client.query('select * from orders');
  if (orders.rows.length === 0) return [];
  client.release();
  return orders.rows;
}
`;
