import { basename, dirname, join } from 'node:path';
import type { Files } from './files.ts';
import { field, type Json, jsonOf } from './json.ts';
import { FACTS_FILE } from './recorded-facts.ts';
import type { Tree } from './tree.ts';

/** The configuration for the files of a folder. */
export interface ConfigurationFile {
  readonly path: string;
  /** Undefined for a file that is no JSON, and for code that was not run, or gave no result. */
  readonly json: Json | undefined;
  /** What `json` was read from; undefined for code. */
  readonly text?: string;
  /** The keys on the way to `json` in `text`: none but in a package.json. */
  readonly at?: readonly string[];
  /** It exists, but its content could not be read. */
  readonly isUnreadable?: true;
  /** It is code that was run: why that gave no configuration, in words that follow the path. */
  readonly failure?: string;
}

/** In the order in which they count; the last of a folder is `deadtime` in its package.json. */
const dataNames = ['json', 'jsonc'].map((it) => `deadtime.config.${it}`);
/** Run where the files allow it (`Files.run`), and also found elsewhere, so that users do not expect it to apply. */
const codeNames = ['js', 'mjs', 'cjs', 'ts', 'mts'].map((it) => `deadtime.config.${it}`);

/** Whether a configuration or recorded facts may be written there. */
export function isConfiguration(path: string): boolean {
  const name = basename(path);
  return [...dataNames, ...codeNames, 'package.json', FACTS_FILE].includes(name);
}

/**
 * The result of `make` for the nearest configuration from a file upwards, up to the beginning of its project, once per folder.
 */
export interface ByFolder<T> {
  /** For the file at an absolute path; the same object for all files with the same configuration. */
  for(path: string): T;
  /** A file was written or removed. */
  forget(): void;
  /** The configurations that were written or removed since they were read, for hosts without notifications. */
  stale(): readonly string[];
}

/** Undefined where there is none. `tree` resolves where projects begin: a configuration above one does not apply to it. */
export function byConfiguration<T>(
  files: Files,
  tree: Pick<Tree, 'rootOf' | 'isInside' | 'forget'>,
  make: (file: ConfigurationFile | undefined) => T,
): ByFolder<T> {
  const known = new Map<string, T>();
  const stamps = new Map<string, string | undefined>();
  let nowhere: { readonly made: T } | undefined;
  const inFolder = (folder: string): T => {
    if (known.has(folder)) return known.get(folder)!;
    const own = configurationIn(folder, files, tree);
    if (own) stamps.set(own.path, files.stamp(own.path));
    const found = own
      ? make(own)
      : folder === tree.rootOf(folder)
        ? (nowhere ??= { made: make(undefined) }).made
        : inFolder(dirname(folder));
    known.set(folder, found);
    return found;
  };
  // Mostly the question is about the file under analysis.
  let last: { readonly path: string; readonly made: T } | undefined;
  return {
    for(path) {
      if (last?.path !== path) last = { path, made: inFolder(dirname(path)) };
      return last.made;
    },
    forget() {
      last = undefined;
      known.clear();
      stamps.clear();
      nowhere = undefined;
      tree.forget();
    },
    stale: () => [...stamps].flatMap(([path, it]) => (files.stamp(path) === it ? [] : [path])),
  };
}

/** What another project or the user keeps there is not to be read, nor quoted in a message. */
const LEADS_OUT =
  'is a link that leads out of the project. Replace it with the configuration file.';

function presenceIn(folder: string, files: Files): (name: string) => boolean {
  const names = files.list(folder)?.kinds;
  // Who may not list a folder may still read in it.
  return (name) => names?.has(name) ?? files.stamp(join(folder, name)) !== undefined;
}

function configurationIn(
  folder: string,
  files: Files,
  tree: Pick<Tree, 'isInside'>,
): ConfigurationFile | undefined {
  const isThere = presenceIn(folder, files);
  const elsewhere = (path: string) => (tree.isInside(path) ? undefined : LEADS_OUT);
  const data = dataNames.find(isThere);
  if (data !== undefined) {
    const path = join(folder, data);
    const failure = elsewhere(path);
    if (failure !== undefined) return { path, json: undefined, failure };
    const text = files.read(path);
    return text === undefined
      ? { path, json: undefined, isUnreadable: true }
      : { path, json: jsonOf(text), text };
  }
  const code = codeNames.find(isThere);
  if (code !== undefined) {
    const path = join(folder, code);
    const failure = elsewhere(path);
    return { path, json: undefined, ...(failure === undefined ? files.run?.(path) : { failure }) };
  }
  if (!isThere('package.json')) return undefined;
  const path = join(folder, 'package.json');
  if (!tree.isInside(path)) return undefined;
  // A package.json that is broken is for others to complain about.
  const text = files.read(path);
  const json = field(jsonOf(text), 'deadtime');
  return json === undefined || text === undefined
    ? undefined
    : { path, json, text, at: ['deadtime'] };
}
