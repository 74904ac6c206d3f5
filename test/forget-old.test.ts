import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { keep, kept } from '../cli/kept.ts';
import { forgetOld } from '../scan/cache/forget-old.ts';
import { folderWith } from './fakes/folder.ts';

const HOUR_MS = 60 * 60 * 1_000;

describe('files that are kept', () => {
  it('go once they are a week old, though an old folder lies before them', () => {
    const { path } = folderWith({ b: '', c: '', new: '' });
    mkdirSync(join(path, 'a'));
    for (const it of ['a', 'b', 'c']) utimesSync(join(path, it), 0, 0);
    forgetOld(path, (name) => name !== 'c');
    deepStrictEqual(readdirSync(path).sort(), ['a', 'c', 'new']);
    forgetOld(join(path, 'none'));
  });

  it('stay while they are used, and are marked at most once a day', () => {
    const { path } = folderWith({});
    const [used, unused] = [join(path, 'used'), join(path, 'unused')];
    for (const it of [used, unused]) keep(it, Buffer.from('data'));
    const start = statSync(used).mtimeMs;
    const marks = new Set<number>();
    for (let hour = 0; hour <= 500; hour += 10) {
      const now = start + hour * HOUR_MS;
      forgetOld(path, () => true, now);
      strictEqual(kept(used, now)?.toString(), 'data');
      marks.add(statSync(used).mtimeMs);
    }
    deepStrictEqual(readdirSync(path), ['used']);
    // When it was written, and at the first use after each day: every 30 hours.
    strictEqual(marks.size, 1 + Math.floor(500 / 30));
    forgetOld(path, () => true, Math.max(...marks) + 8 * 24 * HOUR_MS);
    deepStrictEqual(readdirSync(path), []);
  });

  it('are not marked where they are damaged', () => {
    const { path } = folderWith({ damaged: 'x'.repeat(40) });
    const file = join(path, 'damaged');
    chmodSync(file, 0o600);
    utimesSync(file, 1, 1);
    strictEqual(kept(file), undefined);
    strictEqual(statSync(file).mtimeMs, 1_000);
  });
});
