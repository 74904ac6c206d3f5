import type { NameKind } from '../analysis/file/source.ts';
import { namesLoadedIn } from './loaded-names.ts';
import { modelsMadeIn } from './model-names.ts';
import { typesNamedIn } from './named-types.ts';
import { namesPutIn } from './put-names.ts';

/** A kind and a name, as one string. */
export type NameKey = `${NameKind} ${string}`;

export function kindOf(key: NameKey): NameKind {
  return key.slice(0, key.indexOf(' ')) as NameKind;
}

/** Longer files are generated or bundled: nothing that a person wrote for others. */
export const MAXIMUM_FILE = 1_000_000;

/** Only TypeScript has types to name. */
const TYPED = /(?<!\.d)\.[cm]?tsx?$/;

export const NAME_KINDS: readonly NameKind[] = ['type', 'put', 'load', 'model'];

/** What other files may ask about the text of the file at `path`. */
export function namesIn(
  text: string,
  path: string,
  kinds: readonly NameKind[] = NAME_KINDS,
): ReadonlySet<NameKey> {
  if (text.length > MAXIMUM_FILE) return NO_NAMES;
  const keys = new Set<NameKey>();
  for (const kind of kinds) {
    if (kind === 'type' && !TYPED.test(path)) continue;
    for (const name of FOUND[kind](text)) keys.add(`${kind} ${name}`);
  }
  return keys;
}

const FOUND: Readonly<Record<NameKind, (text: string) => Iterable<string>>> = {
  type: typesNamedIn,
  put: namesPutIn,
  load: namesLoadedIn,
  model: modelsMadeIn,
};

/** Whether the index has this kind of name. Files of other names are unresolved. */
export function isAsked(kind: NameKind, name: string): boolean {
  return ASKED[kind].test(name);
}

const ASKED: Readonly<Record<NameKind, RegExp>> = {
  type: /^[A-Z_$][\w$]*$/,
  put: /^[\w$]+$/,
  load: /^[\w$@.~#-]+$/,
  model: /^[\w$.-]+$/,
};

export const NO_NAMES: ReadonlySet<NameKey> = new Set();
