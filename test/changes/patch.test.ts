import { deepStrictEqual, throws } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { applied, placesBefore, reverted } from '../../src/scan/review/hunks.ts';
import { patchesIn } from '../../src/scan/review/patch.ts';
import { folderWith } from '../fakes/folder.ts';

const lines = (...them: readonly string[]) => them.map((it) => `${it}\n`).join('');

describe('patches', () => {
  it('contain for every file its names and the changed lines, without unchanged ones', () => {
    const patch = lines(
      ...['diff --git a/src/a.ts b/src/a.ts', 'index 83db48f..bf269f4 100644'],
      ...['--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,4 +1,4 @@ function f() {'],
      ...[' one', '-two', '+2', '+2b', ' three', '-four', '@@ -9 +9,0 @@', '-nine'],
    );
    deepStrictEqual(patchesIn(patch), [
      {
        ...{ from: 'src/a.ts', to: 'src/a.ts' },
        hunks: [
          { from: 2, removed: ['two\n'], to: 2, added: ['2\n', '2b\n'] },
          { from: 4, removed: ['four\n'], to: 5, added: [] },
          { from: 9, removed: ['nine\n'], to: 10, added: [] },
        ],
      },
    ]);
  });

  it('list added, removed, renamed and copied files', () => {
    const patch = lines(
      ...['diff --git a/new.ts b/new.ts', 'new file mode 100644'],
      ...['--- /dev/null', '+++ b/new.ts', '@@ -0,0 +1 @@', '+a'],
      ...['diff --git a/old.ts b/old.ts', 'deleted file mode 100644'],
      ...['--- a/old.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'],
      ...[
        'diff --git a/a.ts b/b.ts',
        'similarity index 100%',
        'rename from a.ts',
        'rename to b.ts',
      ],
      ...['diff --git a/a.ts b/c.ts', 'similarity index 90%', 'copy from a.ts', 'copy to c.ts'],
      ...['--- a/a.ts', '+++ b/c.ts', '@@ -1 +1 @@', '-a', '+c'],
    );
    deepStrictEqual(
      patchesIn(patch).map(({ from, to, hunks }) => [from, to, hunks.length]),
      [
        [undefined, 'new.ts', 1],
        ['old.ts', undefined, 1],
        ['a.ts', 'b.ts', 0],
        [undefined, 'c.ts', 1],
      ],
    );
  });

  it('read names with spaces, quotes, dates and other alphabets', () => {
    const patch = lines(
      ...['diff --git "a/a \\"b\\"\\\\.ts" "b/a \\"b\\"\\\\.ts"'],
      ...['--- "a/a \\"b\\"\\\\.ts"', '+++ "b/a \\"b\\"\\\\.ts"', '@@ -1 +1 @@', '-a', '+b'],
      ...['--- a/x b/y.ts\t', '+++ b/x b/y.ts\t', '@@ -1 +1 @@', '-a', '+b'],
      ...['--- src/z.ts\t2026-11-21 10:00:00 +0100', '+++ src/z.ts\t2026-11-21 10:01:00 +0100'],
      ...['@@ -1 +1 @@', '-a', '+b'],
      ...['diff --git "a/\\303\\244.ts" "b/\\303\\244\\t.ts"'],
      ...['rename from "\\303\\244.ts"', 'rename to "\\303\\244\\t.ts"'],
    );
    deepStrictEqual(
      patchesIn(patch).map(({ from, to }) => [from, to]),
      [
        ['a "b"\\.ts', 'a "b"\\.ts'],
        ['x b/y.ts', 'x b/y.ts'],
        ['src/z.ts', 'src/z.ts'],
        ['ä.ts', 'ä\t.ts'],
      ],
    );
  });

  it('keep line ends, and mark where there is none', () => {
    const patch = lines(
      ...['--- a/a.ts', '+++ b/a.ts', '@@ -1,2 +1,2 @@', ' one\r', '-two\r'],
      ...['\\ Kein Zeilenumbruch am Dateiende.', '+2', '\\ No newline at end of file'],
    );
    deepStrictEqual(patchesIn(patch)[0]!.hunks, [
      { from: 2, removed: ['two'], to: 2, added: ['2'] },
    ]);
  });

  it('leave mails, binary files, modes and what looks like a header alone', () => {
    const patch = lines(
      ...['From 1234 Mon Sep 17 00:00:00 2001', 'Subject: [PATCH] work', '---', ' a.sql | 2 +-'],
      ...['diff --git a/a.png b/a.png', 'Binary files a/a.png and b/a.png differ'],
      ...['diff --git a/run.ts b/run.ts', 'old mode 100644', 'new mode 100755'],
      ...['diff --git a/a.sql b/a.sql', '--- a/a.sql', '+++ b/a.sql', '@@ -1,2 +1,2 @@'],
      ...['--- a comment', '-+++ another', '+-- a', '+++ b', '-- ', '2.39.2'],
    );
    deepStrictEqual(patchesIn(patch), [
      {
        ...{ from: 'a.sql', to: 'a.sql' },
        hunks: [
          {
            ...{ from: 1, removed: ['-- a comment\n', '+++ another\n'] },
            ...{ to: 1, added: ['-- a\n', '++ b\n'] },
          },
        ],
      },
    ]);
  });

  it('have an error message where they cannot be read', () => {
    throws(() => patchesIn(lines('@@@ -1,1 -1,1 +1,1 @@@')), /combined diff of a merge/);
    throws(
      () => patchesIn(lines('--- a/a.ts', '+++ b/a.ts', '@@ -1,9 +1,9 @@', ' a')),
      /ends in the middle/,
    );
    deepStrictEqual(patchesIn('no patch at all'), []);
  });
});

describe('hunks', () => {
  it('lead from each text to the other and from each line that stays to itself, as git writes them', () => {
    const random = generator(7);
    const text = () => {
      const count = random(12);
      const end = random(3) === 0 ? '\r\n' : '\n';
      const rows = Array.from({ length: count }, () => `row ${random(6)}${'x'.repeat(random(2))}`);
      return rows.join(end) + (random(2) === 0 && count > 0 ? end : '');
    };
    for (let round = 0; round < 40; round++) {
      const [before, after] = [text(), text()];
      const { path } = folderWith({ 'a.ts': before, 'b.ts': after });
      const args = ['diff', '--no-index', `--unified=${random(4)}`];
      const { stdout } = spawnSync('git', [...args, join(path, 'a.ts'), join(path, 'b.ts')]);
      const hunks = patchesIn(stdout.toString())[0]?.hunks ?? [];
      deepStrictEqual([applied(before, hunks), reverted(after, hunks)], [after, before]);
      const placeOf = placesBefore(before, after, hunks);
      for (const { index } of after.matchAll(/row/g)) {
        const place = placeOf(index);
        const same = /.*/.exec(after.slice(index))![0];
        if (place !== undefined) deepStrictEqual(/.*/.exec(before.slice(place))![0], same);
      }
    }
  });

  it('fit no other text', () => {
    const hunks = [{ from: 2, removed: ['b\n'], to: 2, added: ['c\n'] }];
    deepStrictEqual(applied('a\nc\n', hunks), undefined);
    deepStrictEqual(applied('a\n', hunks), undefined);
    deepStrictEqual(applied('\uFEFFa\r\nb\r\n', hunks), '\uFEFFa\r\nc\n');
  });
});

/** Whole numbers below a limit, the same in every run. */
function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}
