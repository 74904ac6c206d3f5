import { dirname, join, resolve } from 'node:path';
import type { Library } from '../analysis/model/schema.ts';
import { declaredLibrary } from '../analysis/provenance/declarations.ts';
import type { DeclaredFunction, Declarations } from '../analysis/file/declared.ts';
import { libraryNamed, libraryNames } from '../analysis/model/index.ts';
import { type ByFolder, byConfiguration, type ConfigurationFile } from './configuration-file.ts';
import { functionFrom, functionNamed } from './declared-functions.ts';
import type { Files } from './files.ts';
import { field, namedEntries, stringField } from './json.ts';
import type { Mistake } from './mistake.ts';
import {
  FACTS_FILE,
  hashOfFunction,
  type RecordedFact,
  type RecordedFacts,
  recordedFactsFrom,
  standingOf,
} from './recorded-facts.ts';
import type { Tree } from './tree.ts';

/** What a configuration declares. */
export interface Configured extends Pick<Declarations, 'libraries'> {
  /** Of files by their absolute paths, and of packages by their specifiers. */
  readonly functions: ReadonlyMap<string, ReadonlyMap<string, DeclaredFunction>>;
  /** The profile that it sets, whether or not there is one of that name. */
  readonly profile: string | undefined;
}

/** Which facts apply besides the confirmed ones. Absent: all of them where the configuration sets a profile that shows assumptions. */
export interface DeclarationsOptions {
  readonly usesUnconfirmed?: boolean | undefined;
}

/** What the nearest configuration of each file and the facts of its repository declare; undefined where there is neither. */
export function declarationsBy(
  files: Files,
  tree: Tree,
  { usesUnconfirmed }: DeclarationsOptions = {},
): ByFolder<Declarations | undefined> {
  const configured = byConfiguration(files, tree, (it) => it && declarationsFrom(it).declarations);
  const recorded = factsByRoot(files, tree);
  const made = new Map<string, Map<Configured | undefined, Declarations | undefined>>();
  return {
    for(path) {
      const own = configured.for(path);
      const root = tree.rootOf(dirname(path));
      const byConfigured = made.get(root) ?? new Map<typeof own, Declarations | undefined>();
      if (!byConfigured.has(own)) {
        const isUsed = usesUnconfirmed ?? /^(?:strict|audit)$/.test(own?.profile ?? '');
        byConfigured.set(own, joined(own, recorded.for(root), { root, usesUnconfirmed: isUsed }));
        made.set(root, byConfigured);
      }
      return byConfigured.get(own);
    },
    forget() {
      made.clear();
      recorded.forget();
      configured.forget();
    },
    stale: () => [...configured.stale(), ...recorded.stale()],
  };
}

/** The recorded facts of a repository, by its root. */
function factsByRoot(files: Files, tree: Tree): ByFolder<RecordedFacts> {
  const known = new Map<string, RecordedFacts>();
  const stamps = new Map<string, string | undefined>();
  const readIn = (root: string): RecordedFacts => {
    const path = join(root, FACTS_FILE);
    if (tree.kindOf(path) !== 'file' || !tree.isInside(path)) return new Map();
    stamps.set(path, files.stamp(path));
    const { facts, mistakes } = recordedFactsFrom(files.read(path) ?? '');
    const [first] = mistakes;
    if (first) tree.leaveOut(path, `some facts do not apply: ${first.text}`);
    return facts;
  };
  return {
    for(root) {
      const facts = known.get(root) ?? readIn(root);
      known.set(root, facts);
      return facts;
    },
    forget() {
      known.clear();
      stamps.clear();
    },
    stale: () => [...stamps].flatMap(([path, it]) => (files.stamp(path) === it ? [] : [path])),
  };
}

/** The configuration has the last word. */
function joined(
  configured: Configured | undefined,
  recorded: RecordedFacts,
  { root, usesUnconfirmed }: { readonly root: string; readonly usesUnconfirmed: boolean },
): Declarations | undefined {
  if (!configured && recorded.size === 0) return undefined;
  let hasAssumptions = false;
  const functions = new Map<string, Map<string, DeclaredFunction>>();
  const versions = new Map<string, Map<string, Map<string, DeclaredFunction>>>();
  for (const [id, fact] of recorded) {
    const named = functionNamed(id);
    const said = saidBy(fact, id, usesUnconfirmed);
    if (!named || !said) continue;
    hasAssumptions ||= said.assumed !== undefined;
    if (named.isOfFile) put(functions, resolve(root, named.module), named.name, said);
    else {
      const byVersion =
        versions.get(named.module) ?? new Map<string, Map<string, DeclaredFunction>>();
      versions.set(named.module, byVersion);
      put(byVersion, fact.version!, named.name, said);
    }
  }
  const packages = new Map<string, Library[]>();
  for (const [module, its] of configured?.functions ?? []) {
    if (functionNamed(`${module}#it`)!.isOfFile)
      for (const [name, it] of its) put(functions, module, name, it);
    else packages.set(module, [declaredLibrary(module, its)]);
  }
  for (const [module, byVersion] of versions) {
    const own = packages.get(module) ?? [];
    const others = Array.from(byVersion, ([it, its]) => declaredLibrary(module, its, it));
    packages.set(module, [...own, ...others]);
  }
  const libraries = configured?.libraries ?? new Map<string, string>();
  return { libraries, functions, packages, hasAssumptions };
}

function put<K>(
  all: Map<K, Map<string, DeclaredFunction>>,
  key: K,
  name: string,
  said: DeclaredFunction,
): void {
  const its = all.get(key) ?? new Map<string, DeclaredFunction>();
  all.set(key, its.set(name, said));
}

function saidBy(
  fact: RecordedFact,
  id: string,
  usesUnconfirmed: boolean,
): DeclaredFunction | undefined {
  const { said, isConfirmed = false } = standingOf(fact) ?? {};
  const { hash } = fact;
  if (!said || !(isConfirmed || usesUnconfirmed)) return undefined;
  const about = hash !== undefined && {
    about: { hash, matches: (text: string) => hashOfFunction(text) === hash },
  };
  return { ...said, ...about, ...(!isConfirmed && { assumed: id }) };
}

/**
 * Reads `{ "packages": { "treatAs": { "@acme/db": "pg" } }, "types": { "src/db.ts#query": { "effect": "db.read" } } }`;
 * `mistakes` are what means nothing, each with what to write instead.
 */
export function declarationsFrom({ path, json }: ConfigurationFile): {
  readonly declarations: Configured;
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
    const at = ['types', place];
    const named = functionNamed(place);
    if (!named) {
      const text = `"types" has names like "src/db.ts#query", not ${JSON.stringify(place)}.`;
      mistakes.push({ at, text });
      continue;
    }
    const key = named.isOfFile ? resolve(dirname(path), named.module) : named.module;
    put(functions, key, named.name, functionFrom(said, { at, place }, mistakes));
  }
  return {
    declarations: { libraries, functions, profile: stringField(json, 'profile') },
    mistakes,
  };
}
