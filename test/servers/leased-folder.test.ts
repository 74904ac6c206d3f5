import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { deleteOldFolders, leaseFolder } from '../../src/system/leased-folder.ts';
import { temporaryProject, type TemporaryProject } from '../projects.ts';

/** Above every limit that Linux has for process ids. */
const NOBODYS_PID = 99_999_999;

const day = 24 * 3_600_000;

describe('data directories', () => {
  let scratch: TemporaryProject;
  beforeEach(() => {
    scratch = temporaryProject(new Map());
  });
  afterEach(() => scratch.remove());

  it('are used again, the latest first', () => {
    const first = leaseFolder(scratch.root, 'postgres-18');
    strictEqual(first.isNew, true);
    writeFileSync(join(first.path, 'mark'), 'first');
    first.giveBack({ isReusable: true });
    made('postgres-18.ready-0', { daysAgo: 1 });
    const second = leaseFolder(scratch.root, 'postgres-18');
    deepStrictEqual([second.isNew, existsSync(join(second.path, 'mark'))], [false, true]);
  });

  it('are of one kind', () => {
    made('postgres-17.ready-0', { daysAgo: 0 });
    strictEqual(leaseFolder(scratch.root, 'postgres-18').isNew, true);
  });

  it('are deleted when they are broken', () => {
    leaseFolder(scratch.root, 'postgres-18').giveBack({ isReusable: false });
    deepStrictEqual(folders(), []);
  });

  it('are deleted when their process is gone, they are old, or there are many; others are kept', () => {
    const host = hostname();
    const kept = [
      made('libraries-0', { daysAgo: 99 }),
      made('postgres-17.ready-1', { daysAgo: 6 }),
      made('postgres-18.ready-1', { daysAgo: 0 }),
      made('postgres-18.ready-2', { daysAgo: 1 }),
      made(`postgres-18.used-by-${process.pid}-on-${host}`, { daysAgo: 0 }),
      made(`postgres-18.used-by-${NOBODYS_PID}-on-elsewhere`, { daysAgo: 0 }),
    ];
    made('postgres-16.ready-1', { daysAgo: 8 });
    made('postgres-18.ready-3', { daysAgo: 2 });
    made(`mariadb-10.used-by-${NOBODYS_PID}-on-${host}`, { daysAgo: 0 });
    made(`postgres-18.used-by-${NOBODYS_PID}-on-far`, { daysAgo: 2 });
    deleteOldFolders(scratch.root, 'postgres-18');
    deepStrictEqual(folders(), kept.map((it) => basename(it)).sort());
  });

  function folders(): readonly string[] {
    const entries = readdirSync(scratch.root, { withFileTypes: true });
    return entries.flatMap((it) => (it.isDirectory() ? [it.name] : [])).sort();
  }

  function made(name: string, { daysAgo }: { readonly daysAgo: number }): string {
    const path = join(scratch.root, name);
    mkdirSync(path);
    const time = new Date(Date.now() - daysAgo * day);
    utimesSync(path, time, time);
    return path;
  }
});
