import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';
import { analyze } from '@typescript-eslint/scope-manager';
import { type Node, walk } from '../src/analysis/syntax/ast.ts';
import { namesOf, type Variable } from '../src/analysis/syntax/names.ts';
import { indexOf } from '../src/analysis/syntax/node-index.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import type { Source } from '../src/analysis/file/source.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { applied, randomEdits, randomNumbers } from '../tools/random-edits.ts';
import { itInFull, sampled } from './lanes.ts';

/** A name with what it means and what happens to that: offsets, so that two ways to know it can be compared. */
type Said = Readonly<Record<string, readonly string[]>>;

type Use = {
  readonly identifier: Node;
  readonly writeExpr?: Node | null | undefined;
  isRead(): boolean;
  isWrite(): boolean;
};

const at = (node: Node | null | undefined) => (node ? rangeOf(node).join('-') : 'nothing');

function useOf(it: Use): string {
  const written = it.isWrite() ? `=${at(it.writeExpr)}` : '';
  return `${at(it.identifier)}${it.isRead() ? ' read' : ''}${written}`;
}

function meaning(variable: { defs: readonly { name: Node }[]; references: readonly Use[] }) {
  const uses = variable.references.map(useOf);
  return [`declared at ${variable.defs.map((it) => at(it.name)).join()}`, ...uses];
}

/** Whatever was asked first. */
function sorted(said: Said): Said {
  return Object.fromEntries(Object.entries(said).map(([name, uses]) => [name, uses.toSorted()]));
}

function treeOf(text: string, path: string): TSESTree.Program | undefined {
  const source = sourceOf(text, path);
  return isFailure(source) ? undefined : source.ast;
}

function ours(ast: TSESTree.Program): Said {
  const nodes = indexOf(ast);
  const names = namesOf(nodes);
  const said: Record<string, readonly string[]> = {};
  for (const it of [...nodes.all('Identifier'), ...nodes.all('JSXIdentifier')]) {
    const variable: Variable | undefined = names.variableOf(it);
    if (!variable) continue;
    said[at(it)] = meaning(variable);
    const written = variable.references.filter((use) => use.isWrite() && !use.init);
    deepStrictEqual(variable.writes, written, `writes of ${it.name}`);
  }
  return said;
}

/** What the scope analysis of typescript-eslint says of the same tree. */
function theirs(ast: TSESTree.Program): Said {
  walk(ast, (it) => void Object.assign(it, { range: rangeOf(it) }));
  const isModule = ast.body.some((it) => /^(?:Import|Export)/.test(it.type));
  const manager = analyze(ast, {
    ...(isModule ? { sourceType: 'module' } : { sourceType: 'script', globalReturn: true }),
    ...{ lib: [], jsxPragma: null },
  });
  const said: Record<string, readonly string[]> = {};
  for (const scope of manager.scopes) {
    for (const { identifier, resolved } of scope.references) {
      if (resolved && resolved.defs.length > 0) said[at(identifier)] = meaning(resolved);
    }
    for (const variable of scope.variables) {
      for (const it of variable.identifiers) said[at(it)] = meaning(variable);
    }
  }
  return said;
}

const cases: Readonly<Record<string, string>> = {
  'top.cjs': 'const pool = open(); function run() {} var other; pool; run; other; global;',
  'hoisted.js':
    'use(late); for (const id of ids) { if (id) { var late = id; } } { function inner() {} inner(); }',
  'with.js': 'var outer = 1; with (outer) { outer; let own = 2; own; }',
  'arguments.js':
    'var arguments = 1; function f() { return arguments; } const g = () => arguments;',
  'defaults.js':
    'const a = 1; function f(b = a, { c = b, ...d } = {}) { const a = 2; return [a, c, d]; }',
  'again.js': 'const run = function again(n) { return n && again(n - 1); }; again;',
  'switched.js': 'const job = 1; switch (job) { case job: let job = 2; job; }',
  'caught.js': 'try { run(); } catch ({ code, cause: { message = code } = {} }) { code; message; }',
  'written.js':
    'let a, b; [a = 1, [b]] = c; ({ a, x: { b } = d } = e); a++; b **= 2; for (a of b); for ([b = 1] in a); a.b = b;',
  'labels.js': 'a: for (const a of b) { if (a.a) continue a; const o = { a, b: a, [a]: 1 }; o.a; }',
  'exported.mjs':
    'import a, { b as c } from "d"; export { a, c as b }; export { a as e } from "f"; export default c;',
  'view.tsx':
    'import { Job, jobs } from "./jobs"; const div = 1; const v = <Job div={div}><jobs.Job /><div /><>{v}</></Job>;',
  'classes.ts':
    'const Log = 1; @Log class Jobs<T> extends Base<T> { static #n = Jobs; @Log() run(this: Jobs<T>, private t: T) { return Jobs; } static { var x = 1; x; } } Jobs;',
  'merged.ts':
    'interface Job { job: Job } class Job {} function f(a: Job): void; function f(a: any) { return a; } type f = typeof f;',
  'types.ts':
    'type T = 1; type F = (T: T, b: typeof T) => T; type G<T> = { [K in keyof T as K]: T[K] }; type I<A> = A extends (infer T)[] ? T : T; type Q = N.T; let n: import("m").T<T>; const c = <T,>(it: T): it is T => T;',
  'spaces.ts':
    'namespace N { export const a = 1; export type T = 2; a; } enum E { A = 1, B = A } import R = N.a; export = E; class C implements N.T { [E.A] = R; } declare module "m" { let q: C; }',
  'asserted.ts':
    'let a; (a as any) = 1; a! += 2; (<any>a)++; const f = a satisfies any; type X = { a: typeof f; m(a: X): void };',
  'types.mts':
    'import type { A } from "a"; const A = 1; export type { A }; export { type A as B };',
};

/** Statements that declare the same few names, for the file or within, and some that use them. */
const statements = [
  ...['import a from "a";', 'import { b as a } from "b";', 'import type { c } from "c";'],
  ...['const a = 1;', 'var b = a;', 'function a() { return b; }', 'function a(c);', 'class b {}'],
  ...[
    'interface a { b: c }',
    'type b = a;',
    'enum c { b, a = b }',
    'namespace a { export const b = c; }',
  ],
  ...[
    'use(a, b, c);',
    'for (const a of b) { var c = a; }',
    'a: for (;;) b = c;',
    'export { a, b as c };',
  ],
  ...['function f(a) { b = a; return () => c; }', 'const g = (b = a) => { var a = c; return a; };'],
  ...['export default <a b={b}><c.b /></a>;', '{ let a = b; function c() { a++; } }', ''],
];

const compared = ['rules', 'server', 'src/analysis', 'src/proof'];

describe('names', function () {
  this.timeout(60_000);
  for (const [path, text] of Object.entries(cases)) {
    it(`have the meaning of typescript-eslint’s scope analysis: ${path}`, () => {
      const ast = treeOf(text, path);
      ok(ast);
      deepStrictEqual(sorted(ours(ast)), sorted(theirs(ast)));
    });
  }
  for (const folder of ['fixtures', ...compared]) {
    const itHere = folder === 'fixtures' ? it : itInFull;
    itHere(`mean what typescript-eslint's scope analysis says, in ${folder}`, () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      let many = 0;
      for (const file of sampled(files.filter((it) => /\.[cm]?[jt]sx?$/.test(it)).sort())) {
        const path = join(folder, file);
        const ast = treeOf(readFileSync(path, 'utf8'), path);
        if (!ast) continue;
        const said = ours(ast);
        deepStrictEqual(sorted(said), sorted(theirs(ast)), path);
        many += Object.keys(said).length;
      }
      ok(many > 1_000);
    });
  }
  for (const [seed, path] of [
    'src/analysis/flow/builder.ts',
    'server/serve.ts',
    'src/cli/command-line.ts',
  ].entries()) {
    const itHere = seed === 0 ? it : itInFull;
    itHere(`mean after each of three hundred edits what they do at first sight: ${path}`, () => {
      const random = randomEdits(seed);
      let text = readFileSync(path, 'utf8');
      let previous: Source | undefined;
      let reused = 0;
      for (let i = 0; i < 300; i++) {
        text = applied(text, random.next(text));
        const source = sourceOf(text, path, { previous });
        const cold = sourceOf(text, path);
        strictEqual(isFailure(source), isFailure(cold));
        if (isFailure(source) || isFailure(cold)) continue;
        reused += source.ast === previous?.ast ? 1 : 0;
        deepStrictEqual(ours(source.ast), ours(cold.ast), `edit ${i}`);
        previous = source;
      }
      ok(reused > 50, `${reused} trees were used again`);
    });
  }
  it('mean after each of a thousand statements that come and go what they do at first sight', () => {
    const random = randomNumbers(1);
    const below = (limit: number) => Math.floor(random() * limit);
    const lines = Array.from({ length: 8 }, () => '');
    let previous: Source | undefined;
    let reused = 0;
    for (let i = 0; i < 1_000; i++) {
      lines[below(lines.length)] = statements[below(statements.length)]!;
      const text = ['first();', ...lines, 'export {};'].join('\n');
      const [source, cold] = [sourceOf(text, 'a.tsx', { previous }), sourceOf(text, 'a.tsx')];
      strictEqual(isFailure(source), isFailure(cold));
      if (isFailure(source) || isFailure(cold)) continue;
      reused += source.ast === previous?.ast ? 1 : 0;
      deepStrictEqual(ours(source.ast), ours(cold.ast), text);
      previous = source;
    }
    ok(reused > 500, `${reused} trees were used again`);
  });
});
