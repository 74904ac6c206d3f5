import { join } from 'node:path';
import { scratchFolder } from '../system/own-files.ts';
import { MissingComponent } from './case.ts';

/** What the cases use of `node:sqlite`, whose declarations Node 20 lacks. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: readonly (string | number)[]): unknown };
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/** A database in a file of its own, on a disk where there is one, as SQLite is configured by default. */
export function openSqlite(): { readonly database: SqliteDatabase; close(): void } {
  const { DatabaseSync } = sqliteModule();
  const folder = scratchFolder();
  const database = new DatabaseSync(join(folder.path, 'proof.db'));
  return {
    database,
    close() {
      database.close();
      folder.remove();
    },
  };
}

function sqliteModule(): SqliteModule {
  // Without the warning about its experimental state: a failed run would print nothing else.
  const found = process.getBuiltinModule('node:sqlite') as unknown as SqliteModule | undefined;
  if (found) return found;
  throw new MissingComponent([
    {
      what: 'node:sqlite, part of Node.js since 22.13',
      command: 'npx -p node@22 -p deadtime deadtime prove no-autocommit-in-loop',
    },
  ]);
}
