import { ok, strictEqual } from 'node:assert/strict';
import { isFunction } from '../src/analysis/syntax/ast.ts';
import { factsOf } from '../src/analysis/facts.ts';
import { flowOf } from '../src/analysis/flow/flow.ts';
import { type Flow, leadsTo, type Step } from '../src/analysis/flow/graph.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';

/** The graph of the first function of a text, and the steps by the text of their calls. */
function graphOf(text: string) {
  const source = sourceOf(text, '/project/jobs.ts');
  if (isFailure(source)) throw new SyntaxError(source.message);
  const file = factsOf(source);
  const fn = file.nodes
    .all('FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression')
    .find(isFunction)!;
  const flow = flowOf(file, fn)!;
  const calls = (name: string): readonly Step[] =>
    flow.steps.filter(
      ({ node, kind }) =>
        kind === 'expression' &&
        node?.type === 'CallExpression' &&
        file.textOf(node) === `${name}()`,
    );
  return { flow, calls };
}

function reaches(flow: Flow, exit: 'exit' | 'thrown' | 'ended', avoiding: readonly Step[]) {
  return leadsTo(
    flow.entry,
    (it) => it.kind === exit,
    ({ to }) => !avoiding.includes(to),
  );
}

describe('flowOf', () => {
  it('leads every call to the exceptional exit', () => {
    const { flow, calls } = graphOf('function f() { a(); b(); }');
    ok(reaches(flow, 'thrown', calls('b')));
    ok(!reaches(flow, 'exit', calls('b')));
  });

  it('does not let logging and clocks throw', () => {
    const { flow } = graphOf('function f() { console.log(1); logger.info(2); Date.now(); }');
    ok(!reaches(flow, 'thrown', []));
  });

  it('copies a finalizer for every way into it', () => {
    const { flow, calls } = graphOf(
      'function f() { for (;;) { try { if (a()) return; if (b()) break; } finally { c(); } } d(); }',
    );
    strictEqual(calls('c').length, 4);
    ok(!reaches(flow, 'exit', calls('c')));
    ok(!reaches(flow, 'thrown', [...calls('c'), ...calls('d')]));
  });

  it('does not go on to what a break has left', () => {
    const { flow, calls } = graphOf(
      'function f() { outer: for (const x of y) { for (;;) { if (x) break outer; a(); } } b(); }',
    );
    const [a, b] = [calls('a'), calls('b')];
    ok(
      leadsTo(
        flow.entry,
        (it) => b.includes(it),
        ({ to }) => !a.includes(to),
      ),
    );
  });

  it('falls from one case to the next, and past all without a default', () => {
    const { flow, calls } = graphOf(
      'function f(x) { switch (x) { case 1: a(); case 2: b(); break; case 3: c(); } }',
    );
    ok(leadsTo(calls('a')[0]!, (it) => it === calls('b')[0]));
    ok(!leadsTo(calls('b')[0]!, (it) => it === calls('c')[0]));
    ok(reaches(flow, 'exit', ['a', 'b', 'c'].flatMap(calls)));
  });

  it('evaluates only what short circuits leave', () => {
    const { flow, calls } = graphOf('function f(x) { x && a(); x?.b(c()); x ?? d(); }');
    ok(reaches(flow, 'exit', ['a', 'c', 'd'].flatMap(calls)));
  });

  it('ends at process.exit', () => {
    const { flow, calls } = graphOf('function f() { process.exit(1); a(); }');
    ok(!leadsTo(flow.entry, (it) => calls('a').includes(it)));
    ok(reaches(flow, 'ended', []));
  });

  it('runs the callbacks of array methods any number of times', () => {
    const { flow, calls } = graphOf('function f(xs) { xs.forEach(() => { a(); }); b(); }');
    ok(leadsTo(calls('a')[0]!, (it) => it === calls('a')[0]));
    ok(reaches(flow, 'exit', calls('a')));
  });

  it('lays promise chains out as try, catch and finally', () => {
    const { flow, calls } = graphOf(
      'async function f() { await a().then(() => { b(); }).catch(() => { c(); }).finally(() => { d(); }); }',
    );
    ok(!reaches(flow, 'exit', calls('d')));
    ok(!reaches(flow, 'exit', [...calls('b'), ...calls('c')]));
  });

  it('gives up on generated functions', () => {
    const { flow } = graphOf(`function f() { ${'a();'.repeat(15_000)} }`);
    strictEqual(flow, undefined);
  });
});
