import type { DeclaredFunction } from '../analysis/file/declared.ts';
import {
  effectNamed,
  environments,
  isTypeName,
  operations,
} from '../analysis/provenance/declarations.ts';
import { field, type Json, namedEntries } from './json.ts';
import type { Mistake, MistakePath } from './mistake.ts';

/** A function by its module, a path or a package's specifier, and its name there: `Store.read`. */
export interface FunctionName {
  readonly module: string;
  readonly name: string;
  /** Its extension distinguishes a path from a package's specifier. */
  readonly isOfFile: boolean;
}

/** `src/store.ts#Store.read`, `@acme/db#query`; undefined for what names no function. */
export function functionNamed(text: string): FunctionName | undefined {
  const at = text.lastIndexOf('#');
  const [module, name] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name === '') return undefined;
  return { module, name, isOfFile: /\.[cm]?[jt]sx?$/.test(module) };
}

const names = ['effect', 'acquires', 'releases'];

/** Reads `{ "effect": "redis.read" }`, which is at `at` and declares what `place` does. */
export function functionFrom(
  json: Json,
  { at, place }: { readonly at: MistakePath; readonly place: string },
  mistakes: Mistake[],
): DeclaredFunction {
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
      `"effect" is "none", or one of ${environments.join(', ')}, a dot and one of ${operations.join(', ')}.`,
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
