import { dirname, resolve } from 'node:path';
import {
  effectNamed,
  environments,
  isTypeName,
  operations,
} from '../analysis/provenance/declarations.ts';
import { type DeclaredFunction, type Declarations } from '../analysis/file/declared.ts';
import { libraryNamed, libraryNames } from '../analysis/model/index.ts';
import { type ByFolder, byConfiguration, type ConfigurationFile } from './configuration-file.ts';
import type { Files } from './files.ts';
import { field, type Json, namedEntries } from './json.ts';
import type { Mistake } from './mistake.ts';
import type { Tree } from './tree.ts';

/** What the nearest configuration of each file declares; undefined where there is none. */
export function declarationsBy(files: Files, tree: Tree): ByFolder<Declarations | undefined> {
  return byConfiguration(files, tree, (it) => it && declarationsFrom(it).declarations);
}

/**
 * Reads `{ "packages": { "treatAs": { "@acme/db": "pg" } }, "types": { "src/db.ts#query": { "effect": "db.read" } } }`;
 * `mistakes` are what means nothing, each with what to write instead.
 */
export function declarationsFrom({ path, json }: ConfigurationFile): {
  readonly declarations: Declarations;
  readonly mistakes: readonly Mistake[];
} {
  const mistakes: Mistake[] = [];
  const libraries = new Map<string, string>();
  const packages = field(json, 'packages');
  for (const [name] of namedEntries(packages, ['packages'], '"packages"', mistakes)) {
    if (name === 'treatAs') continue;
    const text = `"packages" has no key ${JSON.stringify(name)}. It has "treatAs".`;
    mistakes.push({ at: ['packages', name], text });
  }
  const inTreatAs = ['packages', 'treatAs'];
  const treatAs = namedEntries(field(packages, 'treatAs'), inTreatAs, '"treatAs"', mistakes);
  for (const [specifier, name] of treatAs) {
    if (typeof name === 'string' && libraryNamed(name)) libraries.set(specifier, name);
    else
      mistakes.push({
        at: [...inTreatAs, specifier],
        text: `"treatAs" of ${JSON.stringify(specifier)} is one of ${libraryNames.join(', ')}.`,
      });
  }
  const functions = new Map<string, Map<string, DeclaredFunction>>();
  for (const [place, said] of namedEntries(field(json, 'types'), ['types'], '"types"', mistakes)) {
    const at = place.lastIndexOf('#');
    const [module, name] = [place.slice(0, at), place.slice(at + 1)];
    if (at < 1 || name === '') {
      const text = `"types" has names like "src/db.ts#query", not ${JSON.stringify(place)}.`;
      mistakes.push({ at: ['types', place], text });
      continue;
    }
    // Its extension distinguishes a path from a package's specifier.
    const key = /\.[cm]?[jt]sx?$/.test(module) ? resolve(dirname(path), module) : module;
    const known = functions.get(key) ?? new Map<string, DeclaredFunction>();
    functions.set(key, known.set(name, functionFrom(said, place, mistakes)));
  }
  return { declarations: { libraries, functions }, mistakes };
}

const names = ['effect', 'acquires', 'releases'];

function functionFrom(json: Json, place: string, mistakes: Mistake[]): DeclaredFunction {
  const at = ['types', place];
  const add = (name: string, text: string) =>
    mistakes.push({ at: [...at, name], text: `${JSON.stringify(place)}: ${text}` });
  for (const [name] of namedEntries(json, at, JSON.stringify(place), mistakes)) {
    if (!names.includes(name)) {
      add(
        name,
        `there is no key ${JSON.stringify(name)}. The keys are "effect", "acquires" and "releases".`,
      );
    }
  }
  const [written, acquires, releases] = names.map((it) => field(json, it));
  const effect = typeof written === 'string' ? effectNamed(written) : undefined;
  if (written !== undefined && !effect) {
    add(
      'effect',
      `"effect" is one of ${environments.join(', ')}, a dot and one of ${operations.join(', ')}.`,
    );
  }
  const isType = typeof acquires === 'string' && isTypeName(acquires);
  if (acquires !== undefined && acquires !== false && !isType) {
    add('acquires', '"acquires" is a type of a library, such as "pg.PoolClient", or false.');
  }
  const isPlace = typeof releases === 'number' || typeof releases === 'string';
  if (releases !== undefined && !isPlace) {
    add('releases', '"releases" is the index or the name of a parameter.');
  }
  return {
    ...(effect && { effect }),
    ...(isType && { acquires }),
    ...(isPlace && { releases }),
  };
}
