import type { Mistake, MistakePath } from './mistake.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** JSON as tsconfig.json is written: comments, trailing commas and a byte order mark are fine; broken text is undefined. */
export function jsonOf(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    try {
      return JSON.parse(withoutComments(text)) as Json;
    } catch {
      return undefined;
    }
  }
}

/** What nothing closes goes to the end: to look for its end from each place in it would take a time that grows squared. */
function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:\\.|[^"\\])*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
      (_, string?: string) => string ?? '',
    )
    .replace(/("(?:\\.|[^"\\])*"?)|,(?=\s*[}\]])/g, (_, string?: string) => string ?? '');
}

/** A property of an object; never one that it inherits. */
export function field(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.hasOwn(value, name)
      ? value[name]
      : undefined
    : undefined;
}

export function stringField(value: Json | undefined, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function entriesOf(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** The same of what has to be an object where it is there, with its `name` for people; adds to `mistakes` where it is none. */
export function namedEntries(
  value: Json | undefined,
  at: MistakePath,
  name: string,
  mistakes: Mistake[],
): [string, Json][] {
  if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
    mistakes.push({ at, text: `${name} is an object: { … }.` });
  return entriesOf(value);
}

/** A string or a list, as a list of strings. */
export function stringsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
}
