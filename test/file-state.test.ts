import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FileState,
  folderAt,
  NO_STATE,
  type Signature,
  signatureOf,
  stateAt,
  StateTable,
  statAt,
} from '../src/project/file-state.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { trusting } from '../src/scan/configuration-program.ts';
import { folderWith } from './fakes/folder.ts';
import { looksAt } from './fakes/looks.ts';

const now = Date.now() + 60_000;

describe('states of files', () => {
  it('come back from a table as they were put there, also after JSON', () => {
    const states: [string, FileState][] = [
      ['/a.js', { signature: [7, 12, 1700000000000.25, 1700000000001.5], hash: 'a'.repeat(22) }],
      ['/lately.js', { signature: undefined, hash: 'b'.repeat(22) }],
      ['/lacking.js', NO_STATE],
      ['/before-1970.js', { signature: [9, 0, -1, -1], hash: 'c'.repeat(22) }],
    ];
    const { columns } = StateTable.of(states);
    const read = new StateTable(JSON.parse(JSON.stringify(columns)) as typeof columns);
    deepStrictEqual([...read], states);
  });

  it('are distinguished by each number of their signature', () => {
    const signature: Signature = [7, 12, 1700000000000.25, 1700000000001.5];
    const table = StateTable.of([
      ['/a.js', { signature, hash: 'a'.repeat(22) }],
      ['/lately.js', { signature: undefined, hash: 'b'.repeat(22) }],
    ]);
    strictEqual(table.isSigned(0, signature), true);
    for (const place of signature.keys()) {
      const other = signature.map((it, i) => (i === place ? it + 1 : it));
      strictEqual(table.isSigned(0, other as unknown as Signature), false);
    }
    strictEqual(table.isSigned(0, undefined), false);
    strictEqual(table.isSigned(1, signature), false);
  });

  it('are not read again while their signature is the same, and have none a moment after they were written', () => {
    const folder = folderWith({ 'a.js': 'one' });
    const path = join(folder.path, 'a.js');
    strictEqual(signatureOf(statAt(path), Date.now()), undefined);
    const state = stateAt(path, NO_STATE, now);
    strictEqual(stateAt(path, state, now), state);
    const { atime } = statSync(path);
    utimesSync(path, atime, new Date(0));
    const touched = stateAt(path, state, now);
    strictEqual(touched.hash, state.hash);
    deepStrictEqual([touched.signature?.[2], state.signature?.[2] === 0], [0, false]);
  });

  it('are others of a folder once an entry has come, and there is none where there is no folder', () => {
    const folder = folderWith({ 'a.js': 'one' });
    // The clock of a file system stands still for some milliseconds.
    utimesSync(folder.path, 0, 0);
    const before = folderAt(folder.path, NO_STATE, now);
    folder.write({ 'b.js': 'two' });
    const between = folderAt(folder.path, before, now);
    strictEqual(between.hash === before.hash, false);
    deepStrictEqual(folderAt(join(folder.path, 'c'), before, now), NO_STATE);
  });

  it('are not written again where nothing has changed, though a file was touched a moment ago', async () => {
    const folder = folderWith({
      '.git/HEAD': '',
      'package.json': '{ "name": "ferry" }',
      'src/a.ts': `import { b } from './b';\nexport const a = async () => { await b(); await b(); };\n`,
      'src/b.ts': `export const b = async () => 1;\n`,
    });
    const looks = looksAt(folder);
    await looks.next();
    const [name] = readdirSync(looks.kept).filter((it) => /^\w+\.json$/.test(it));
    const inode = () => statSync(join(looks.kept, name!)).ino;
    const isWrittenAt = (now: number) => {
      const before = inode();
      const memory = scanMemory({
        ...{ folder: looks.kept, version: '1', kind: [], now, run: trusting().run! },
      });
      const found = memory.search([folder.path], { cwd: folder.path });
      strictEqual(memory.recall(found)?.size, found.files.length);
      memory.keepAsIs();
      return inode() !== before;
    };
    let later = now;
    strictEqual(isWrittenAt(later), false);
    for (const path of ['src/b.ts', 'package.json']) {
      const touched = new Date((later += 10_000));
      utimesSync(join(folder.path, path), touched, touched);
      strictEqual(isWrittenAt(later), false, path);
      strictEqual(isWrittenAt((later += 10_000)), true, path);
      strictEqual(isWrittenAt((later += 10_000)), false, path);
    }
  });
});
