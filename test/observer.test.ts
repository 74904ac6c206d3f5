import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { StateTable } from '../src/project/file-state.ts';
import { merged, type Surroundings } from '../src/project/observer.ts';

const HASHES = { old: 'o'.repeat(22), new: 'n'.repeat(22) };

function seen(
  lists: Readonly<Record<string, keyof typeof HASHES>>,
  more: Partial<Surroundings> = {},
): Surroundings {
  const states = Object.entries(lists).map(
    ([path, hash]) => [path, { signature: undefined, hash: HASHES[hash] }] as const,
  );
  return {
    lists: StateTable.of(states),
    documents: StateTable.of([]),
    presence: new Map(),
    links: new Map(),
    programs: new Map(),
    ...more,
  };
}

describe('two reads of the disk', () => {
  it('is all that either has seen', () => {
    const both = merged(seen({ '/a': 'old', '/b': 'old' }), seen({ '/b': 'old', '/c': 'new' }))!;
    deepStrictEqual(Array.from(both.lists, ([path, { hash }]) => [path, hash]).sort(), [
      ['/a', HASHES.old],
      ['/b', HASHES.old],
      ['/c', HASHES.new],
    ]);
  });

  it('is what it was where the second has seen nothing else', () => {
    const first = seen({ '/a': 'old', '/b': 'old' });
    strictEqual(merged(first, seen({ '/b': 'old' }))!.lists, first.lists);
  });

  for (const [what, one, other] of [
    ['a folder', seen({ '/a': 'old' }), seen({ '/a': 'new' })],
    [
      'a document',
      seen({}, { documents: seen({ '/a': 'old' }).lists }),
      seen({}, { documents: seen({ '/a': 'new' }).lists }),
    ],
    [
      'whether there is a file',
      seen({}, { presence: new Map([['/a', true]]) }),
      seen({}, { presence: new Map([['/a', false]]) }),
    ],
  ] as const) {
    it(`is nothing where they contradict each other about ${what}`, () =>
      strictEqual(merged(one, other), undefined));
  }
});
