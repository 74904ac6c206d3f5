import { connectionCall, connectionMaker } from '../src/analysis/provenance/connection-names.ts';
import { isInText } from '../src/analysis/syntax/searches.ts';

/** The condition on a text for findings of a rule: an expression, any of several, or all of them. */
export type Trigger =
  RegExp | { readonly any: readonly Trigger[] } | { readonly all: readonly Trigger[] };

/** Expressions that several rules share: a scan asks a text once for each. */
export const AWAIT = /\bawait\b/;
export const THEN = /\.then\b/;

/** A function that is given to another one, which may run it in a loop. */
export const GIVEN = /[(,]\s*async\b/;

/**
 * A call that uses a connection, in a text that awaits something (also by a callback with an error as first parameter) or may
 * create a connection. Without either, a name such as `session` mostly means something else, and parsing takes time.
 */
export const CONNECTION: Trigger = {
  all: [
    { any: [AWAIT, THEN, /\(\s*(?:e|er|err|error)\s*[,:)]/i, connectionMaker] },
    connectionCall,
  ],
};

/** `isIn` is how to look for an expression in a text. */
export function isTriggered(trigger: Trigger, text: string, isIn = isInText): boolean {
  if (trigger instanceof RegExp) return isIn(text, trigger);
  return 'any' in trigger
    ? trigger.any.some((it) => isTriggered(it, text, isIn))
    : trigger.all.every((it) => isTriggered(it, text, isIn));
}
