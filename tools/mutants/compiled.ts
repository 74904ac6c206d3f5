import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/**
 * The mutants that do not compile: their vetoes narrow the kind of a node or value for the code after them, and the compiler
 * reports when one is missing. All are compiled together, each as a copy of its function at the end of its file.
 */
export function uncompilable(mutants: readonly Mutant[]): ReadonlySet<Mutant> {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    process.cwd(),
  );
  // A copy is unused, and so is code that only it needed.
  const relaxed = { ...options, noEmit: true, noUnusedLocals: false, noUnusedParameters: false };
  const paths = [...new Set(mutants.map(({ path }) => path))];
  const copies = new Map(
    paths.map((path) => [
      resolve(path),
      copiesIn(
        path,
        mutants.filter((it) => it.path === path),
      ),
    ]),
  );
  const host = ts.createCompilerHost(relaxed);
  const { readFile } = host;
  host.readFile = (path) => copies.get(resolve(path))?.text ?? readFile(path);
  const program = ts.createProgram(
    paths.map((it) => resolve(it)),
    relaxed,
    host,
  );
  const found = new Set<Mutant>();
  for (const [path, { ranges }] of copies) {
    for (const { start = 0 } of program.getSemanticDiagnostics(program.getSourceFile(path))) {
      const range = ranges.find((it) => it.from <= start && start < it.to);
      if (range) found.add(range.mutant);
    }
  }
  return found;
}

interface Copies {
  readonly text: string;
  readonly ranges: readonly {
    readonly from: number;
    readonly to: number;
    readonly mutant: Mutant;
  }[];
}

function copiesIn(path: string, mutants: readonly Mutant[]): Copies {
  const original = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, original, ts.ScriptTarget.Latest, true);
  let text = original;
  const ranges: Copies['ranges'][number][] = [];
  for (const [i, mutant] of mutants.entries()) {
    const [start, end] = mutant.range;
    const fn = file.statements.find((it) => it.pos <= start && end <= it.end);
    if (!fn || !ts.isFunctionDeclaration(fn) || !fn.name) continue;
    const from = text.length;
    text +=
      `\n${fn.modifiers?.some((it) => it.kind === ts.SyntaxKind.AsyncKeyword) ? 'async ' : ''}` +
      `function ${fn.asteriskToken ? '*' : ''}${fn.name.text}_${i}` +
      `${original.slice(fn.name.end, start)}(false as boolean)${original.slice(end, fn.end)}`;
    ranges.push({ from, to: text.length, mutant });
  }
  return { text, ranges };
}
