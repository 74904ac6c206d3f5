import { deepStrictEqual, ok, strictEqual, throws } from 'node:assert/strict';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { changeSetOf } from '../../src/scan/review/change-set.ts';
import { applied, placesBefore } from '../../src/scan/review/hunks.ts';
import { patchesIn, PatchError } from '../../src/scan/review/patch.ts';
import { newFindings, type IdentifiedProblem } from '../../src/scan/review/same-findings.ts';
import {
  type BaselineEntry,
  baselineIn,
  baselineName,
  comparedWith,
  freshAmong,
} from '../../src/scan/baseline.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { folderWith } from '../fakes/folder.ts';
import { callsIn } from '../fakes/work.ts';

const count = (length: number) => Array.from({ length }, (_, i) => i);

/** What would not end within a minute if its time grew squared is stopped. */
function inTime<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: 60_000 }) as T;
}

/** At most two and a half times as many calls for twice as much. */
function isLinear(work: (size: number) => void): void {
  work(10);
  const [small, large] = [500, 1_000].map((it) => callsIn(() => work(it)));
  ok(large! < 2.5 * small!, `${small} calls, then ${large}`);
}

const hunkAt = (line: number) => `@@ -${line} +${line} @@\n-a${line}\n+b${line}\n`;
const patchOf = (name: string, hunks: string) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${hunks}`;

describe('a patch of many changes', function () {
  this.timeout(120_000);

  it('is read in a time in proportion to their number', () => {
    const size = 300_000;
    const patch = patchOf(
      'a.js',
      count(size)
        .map((i) => hunkAt(i + 1))
        .join(''),
    );
    strictEqual(inTime(() => patchesIn(patch))[0]?.hunks.length, size);
  });

  it('is rejected where it has more files than a review covers', () => {
    const patch = (size: number) =>
      count(size)
        .map((i) => patchOf(`${i}.js`, hunkAt(1)))
        .join('');
    strictEqual(patchesIn(patch(20_000)).length, 20_000);
    throws(
      () => patchesIn(patch(20_001)),
      new PatchError('it changes over 20,000 files. Use the git diff of a part of them.'),
    );
  });

  it('is applied to the disk in a time in proportion to its files', () => {
    const { path } = folderWith({});
    isLinear((size) => {
      const patch = count(size)
        .map((i) => patchOf(`${i}.js`, hunkAt(1)))
        .join('');
      strictEqual(changeSetOf(patch, path).remarks.length, size);
    });
  });

  it('computes the places of former texts without reading them', () => {
    const hunks = count(20_000).map((i) => ({
      ...{ from: 2 * i + 1, removed: ['a\n'] },
      ...{ to: 2 * i + 1, added: ['b\n'] },
    }));
    const [before, after] = ['a\nc\n', 'b\nc\n'].map((it) => it.repeat(20_000));
    const placeBefore = placesBefore(before!, after!, hunks);
    const calls = callsIn(() => deepStrictEqual([placeBefore(2), placeBefore(0)], [2, undefined]));
    ok(calls < 200, `${calls}`);
  });

  it('does not fit a text where its lines go back', () => {
    const hunk = (line: number) => ({ from: line, removed: [], to: line, added: ['a\n'] });
    const text = 'b\n'.repeat(1_000);
    strictEqual(applied(text, [hunk(900), hunk(1)]), undefined);
    strictEqual(applied('b\n', [hunk(1), hunk(2)]), 'a\nb\na\n');
  });
});

describe('many findings', function () {
  this.timeout(120_000);

  const finding = (i: number): IdentifiedProblem => ({
    ...{ fingerprint: `f${i}`, path: '/a.js', offset: i },
    reasons: { kind: 'no-wait waits', evidence: '{}', places: [] },
    problem: {} as Problem,
  });

  it('are compared with those before a change, each with few', () => {
    isLinear((size) => {
      const all = count(size).map(finding);
      strictEqual(newFindings(all, all.toReversed()).length, 0);
      const moved = all.map((it) => ({ ...it, offset: it.offset! + size }));
      strictEqual(newFindings(moved, all.toReversed()).length, 0);
      const copies = all.map((it) => ({ ...it, fingerprint: 'same', offset: undefined }));
      strictEqual(newFindings([...copies, ...copies], copies).length, size);
    });
  });

  it('rest on many places, each compared once', () => {
    const places = count(400_000).map(String);
    const one = { ...finding(1), reasons: { ...finding(1).reasons, places } };
    const other = { ...one, reasons: { ...one.reasons, places: places.toReversed() } };
    strictEqual(inTime(() => newFindings([one], [other])).length, 0);
  });

  const root = '/nowhere';
  const entry = (i: number, file = `${i}.js`): BaselineEntry => ({
    ...{ fingerprint: `f${i}`, rule: 'no-wait', file },
    ...{ reason: '', date: '2026-11-28' },
  });
  const problem = (i: number, file = `${i}.js`) =>
    ({ fingerprint: `f${i}`, path: join(root, file) }) as Problem;

  it('are looked up in a baseline, each with few', () => {
    isLinear((size) => {
      const where = { root, scanned: new Set<string>() };
      const entries = count(size).map((i) => entry(i));
      const inPlace = count(size).map((i) => problem(i));
      const { fresh, kept, gone } = comparedWith(entries, inPlace.toReversed(), where);
      deepStrictEqual([fresh.length, kept.length, gone.length], [0, size, 0]);
      strictEqual(comparedWith(entries, [], where).gone.length, size);
      const moved = count(size).map((i) => problem(i, 'other.js'));
      strictEqual(freshAmong(entries, moved.toReversed(), where).length, 0);
    });
  });

  it('are one for each entry of the same code, wherever that is', () => {
    isLinear((size) => {
      const { path } = folderWith({ 'there.js': '' });
      const where = { root: path, scanned: new Set<string>() };
      const entries = [
        ...count(size).map(() => entry(1, 'there.js')),
        ...count(size).map(() => entry(1, 'gone.js')),
      ];
      const copies = count(2 * size).map(() => ({ ...problem(1), path: join(path, 'new.js') }));
      strictEqual(freshAmong(entries, copies, where).length, size);
    });
  });

  it('are a baseline that is refused where it is longer than any', () => {
    const { path } = folderWith({ [baselineName]: Buffer.alloc(20_000_001, ' ') });
    const at = join(path, baselineName);
    throws(() => baselineIn(path), {
      message: `The baseline cannot be read: ${at} is larger than 20 MB. Make it readable, or remove it and run deadtime baseline.`,
    });
  });
});
