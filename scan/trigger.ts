import type { Rule } from '../rules/define-rule.ts';
import type { Trigger } from '../rules/trigger.ts';

/** Which of some rules can find something in a text. */
export interface Triggers {
  isMet(rule: Rule, text: string): boolean;
  isAnyMet(text: string): boolean;
}

type Search = (text: string) => boolean;

/** An expression that several rules share is looked for once in each text. */
export function triggersOf(rules: readonly Rule[]): Triggers {
  const searches = new Map<Trigger, Search>();
  const searchOf = (trigger: Trigger): Search => {
    let search = searches.get(trigger);
    if (!search) searches.set(trigger, (search = madeSearch(trigger, searchOf)));
    return search;
  };
  const byRule = new Map(rules.map((it) => [it, searchOf(it.trigger)]));
  const all = [...new Set(byRule.values())];
  return {
    isMet: (rule, text) => byRule.get(rule)!(text),
    isAnyMet: (text) => all.some((it) => it(text)),
  };
}

function madeSearch(trigger: Trigger, searchOf: (part: Trigger) => Search): Search {
  if (trigger instanceof RegExp) return searchFor(trigger);
  if ('any' in trigger) {
    const parts = trigger.any.map(searchOf);
    return (text) => parts.some((it) => it(text));
  }
  const parts = trigger.all.map(searchOf);
  return (text) => parts.every((it) => it(text));
}

/**
 * Whether a text matches somewhere. It looks first where the text before did, and as far from the end: while somebody types, no
 * text is searched from its start again.
 */
function searchFor({ source, flags }: RegExp): Search {
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
