import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { Slices } from '../../src/runtime/program/slices.ts';

describe('the slices of a run', () => {
  const slicesOf = (count: number) => {
    const slices = new Slices();
    for (let i = 0; i < count; i++) slices.add({ count: 1, totalMs: i, deadMs: i / 2 });
    return slices.plain();
  };

  it('are the entries where these are few', () => {
    deepStrictEqual(slicesOf(3), [
      { count: 1, totalMs: 0, deadMs: 0 },
      { count: 1, totalMs: 1, deadMs: 0.5 },
      { count: 1, totalMs: 2, deadMs: 1 },
    ]);
  });

  it('have consecutive entries where these are many, and none is lost', () => {
    for (const count of [21, 1_000, 12_345]) {
      const slices = slicesOf(count);
      ok(slices.length > 10 && slices.length <= 20, String(slices.length));
      strictEqual(sum(slices.map((it) => it.count)), count);
      strictEqual(sum(slices.map((it) => it.totalMs)), (count * (count - 1)) / 2);
      const means = slices.map((it) => it.totalMs / it.count);
      deepStrictEqual(
        means,
        means.toSorted((a, b) => a - b),
      );
      strictEqual(new Set(slices.slice(0, -1).map((it) => it.count)).size, 1);
    }
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}
