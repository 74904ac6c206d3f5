import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { statSync, utimesSync } from 'node:fs';
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
} from '../project/file-state.ts';
import { folderWith } from './fakes/folder.ts';

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

  it('are told from others by each number of their signature', () => {
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

  it('of a folder are others once an entry has come, and there are none where it has gone', () => {
    const folder = folderWith({ 'a.js': 'one' });
    const before = folderAt(folder.path, NO_STATE, now);
    folder.write({ 'b.js': 'two' });
    const between = folderAt(folder.path, before, now);
    strictEqual(between.hash === before.hash, false);
    deepStrictEqual(folderAt(join(folder.path, 'c'), before, now), NO_STATE);
  });
});
