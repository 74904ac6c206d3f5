import { basename, dirname, join } from 'node:path';
import type { Files } from './files.ts';
import { field, type Json, jsonOf } from './json.ts';

/** What somebody wrote about the files of a folder. */
export interface ConfigurationFile {
  readonly path: string;
  /** Undefined for what is no JSON. */
  readonly json: Json | undefined;
  /** It is there, and nobody knows what it says. */
  readonly isUnreadable?: true;
}

/** Other tools run these. */
const codeNames = ['js', 'mjs', 'cjs', 'ts', 'mts'].map((it) => `deadtime.config.${it}`);

/** The nearest of these from a file upwards, up to the repository's top; then package.json's `deadtime`. */
const configurationNames = ['deadtime.config.json', 'deadtime.config.jsonc'] as const;

/** Whether a configuration may be written there. */
export function isConfiguration(path: string): boolean {
  const name = basename(path);
  return name === 'package.json' || configurationNames.some((it) => it === name);
}

/** What is made of the nearest configuration, once for each folder. Configuration is data: nothing is run to read it. */
export interface ByFolder<T> {
  /** For the file at an absolute path; the same object for all files with the same configuration. */
  for(path: string): T;
  /** A file was written or removed. */
  forget(): void;
  /** The configurations that were written or removed since they were read, for hosts that nobody notifies. */
  stale(): readonly string[];
}

/** Undefined is where nobody has written one. */
export function byConfiguration<T>(
  files: Files,
  make: (file: ConfigurationFile | undefined) => T,
): ByFolder<T> {
  const known = new Map<string, T>();
  const stamps = new Map<string, string | undefined>();
  let nowhere: { readonly made: T } | undefined;
  const inFolder = (folder: string): T => {
    if (known.has(folder)) return known.get(folder)!;
    const isTop = folder === dirname(folder) || files.stamp(join(folder, '.git')) !== undefined;
    const own = configurationIn(folder, files) ?? (isTop ? codeIn(folder, files) : undefined);
    if (own) stamps.set(own.path, files.stamp(own.path));
    const found = own
      ? make(own)
      : isTop
        ? (nowhere ??= { made: make(undefined) }).made
        : inFolder(dirname(folder));
    known.set(folder, found);
    return found;
  };
  return {
    for: (path) => inFolder(dirname(path)),
    forget() {
      known.clear();
      stamps.clear();
      nowhere = undefined;
    },
    stale: () => [...stamps].flatMap(([path, it]) => (files.stamp(path) === it ? [] : [path])),
  };
}

/** Found where most people write one, to be told that it is not run. */
function codeIn(folder: string, files: Files): ConfigurationFile | undefined {
  const path = codeNames.map((it) => join(folder, it)).find((it) => files.stamp(it) !== undefined);
  return path === undefined ? undefined : { path, json: undefined };
}

function configurationIn(folder: string, files: Files): ConfigurationFile | undefined {
  for (const name of configurationNames) {
    const path = join(folder, name);
    const text = files.read(path);
    if (text !== undefined) return { path, json: jsonOf(text) };
    if (files.stamp(path) !== undefined) return { path, json: undefined, isUnreadable: true };
  }
  const path = join(folder, 'package.json');
  // A package.json that is broken is for others to complain about.
  const json = field(jsonOf(files.read(path)), 'deadtime');
  return json === undefined ? undefined : { path, json };
}
