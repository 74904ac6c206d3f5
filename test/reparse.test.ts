import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import type { Node, NodeType } from '../src/analysis/syntax/ast.ts';
import { indexOf } from '../src/analysis/syntax/node-index.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import type { Source } from '../src/analysis/file/source.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { applied, randomEdits } from '../tools/random-edits.ts';

const PATH = '/project/jobs.ts';

const JOBS = `import { pool } from './db.js';

// before
export class Jobs extends Base {
  constructor(private readonly ids: number[]) {
    super();
  }
  async run(): Promise<void> {
    for (const id of this.ids) {
      // within
      await pool.query(\`select \${[1].map((it) => { return it + id; })}\`);
    }
  }
  // each
  *each() {
    yield* this.ids;
  }
}

const open = 1
'and a string';
void 'a string';

abstract class Pause extends Base {
  first
  abstract stop(): void;
}

// resumes
class Resumed {}; void 'resumed';

declare class Resume {
  // starts
  start(): void; stop(): void;
}

export const tick = async (): Promise<void> => {
  class Inner { within = 1; }
  await new Jobs([1]).run();
}; // behind
`;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function parsed(text: string, previous?: Source): Source {
  const source = sourceOf(text, PATH, { previous });
  assert.ok(!isFailure(source));
  // Sets parents, as the facts do.
  indexOf(source.ast);
  return source;
}

/** All that a tree says, but for how it was made. */
function said({ ast, comments }: Source): string {
  return JSON.stringify({ ast, comments }, (key, value: unknown) =>
    key === 'parent' || key === 'sourceType' ? undefined : value,
  );
}

/** What the index of a tree lists, by where it stands. */
function listed({ ast }: Source): readonly string[] {
  const index = indexOf(ast);
  const names = new Set(index.all('Identifier').map(({ name }) => name));
  return [
    ...Object.keys(visitorKeys).map((it) => `${it} ${placesOf(index.all(it as NodeType))}`),
    ...Array.from(names, (it) => `${it} ${placesOf(index.named(it))}`),
  ];
}

function placesOf(nodes: readonly Node[]): string {
  return nodes.map((it) => `${rangeOf(it).join('-')} in ${it.parent?.type}`).join();
}

describe('a text after an edit', () => {
  const edits: readonly (readonly [what: string, from: string, to: string, isReused: boolean])[] = [
    ['in a method', 'for (const id', 'const n = 1;\n    for (const id', true],
    ['in a constructor', 'super();', 'super(); this.ids.sort();', true],
    ['in a generator', 'yield* this.ids;', 'yield 1;', true],
    ['in an arrow function', '.run();', '.run();\n  await later();', true],
    ['in a function within a template', 'it + id', 'it', true],
    ['in a comment', '// within', '// within /* it', true],
    ['that the parser goes on after', 'super();', 'super(); const n', true],
    ['that names a type', 'const id of', 'const id: any of', true],
    ['in the head of a method', 'async run()', 'async run(n = 1)', true],
    ['between functions', '*each() {', 'each = 1;\n  *each() {', true],
    ['that closes a method', 'yield* this.ids;', 'yield 1; }\n  more() { this.ids;', true],
    ['that takes a method out', '  *each() {\n    yield* this.ids;\n  }\n', '', true],
    ['in the first member of a class', 'private readonly', 'readonly', true],
    ['that goes on in the next member', '// each', 'static // each', true],
    ['behind a member that goes on', 'first\n', 'first\n  [1];', true],
    ['that closes a class', '*each', 'a; }\nclass B { *each', true],
    ['in a member of an abstract class', 'stop(): void;', 'stop(): Promise<void>;', true],
    ['in a member of a class that is only declared', 'start(): void;', 'start(n: number);', true],
    ['in a class within a function', 'within = 1;', 'within = 2;', true],
    ['outside of functions', '// before', '/* before */', true],
    ['that opens a comment', '// before', '/* before', false],
    ['that lets a comment go on in the next statement', '// resumes\n', '// resumes ', false],
    ['that lets a comment go on in the next member', '// starts\n', '// starts ', true],
    ['between statements', 'export const tick', 'const a = 1;\nexport const tick', true],
    ['that takes a statement out', "void 'a string';\n", '', true],
    ['that goes on in the next statement', 'export const tick', 'a\n(1);\nconst tick', true],
    ['that the next statement goes on with', "void 'a string';", 'let a = b', false],
    ['behind a statement that goes on', "'and a string';", '[1];', true],
    ['that is no directive', "void 'a string';", "'a string';", true],
    ['that the next statement begins after', '// resumes', 'let a = b', true],
    ['that waits for the next statement', '// resumes', 'await', false],
    ['that decorates the next statement', '// resumes', '@resumes', false],
    ['that decorates the next member', '// each', '@each', true],
    ['that decorates the next but one', '  // each', '  @each // each', true],
    ['in the first statement', './db.js', './pools.js', false],
    ['behind the last statement', '// behind\n', '// behind\n\nexport class Last {}\n', true],
    ['in a template', 'select ${', 'select 1, ${', true],
  ];
  for (const [what, from, to, isReused] of edits) {
    it(`has the tree that it has at first sight: ${what}`, () => {
      const before = parsed(JOBS);
      const text = JOBS.replace(from, () => to);
      const after = parsed(text, before);
      const cold = parsed(text);
      assert.equal(said(after), said(cold));
      assert.deepEqual(listed(after), listed(cold));
      assert.equal(after.ast === before.ast, isReused);
    });
  }

  it('has no tree where a statement is none in a module', () => {
    const text = JOBS.replace("void 'a string';", 'tick({ await });');
    assert.notEqual(text, JOBS);
    assert.ok(isFailure(sourceOf(text, PATH, { previous: parsed(JOBS) })));
  });

  it('has no tree where a comment goes on in the end of a class', () => {
    const text = JOBS.replace('stop(): void;\n}\n', 'stop(): void; // }\n');
    assert.notEqual(text, JOBS);
    assert.ok(isFailure(sourceOf(text, PATH, { previous: parsed(JOBS) })));
  });

  for (const [seed, path] of [
    'server/serve.ts',
    'tools/start.mjs',
    'src/analysis/flow/builder.ts',
  ].entries()) {
    it(`has the tree that it has at first sight, a hundred edits later: ${path}`, () => {
      const random = randomEdits(seed);
      let text = readFileSync(path, 'utf8');
      let previous: Source | undefined;
      let reused = 0;
      for (let i = 0; i < 100; i++) {
        const before = previous?.ast;
        const [after, cold] = [sourceOf(text, path, { previous }), sourceOf(text, path)];
        assert.equal(isFailure(after), isFailure(cold));
        if (!isFailure(after) && !isFailure(cold)) {
          assert.equal(said(after), said(cold));
          assert.deepEqual(listed(after), listed(cold));
          if (after.ast === before) reused++;
          previous = after;
        }
        text = applied(text, random.next(text));
      }
      assert.ok(reused > 0);
    });
  }

  it('keeps nothing of the texts before', async () => {
    const first = new WeakRef(parsed(JOBS));
    let source = first.deref()!;
    for (const by of ['1', '2']) source = parsed(JOBS.replace('[1]', `[${by}]`), source);
    // A reference that has been followed holds until the turn ends.
    await setImmediate();
    collectGarbage();
    assert.ok(first.deref() === undefined);
    assert.ok(source.ast);
  });
});
