import { strictEqual } from 'node:assert/strict';
import { equal } from '../../src/engine/cutoff.ts';

describe('two answers', () => {
  const node = { type: 'Identifier', name: 'rows' };
  const cases: readonly [what: string, a: unknown, b: unknown, isSame: boolean][] = [
    ['are the same with equal lists', [1, ['a'], node], [1, ['a'], node], true],
    ['differ in an element', ['a', 'b'], ['a', 'c'], false],
    ['differ in how many there are', ['a'], ['a', 'b'], false],
    ['are the same with equal sets', new Set([node]), new Set([node]), true],
    ['are the same with equal maps', new Map([['a', [node]]]), new Map([['a', [node]]]), true],
    ['differ in what a map holds', new Map([['a', 1]]), new Map([['a', 2]]), false],
    ['are the same with equal objects', { kind: 'text', of: [1] }, { kind: 'text', of: [1] }, true],
    ['differ in a property', { kind: 'text' }, { kind: 'text', of: 1 }, false],
    ['differ in kind', [], {}, false],
    ['differ in nodes that only look alike', node, { ...node }, false],
    ['differ in what is nothing', undefined, null, false],
    ['differ where something is computed', computed(), computed(), false],
    ['differ where they hold themselves', ring(), ring(), false],
    ['differ where there is too much to compare', long(), long(), false],
  ];
  for (const [what, a, b, expected] of cases) it(what, () => strictEqual(equal(a, b), expected));
});

function computed(): object {
  return {
    get value() {
      return 1;
    },
  };
}

function ring(): object {
  const it: { next?: object } = {};
  it.next = it;
  return it;
}

function long(): readonly (readonly number[])[] {
  return Array.from({ length: 20_000 }, (_, i) => [i]);
}
