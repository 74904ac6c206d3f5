import { connectionCall, connectionMaker } from '../facts/contexts/connection-names.ts';

/** What a text has to match before a rule can find anything in it: an expression, any of several, or all of them. */
export type Trigger =
  RegExp | { readonly any: readonly Trigger[] } | { readonly all: readonly Trigger[] };

/** Expressions that several rules share: a scan asks a text once for each. */
export const AWAIT = /\bawait\b/;
export const THEN = /\.then\b/;

/**
 * A call that deals with a connection, where something is waited for (also by a callback that is given an error first), or one
 * may be made: where neither is, a name such as `session` mostly means something else, and parsing to know takes its time.
 */
export const CONNECTION: Trigger = {
  all: [
    { any: [AWAIT, THEN, /\(\s*(?:e|er|err|error)\s*[,:)]/i, connectionMaker] },
    connectionCall,
  ],
};

export type Search = (text: string) => boolean;

/** How to look for a trigger in texts, by how to look for an expression. */
export function searchFor(trigger: Trigger, searchOf: (expression: RegExp) => Search): Search {
  if (trigger instanceof RegExp) return searchOf(trigger);
  if ('any' in trigger) {
    const parts = trigger.any.map((it) => searchFor(it, searchOf));
    return (text) => parts.some((it) => it(text));
  }
  const parts = trigger.all.map((it) => searchFor(it, searchOf));
  return (text) => parts.every((it) => it(text));
}

export function isTriggered(trigger: Trigger, text: string): boolean {
  return searchFor(trigger, (it) => (whole) => whole.search(it) !== -1)(text);
}
