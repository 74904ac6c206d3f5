import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { indexOf } from '../facts/ast.ts';
import type { Source } from '../facts/source.ts';
import { isFailure, sourceOf } from '../scan/parse.ts';
import { applied, randomEdits } from '../scripts/random-edits.ts';

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
  *each() {
    yield* this.ids;
  }
}

export const tick = async (): Promise<void> => {
  await new Jobs([1]).run(); // behind
};
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
    ['in the head of a method', 'async run()', 'async run(n = 1)', false],
    ['between functions', '*each() {', 'each = 1;\n  *each() {', false],
    ['that closes a method', 'yield* this.ids;', 'yield 1; }\n  more() { this.ids;', false],
    ['outside of functions', '// before', '/* before */', false],
  ];
  for (const [what, from, to, isReused] of edits) {
    it(`has the tree that it has at first sight: ${what}`, () => {
      const before = parsed(JOBS);
      const text = JOBS.replace(from, () => to);
      const after = parsed(text, before);
      assert.equal(said(after), said(parsed(text)));
      assert.equal(after.ast === before.ast, isReused);
    });
  }

  for (const [seed, path] of [
    'server/serve.ts',
    'scripts/start.mjs',
    'facts/flow-builder.ts',
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
          indexOf(after.ast);
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
