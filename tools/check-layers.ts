// Which files, and which folders, import each other in circles, of types as of values:
//   npm run check:layers
// Exits with 1 where a circle has more files than MOST_FILES, or where there is one of folders. A folder is one below the root, src/ or
// a part of src/ that has folders in an order, with all that is in it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** The most files in one circle of imports. */
const MOST_FILES = 3;

const files = globSync('**/*.ts', {
  ignore: ['**/node_modules/**', '**/dist/**', 'fixtures/**', 'test/**', '**/*.d.ts'],
}).sort();
const known = new Set(files);
const imports = new Map(files.map((it) => [it, importsOf(it)]));
const folders = new Map<string, Set<string>>();
for (const [file, targets] of imports) {
  const from = folderOf(file);
  const all = folders.get(from) ?? new Set();
  for (const it of targets.map(folderOf)) if (it !== from) all.add(it);
  folders.set(from, all);
}

const fileCircles = circlesIn(imports);
const folderCircles = circlesIn(folders);
const large = fileCircles.filter(({ length }) => length > MOST_FILES);
console.log(`${files.length} files. Largest circle of files: ${fileCircles[0]?.length ?? 1}.`);
console.log(`${folders.size} folders. Circles between them: ${folderCircles.length}.`);
for (const it of [...large, ...folderCircles]) console.log(`  ${it.join(', ')}`);
process.exitCode = large.length + folderCircles.length > 0 ? 1 : 0;

/** `src/analysis/flow`, `src/report`, `server`; a file of none is one by itself. */
function folderOf(file: string): string {
  return /^(?:src\/(?:(?:analysis|patterns)\/[^/]+|scan\/review|project\/typescript|[^/]+)|[^/]+)/.exec(
    file,
  )![0];
}

function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName).replaceAll('\\', '/'))
    .filter((it) => known.has(it));
}

/** The strongly connected components with more than one member, the largest first (Tarjan 1972). */
function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  for (const it of graph.keys()) if (!order.has(it)) visit(it);
  return circles.sort((a, b) => b.length - a.length);

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
      } else if (open.includes(next)) {
        lowest.set(node, Math.min(lowest.get(node)!, order.get(next)!));
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = open.splice(open.indexOf(node)).sort();
    if (circle.length > 1) circles.push(circle);
  }
}
