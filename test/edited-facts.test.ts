import { query } from '../src/engine/query.ts';
import { valueOf } from '../src/analysis/provenance/value-of.ts';
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';
import { contextOf } from '../src/analysis/contexts/contexts.ts';
import type { FileFacts } from '../src/analysis/file/file.ts';
import { walk } from '../src/analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../src/analysis/syntax/places.ts';
import type { TypeMemory } from '../src/project/type-memory.ts';
import { rules } from '../rules/index.ts';
import { createClock } from '../src/scan/clock.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { projectModules } from '../src/scan/project.ts';
import { createScanner } from '../src/scan/scan.ts';
import { randomNumbers } from '../tools/random-edits.ts';
import { fixturesOf } from './fixtures.ts';
import { isFull, itInFull } from './lanes.ts';

/** Every so many of a rule's files is edited. */
const SHARE = isFull ? 30 : 100;
const EDITS = 5;

/** Knows all types at once: of what is called a pool, a client or a database it says that it is a pool. */
const checkerByName: TypeMemory = {
  typesOf: (_, text) => ({
    typeOf: (node) =>
      /(?:pool|client|db)$/i.test(text.slice(startsAt(node), endsAt(node)))
        ? { kind: 'object', modules: ['pg'], name: 'Pool' }
        : undefined,
  }),
  asked: () => [],
  questions: () => [],
  learn: () => [],
  forget: () => [],
};

/** What is known of a file may outlast an edit of it (facts/grounds.ts): each time, all must be found that facts made anew find. */
describe('facts that outlast edits', () => {
  for (const { id } of rules) {
    for (const types of [undefined, checkerByName]) {
      const host = types ? 'with a type checker' : 'without types';
      const itHere = types ? itInFull : it;
      itHere(`find what is found at first sight ${host}, in fixtures of ${id}`, function () {
        this.timeout(120_000);
        const files = fixturesOf(id).flatMap((it) => it.files);
        const below = belowFrom(id.length);
        let edited = 0;
        for (const { path, source } of files.filter((_, i) => i % SHARE === 0)) {
          const full = resolve(path);
          const lasting = hostOf(types);
          lasting.scan(full, source);
          let text = source;
          for (let i = 0; i < EDITS; i++) {
            const next = changed(text, below);
            if (isFailure(sourceOf(next, full))) continue;
            text = next;
            edited++;
            const expected = hostOf(types).scan(full, text);
            deepStrictEqual(lasting.scan(full, text), expected, `${path}\n${text}`);
          }
        }
        ok(edited > 0);
      });
    }
  }
});

/** As many fixtures of several files as take a tenth of the time of the others. */
const SHARE_OF_SEVERAL = isFull ? 12 : 40;

/** What a file says to others while all are edited in turns. */
describe('facts of several files that are edited in turns', () => {
  for (const { id } of rules) {
    it(`find what is found at first sight, in fixtures of ${id}`, function () {
      this.timeout(120_000);
      const several = fixturesOf(id).filter(({ files }) => files.length > 1);
      const below = belowFrom(id.length);
      // Some rules look at one file alone.
      if (several.length === 0) this.skip();
      for (const { files } of several.filter((_, i) => i % SHARE_OF_SEVERAL === 0)) {
        const texts = new Map(files.map((it) => [resolve(it.path), it.source]));
        const paths = [...texts.keys()];
        const lasting = hostOf();
        lasting.scanAll(texts);
        for (let i = 0; i < EDITS; i++) {
          const path = paths[below(paths.length)]!;
          // A text that cannot be parsed counts: the others go on without it.
          texts.set(path, changed(texts.get(path)!, below));
          deepStrictEqual(lasting.scanAll(texts), hostOf().scanAll(texts), show(texts));
        }
      }
    });
  }

  it('end with what they rest on in the other', () => {
    const reader = [
      "import { load } from './parts.ts';",
      'export async function show(id: string) {',
      '  const order = await load(id);',
      '  const lines = await load(`lines ${id}`);',
      '  return { order, lines };',
      '}',
      '',
    ].join('\n');
    const parts = [
      "import pg from 'pg';",
      'const pool = new pg.Pool({ connectionTimeoutMillis: 500 });',
      'export async function load(id: string) {',
      "  return pool.query('SELECT * FROM parts WHERE id = $1', [id]);",
      '}',
      '',
    ].join('\n');
    const [a, b] = ['show.ts', 'parts.ts'].map((it) => resolve('fixtures/edited', it));
    const host = hostOf();
    const countAfter = (shown: string, loaded: string) => {
      host.scan(b!, loaded);
      return host
        .scan(a!, shown)
        .problems.filter((it) => it.finding.ruleId === 'no-sequential-independent-awaits').length;
    };
    const deleting = parts.replace(
      "'SELECT * FROM parts WHERE id = $1'",
      "'DELETE FROM parts WHERE id = $1'",
    );
    const [other, again] = [
      reader.replace('lines }', 'lines, id }'),
      deleting.replace('[id]', '[`${id}`]'),
    ];
    strictEqual(countAfter(reader, parts), 1);
    strictEqual(countAfter(other, parts), 1);
    strictEqual(countAfter(other, deleting), 0);
    strictEqual(countAfter(reader, again), 0);
    strictEqual(countAfter(reader, parts), 1);
    strictEqual(countAfter(other, parts), 1);
    // Nothing is known of a file while it cannot be parsed.
    strictEqual(countAfter(other, `${parts}(`), 0);
    strictEqual(countAfter(other, parts), 1);
  });
});

/** What a file concludes from another one, where both import each other and one of them is edited. */
describe('an edit of a file that others have asked', () => {
  const STORE = [
    "import pg from 'pg';",
    "import { count } from './count.ts';",
    'export const pool = new pg.Pool();',
    'export async function greeting() {',
    '  return `Hello ${await count()}`;',
    '}',
  ].join('\n');
  const COUNT = [
    "import { pool } from './store.ts';",
    'export async function count() {',
    "  const { rows } = await pool.query('SELECT count(*) FROM berths');",
    '  return rows[0].count;',
    '}',
  ].join('\n');

  it('leaves what they concluded of its other parts', () => {
    const [store, count] = ['store.ts', 'count.ts'].map((it) => resolve('fixtures/edited', it));
    const modules = projectModules(resolve('fixtures'), createClock());
    modules.overlay(count!, COUNT);
    let computed = 0;
    const pools = query(
      'pools',
      (file: FileFacts, _: object) => {
        computed++;
        return file.nodes.named('pool').map((it) => valueOf(file, it));
      },
      { whileCyclic: [] },
    );
    const computedAfter = (text: string) => {
      modules.overlay(store!, text);
      const asking = modules.factsAt(count!)!;
      pools(asking, asking.ast);
      return computed;
    };
    const texts = [
      STORE,
      STORE.replace('Hello', 'Ahoy'),
      STORE.replace('Hello', 'Hello, all'),
      STORE.replace('pg.Pool', 'pg.Client'),
    ];
    deepStrictEqual(texts.map(computedAfter), [1, 1, 1, 2]);
  });
});

/** What outlasts an edit is not computed again. */
describe('an edit of one function', () => {
  const TEXT = `
export class Moorings {
  async renew(ids: string[]) {
    for (const id of ids) await this.store.save(id, { list: 1 });
  }

  private async close(context: Context, ids: string[]) {
    for (const id of ids) await this.store.remove(context, id);
  }

  async clear(context: Context) {
    const list = await this.store.list(context);
    await this.close(context, list);
  }
}
`;
  const asked = {
    'what the names of another mean, which spells a name of its own as a property': (file) =>
      namesIn(file, 0).map((it) => file.variableOf(it)),
    'what another is given, where it gives the same': (file) =>
      namesIn(file, 1).map((it) => valueOf(file, it)),
    'how often another runs, which it calls': (file) => contextOf(file, loopsIn(file)[1]!.body),
  } satisfies Record<string, (file: FileFacts) => unknown>;
  const loopsIn = (file: FileFacts) => file.nodes.all('ForOfStatement');
  const namesIn = (file: FileFacts, loop: number) => {
    const names: TSESTree.Identifier[] = [];
    walk(loopsIn(file)[loop]!.body, (it) => {
      if (it.type === 'Identifier') names.push(it);
    });
    return names;
  };

  for (const [what, ask] of Object.entries(asked)) {
    it(`leaves ${what}`, () => {
      const path = resolve('fixtures/edited/moorings.ts');
      const modules = projectModules(resolve('fixtures'), createClock());
      let count = 0;
      const answer = query(
        'asked',
        (file: FileFacts, _: object) => {
          count++;
          return [ask(file)];
        },
        { whileCyclic: [] },
      );
      const countAfter = (text: string) => {
        modules.overlay(path, text);
        const previous = modules.previousOf(path);
        const source = sourceOf(text, path, { modules: () => modules, previous });
        if (isFailure(source)) throw new Error(source.message);
        modules.adopt(source);
        const file = modules.factsAt(path)!;
        for (const it of file.nodes.all('Identifier')) file.variableOf(it);
        answer(file, loopsIn(file)[0]!);
        return count;
      };
      const edited = TEXT.replace('store.list(context)', 'store.list(context, 1)');
      deepStrictEqual([TEXT, edited].map(countAfter), [1, 1]);
    });
  }
});

/** A project in which somebody edits files, as the language server looks at it. */
function hostOf(types?: TypeMemory) {
  const clock = createClock();
  const modules = projectModules(resolve('fixtures'), clock, { types });
  const scanner = createScanner({ rules, profile: 'audit', clock, modules, types });
  return {
    scan(path: string, text: string) {
      modules.overlay(path, text);
      return scanner.scan(text, path, { isNamed: true });
    },
    /** With all of the texts in its editor. */
    scanAll(texts: ReadonlyMap<string, string>) {
      for (const [path, text] of texts) modules.overlay(path, text);
      return [...texts].map(([path, text]) => scanner.scan(text, path, { isNamed: true }));
    },
  };
}

const show = (texts: ReadonlyMap<string, string>) => [...texts].flat().join('\n');

type Below = (limit: number) => number;

function belowFrom(seed: number): Below {
  const random = randomNumbers(seed);
  return (limit) => Math.floor(random() * limit);
}

const LINES = [
  ...['// one at a time', '', 'const extra = 1;', 'await Promise.resolve();', 'if (done) return;'],
  ...['for (const it of items) { await pool.query("select 1", [it]); }'],
];

/** A line that goes, comes, moves or comes twice, another name, another number, an `await` more or less. */
function changed(text: string, below: Below): string {
  const lines = text.split('\n');
  const at = below(lines.length);
  const line = lines[at]!;
  switch (below(8)) {
    case 0:
      return lines.toSpliced(at, 1).join('\n');
    case 1:
      return lines.toSpliced(below(lines.length), 0, line).join('\n');
    case 2:
      return lines.toSpliced(at, 0, LINES[below(LINES.length)]!).join('\n');
    case 3: {
      const other = below(lines.length);
      return lines.with(at, lines[other]!).with(other, line).join('\n');
    }
    case 4:
      return lines.with(at, line.replace(/\d+/, String(below(3000)))).join('\n');
    case 5:
      return lines.with(at, withOrWithoutAwait(line)).join('\n');
    default: {
      const names = text.match(/[A-Za-z_$][\w$]*/g) ?? ['x'];
      const own = [...line.matchAll(/[A-Za-z_$][\w$]*/g)];
      const name = own[below(own.length)];
      if (!name) return text;
      const rest = line.slice(name.index + name[0].length);
      const written = line.slice(0, name.index) + names[below(names.length)] + rest;
      return lines.with(at, written).join('\n');
    }
  }
}

function withOrWithoutAwait(line: string): string {
  return line.includes('await ')
    ? line.replace('await ', '')
    : line.replace(/([\w.]+\()/, 'await $1');
}
