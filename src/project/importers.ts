import type { FileFacts } from '../analysis/file/file.ts';
import { exportsOf } from '../analysis/provenance/exports.ts';

/** How the files of a project are read and how their imports lead to each other. */
export interface ImportGraph {
  read(path: string): string | undefined;
  pathOf(specifier: string, from: string): string | undefined;
  factsAt(path: string): FileFacts | undefined;
}

/** A function that uses a function that uses the changed one: farther away, findings hardly depend on it. */
const MOST_STEPS = 2;

/**
 * Those of `files` that use what `targets` export, or the exports of such a file; files that only re-export are no step of
 * their own. An importer counts when it mentions a name, so a file behind the index of a package does not reach all importers
 * of that package.
 */
export function importersOf(
  targets: readonly string[],
  files: readonly string[],
  graph: ImportGraph,
): readonly string[] {
  const { texts, importers } = importsOf(files, graph);
  const found = new Set(targets);
  let open = targets;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next: string[] = [];
    for (const target of open) {
      const facts = graph.factsAt(target);
      const names = facts ? exportsOf(facts).names : [];
      const isAny = names.length === 0 || names.some((it) => /^(?:default|require)$/.test(it));
      const handing = new Set([target]);
      for (const path of handing) {
        for (const importer of importers.get(path) ?? []) {
          const text = texts.get(importer)!;
          const handsOn = /\bexport\s*(?:\*|\{[^}]*\})[^;'"]*\bfrom\b/.test(text);
          if (handsOn) handing.add(importer);
          if (found.has(importer) || !(isAny || names.some((it) => text.includes(it)))) continue;
          found.add(importer);
          if (!handsOn) next.push(importer);
        }
      }
    }
    open = next;
  }
  return [...found].slice(new Set(targets).size);
}

function importsOf(files: readonly string[], { read, pathOf }: ImportGraph) {
  const texts = new Map<string, string>();
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const text = read(file) ?? '';
    texts.set(file, text);
    for (const specifier of specifiersIn(text)) {
      const path = pathOf(specifier, file);
      if (path === undefined) continue;
      const known = importers.get(path);
      if (known) known.push(file);
      else importers.set(path, [file]);
    }
  }
  return { texts, importers };
}

/** What a text imports while it runs, read without a parser: one name too many costs a look, no finding. */
function specifiersIn(text: string): ReadonlySet<string> {
  const values = text.replaceAll(
    /\b(?:import|export)\s+type\s[^'"`;]*?\bfrom\s*(?:'[^']*'|"[^"]*")/g,
    '',
  );
  const specifiers = values.matchAll(
    /(?:\bfrom|\bimport|\b(?:require|import)\s*\()\s*(['"])([^'"\n]+)\1/g,
  );
  return new Set(Array.from(specifiers, (it) => it[2]!));
}
