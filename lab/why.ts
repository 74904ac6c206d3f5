// Shows why nothing is reported at a place: the vetoes that were reached with what starts there, and what is reported in the file.
//   npm run -w lab why -- DIR FILE:LINE
import { register } from 'node:module';
import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { readArguments } from '../tools/arguments.ts';
import type { Traced } from './why/traced-source.ts';

const { positionals } = readArguments(
  'npm run -w lab why -- DIR FILE:LINE',
  {},
  (it) => it.positionals.length === 2 && /:\d+$/.test(it.positionals[1]!),
);
/** How far a value is looked into: a node, an effect with its place, a list of awaits. */
const DEEPEST = 2;
const PARTS = ['node', 'call', 'at', 'loop', 'effect', 'made'];

const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), positionals[0]!);
const [, name, line] = /^(.*):(\d+)$/.exec(positionals[1]!)!;
const path = resolve(folder, name!);
const text = readFileSync(path, 'utf8');

register('./why/load.ts', import.meta.url);
const { rules } = await import('../rules/index.ts');
const { createClock } = await import('../src/scan/clock.ts');
const { projectModules } = await import('../src/scan/project.ts');
const { createScanner } = await import('../src/scan/scan.ts');

const clock = createClock();
const modules = projectModules(folder, clock);
const scanner = createScanner({ rules, profile: 'audit', clock, modules });
const reached = new Set<string>();
(globalThis as Traced).vetoed = (what, given) => {
  const ast = modules.factsAt(path)?.ast;
  if (ast && given.some((it) => startsThere(it, ast))) reached.add(what);
};
const { problems } = scanner.scan(text, path, { isNamed: true });
console.log([...reached].join('\n') || 'No veto was reached with what starts there.');
const found = problems.map((it) => `${it.start.line}  ${it.finding.ruleId}`);
console.log(`\nReported in the file:\n${found.join('\n') || 'nothing'}`);

function startsThere(it: unknown, ast: object, depth = 0): boolean {
  if (typeof it !== 'object' || it === null || depth > DEEPEST) return false;
  if (Array.isArray(it)) return it.some((one) => startsThere(one, ast, depth + 1));
  if ('type' in it && 'start' in it) {
    const { start } = it as { readonly start: number };
    return rootOf(it) === ast && text.slice(0, start).split('\n').length === Number(line);
  }
  const parts = it as Readonly<Record<string, unknown>>;
  return PARTS.some((part) => startsThere(parts[part], ast, depth + 1));
}

function rootOf(node: object): object {
  let it = node as { readonly parent?: object };
  while (it.parent) it = it.parent;
  return it;
}
