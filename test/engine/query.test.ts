import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { query, queryOfFile, suppose } from '../../src/engine/query.ts';
import { collect } from '../../src/engine/regions.ts';
import { runtimeOf } from '../../src/engine/runtime.ts';
import { type ToyFile, type ToyFunction, toyFile } from './toy-tree.ts';

/** A query that counts how often it is computed. */
function counted<Key extends object, T>(
  compute: (file: ToyFile, key: Key) => T,
  options: Parameters<typeof query<ToyFile, Key, [], T>>[2],
) {
  let count = 0;
  const ask = query(
    'counted',
    (file: ToyFile, key: Key) => {
      count++;
      return compute(file, key);
    },
    options,
  );
  return Object.assign((file: ToyFile, key: Key) => ask(file, key), { count: () => count });
}

const wordsIn = (name: string) =>
  counted((file: ToyFile, _: object) => file.bodyOf(name).length, { whileCyclic: 0 });

describe('a query', () => {
  it('is computed once for each key', () => {
    const file = toyFile({ save: ['await', 'insert'] });
    const words = wordsIn('save');
    const [a, b] = [{}, {}];
    deepStrictEqual([words(file, a), words(file, a), words(file, b)], [2, 2, 2]);
    strictEqual(words.count(), 2);
  });

  it('is computed again after an edit of what it read, and after no other', () => {
    const file = toyFile({ save: ['await'], load: ['await'] });
    const words = wordsIn('save');
    words(file, file.ast);
    file.edit('load', ['return']);
    strictEqual(words(file, file.ast), 1);
    strictEqual(words.count(), 1);
    file.edit('save', ['await', 'insert']);
    strictEqual(words(file, file.ast), 2);
    strictEqual(words.count(), 2);
  });

  it('takes over the dependencies of a result that was cached before', () => {
    const file = toyFile({ save: ['await'] });
    const words = wordsIn('save');
    words(file, file.ast);
    const doubled = counted((it: ToyFile, _: object) => 2 * words(it, it.ast), { whileCyclic: 0 });
    strictEqual(doubled(file, file.ast), 2);
    file.edit('save', ['await', 'insert']);
    strictEqual(doubled(file, file.ast), 4);
  });

  it('stays valid where what it depends on is recomputed and equal: early cut-off', () => {
    const file = toyFile({ save: ['await'] });
    const isAsync = counted(
      (it: ToyFile, _: object) => ({ isAsync: it.bodyOf('save').includes('await') }),
      { whileCyclic: { isAsync: false } },
    );
    const title = counted((it: ToyFile, _: object) => `async: ${isAsync(it, it.ast).isAsync}`, {
      whileCyclic: '',
    });
    title(file, file.ast);
    file.edit('save', ['await', 'insert']);
    strictEqual(title(file, file.ast), 'async: true');
    deepStrictEqual([isAsync.count(), title.count()], [2, 1]);
    file.edit('save', []);
    strictEqual(title(file, file.ast), 'async: false');
    deepStrictEqual([isAsync.count(), title.count()], [3, 2]);
  });

  it('goes by the dependencies of what it uses where that is declared not to be compared', () => {
    const file = toyFile({ save: ['await'] });
    const first = counted((it: ToyFile, _: object) => it.bodyOf('save')[0], {
      ...{ whileCyclic: undefined, isCompared: false },
    });
    const title = counted((it: ToyFile, _: object) => `first: ${first(it, it.ast)}`, {
      whileCyclic: '',
    });
    title(file, file.ast);
    file.edit('save', ['await', 'insert']);
    title(file, file.ast);
    deepStrictEqual([first.count(), title.count()], [2, 2]);
  });

  it('has a result for each of its parameters', () => {
    const file = toyFile({ save: ['await', 'insert', 'await'] });
    let count = 0;
    const timesIn = query(
      'times',
      (it: ToyFile, _: object, word: string) => {
        count++;
        return it.bodyOf('save').filter((one) => one === word).length;
      },
      { whileCyclic: 0 },
    );
    const ask = () => ['await', 'insert', 'await'].map((it) => timesIn(file, file.ast, it));
    deepStrictEqual([ask(), count], [[2, 1, 2], 2]);
  });

  it('crosses files', () => {
    const runtime = runtimeOf({});
    const [main, other] = [toyFile({}, { runtime }), toyFile({ save: ['await'] }, { runtime })];
    const words = wordsIn('save');
    const ofOther = counted((_: ToyFile, __: object) => words(other, other.ast), {
      whileCyclic: 0,
    });
    strictEqual(ofOther(main, main.ast), 1);
    other.edit('save', ['await', 'insert']);
    strictEqual(ofOther(main, main.ast), 2);
  });

  it('caches nothing where it throws', () => {
    const file = toyFile({});
    let isBroken = true;
    const ask = query(
      'broken at first',
      (_: ToyFile, __: object) => {
        if (isBroken) throw new Error('cancelled');
        return 'whole';
      },
      { whileCyclic: '' },
    );
    const outcome = () => {
      try {
        return ask(file, file.ast);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const first = outcome();
    isBroken = false;
    deepStrictEqual([first, outcome()], ['cancelled', 'whole']);
  });
});

describe('queries in a cycle', () => {
  /** The words that a function reaches: `call:save` stands for those of another one. */
  const reached = query(
    'reached',
    (file: ToyFile, fn: ToyFunction): ReadonlySet<string> => {
      const words = new Set<string>();
      for (const it of file.bodyOf(fn.name)) {
        const callee = it.startsWith('call:')
          ? file.functions().find(({ name }) => name === it.slice('call:'.length))
          : undefined;
        for (const word of callee ? reached(file, callee) : [it]) words.add(word);
      }
      return words;
    },
    { whileCyclic: new Set<string>(), tooDeep: () => new Set(['too deep']) },
  );
  const BODIES = { even: ['call:odd', 'zero'], odd: ['call:even', 'one'] };
  const wordsOf = (file: ToyFile, name: string) =>
    [
      ...reached(
        file,
        file.functions().find((it) => it.name === name)!,
      ),
    ].sort();

  it('resolve to the same, for any first question', () => {
    for (const order of [
      ['even', 'odd'],
      ['odd', 'even'],
    ]) {
      const file = toyFile(BODIES);
      for (const name of order) deepStrictEqual(wordsOf(file, name), ['one', 'zero'], order.join());
    }
  });

  it('are recomputed after an edit of any of them', () => {
    const file = toyFile(BODIES);
    wordsOf(file, 'even');
    file.edit('odd', ['call:even', 'three']);
    for (const name of ['even', 'odd']) deepStrictEqual(wordsOf(file, name), ['three', 'zero']);
  });

  it('have no result where each depends on nothing but the others', () => {
    const file = toyFile({ even: ['call:odd'], odd: ['call:even'] });
    const empty = query(
      'empty',
      (it: ToyFile, fn: ToyFunction): readonly string[] | undefined => {
        const [callee] = it.bodyOf(fn.name);
        return empty(
          it,
          it.functions().find(({ name }) => `call:${name}` === callee)!,
        );
      },
      { whileCyclic: undefined, tooDeep: () => ['none'] },
    );
    deepStrictEqual(empty(file, file.functions()[0]!), ['none']);
  });

  it('end where the source nests without end', () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `f${i}`);
    const file = toyFile(
      Object.fromEntries(names.map((name, i) => [name, i < 999 ? [`call:f${i + 1}`] : ['last']])),
    );
    deepStrictEqual(wordsOf(file, 'f0'), ['too deep']);
    deepStrictEqual(wordsOf(file, 'f900'), ['last']);
  });

  it('see what one of them supposes of itself meanwhile', () => {
    const file = toyFile({});
    const grown = query(
      'grown',
      (it: ToyFile, _: object): string => {
        suppose(it, 'supposed');
        return `${grown(it, it.ast)} and more`;
      },
      { whileCyclic: '', tooDeep: () => '' },
    );
    strictEqual(grown(file, file.ast), 'supposed and more');
  });
});

describe('what is collected from regions', () => {
  it('is computed again for the edited region alone', () => {
    const file = toyFile(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, [`w${i}`]])),
    );
    let count = 0;
    const firstWords = collect('first words', (it: ToyFile, { all }) => {
      count++;
      return all('FunctionDeclaration').map(
        (fn) => it.bodyOf((fn as unknown as ToyFunction).name)[0]!,
      );
    });
    const all = firstWords(file);
    strictEqual(all.length, 40);
    count = 0;
    file.edit('f7', ['changed']);
    deepStrictEqual(firstWords(file), all.with(7, 'changed'));
    strictEqual(count, 1);
  });

  it('is a list like any other in a file that is not edited', () => {
    const file = toyFile({ save: ['await'], load: ['return'] }, { isEdited: false });
    const names = collect('names', (_: ToyFile, { all }) =>
      all('FunctionDeclaration').map((it) => (it as unknown as ToyFunction).name),
    );
    const count = queryOfFile('count', (it: ToyFile) => names(it).length, { whileCyclic: 0 });
    strictEqual(count(file), 2);
  });
});
