import type { Rule } from '../rules/define-rule.ts';
import { type Search, searchFor } from '../rules/trigger.ts';

/** Which of some rules can find something in a text. */
export interface Triggers {
  isMet(rule: Rule, text: string): boolean;
  isAnyMet(text: string): boolean;
}

/** An expression that several rules share is looked for once in each text. */
export function triggersOf(rules: readonly Rule[]): Triggers {
  const expressions = new Map<RegExp, Search>();
  const searchOf = (expression: RegExp) => {
    let search = expressions.get(expression);
    if (!search) expressions.set(expression, (search = searchOfTexts(expression)));
    return search;
  };
  const searches = new Map(rules.map(({ trigger }) => [trigger, searchFor(trigger, searchOf)]));
  const all = [...searches.values()];
  return {
    isMet: ({ trigger }, text) => searches.get(trigger)!(text),
    isAnyMet: (text) => all.some((it) => it(text)),
  };
}

/**
 * Whether a text matches somewhere. It looks first where the text before did, and as far from the end: while somebody types, no
 * text is searched from its start again.
 */
function searchOfTexts({ source, flags }: RegExp): Search {
  const anywhere = new RegExp(source, flags);
  const here = new RegExp(source, `${flags}y`);
  let before = '';
  let at = before.search(anywhere);
  return (text) => {
    if (text === before) return at !== -1;
    const places = at === -1 ? [] : [at, Math.max(0, at + text.length - before.length)];
    const again = places.find((it) => {
      here.lastIndex = it;
      return here.test(text);
    });
    at = again ?? text.search(anywhere);
    before = text;
    return at !== -1;
  };
}
