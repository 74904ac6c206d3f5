import { commentsBetween } from '../syntax/comments.ts';
import { startsAt } from '../syntax/places.ts';
import { wordsOf } from '../syntax/words.ts';
import type { FunctionValue } from '../file/value.ts';

/** The declarations of a project about its own functions, by their names: `release`, or with the receiver: `client.release`. */
export interface Terms {
  /** Methods of a connection, and functions with a connection as argument, that release it. */
  readonly releases: readonly string[];
  /** Functions that take over what they are given. */
  readonly owners: readonly string[];
  /** Calls that never fail as far as the project is concerned. */
  readonly safe: readonly string[];
  /** Responses with unread bodies count, too. */
  readonly bodies: boolean;
}

export const NO_TERMS: Terms = { releases: [], owners: [], safe: [], bodies: false };

const ANNOTATION = /@deadtime\s+releases\b/;

/** A function under a comment with `@deadtime releases`: it releases its argument. */
export function isAnnotatedReleaser({ file, node }: FunctionValue): boolean {
  const start = startsAt(node);
  return commentsBetween(file.source.comments, start - MAXIMUM_HEADER, start).some(
    ({ range, value }) => ANNOTATION.test(value) && isHeader(file.text.slice(range[1], start)),
  );
}

/** Between a comment and the function that it is about stand names and keywords only. */
function isHeader(text: string): boolean {
  return text.length < MAXIMUM_HEADER && /^[\s\w$=:#<>,|.]*$/.test(text);
}

/** `export const name: Type = async`; a longer text holds something else. */
const MAXIMUM_HEADER = 200;

/** A key for caches that depend on the terms. */
export function keyOfTerms({ releases, owners, safe, bodies }: Terms): string {
  return releases.length + owners.length + safe.length === 0 && !bodies
    ? ''
    : JSON.stringify([releases, owners, safe, bodies]);
}

/** Methods of unknown meaning whose names speak of an end, by a word of their own: `findOne` has no `done`, nor `extend` an `end`. */
// veto: the name of the method states an end, so it may release the connection
const MAY_RELEASE =
  /\b(?:release|clos[ei]|end\b|destroy|done\b|dispos[ei]|free\b|return|commit|roll ?back|finish|disconnect|quit|terminat[ei]|clean ?up)/;

export function mayRelease(name: string): boolean {
  return MAY_RELEASE.test(wordsOf(name));
}
