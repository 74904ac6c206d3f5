/** What a text has to match before a rule can find anything in it: an expression, any of several, or all of them. */
export type Trigger =
  RegExp | { readonly any: readonly Trigger[] } | { readonly all: readonly Trigger[] };

/** Expressions that several rules share: a scan asks a text once for each. */
export const AWAIT = /\bawait\b/;
export const THEN = /\.then\b/;

export function isTriggered(
  trigger: Trigger,
  text: string,
  isMet: (expression: RegExp, text: string) => boolean = matches,
): boolean {
  if (trigger instanceof RegExp) return isMet(trigger, text);
  return 'any' in trigger
    ? trigger.any.some((it) => isTriggered(it, text, isMet))
    : trigger.all.every((it) => isTriggered(it, text, isMet));
}

function matches(expression: RegExp, text: string): boolean {
  return text.search(expression) !== -1;
}
