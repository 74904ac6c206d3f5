import type { Searches } from '../facts/syntax/searches.ts';
import type { Rule } from '../rules/define-rule.ts';
import { searchFor } from '../rules/trigger.ts';

/** Which of some rules can find something in a text. */
export interface Triggers {
  isMet(rule: Rule, text: string): boolean;
  isAnyMet(text: string): boolean;
}

/** An expression that several rules share is looked for once in each text. */
export function triggersOf(rules: readonly Rule[], { isIn }: Searches): Triggers {
  const searches = new Map(
    rules.map(({ trigger }) => [
      trigger,
      searchFor(trigger, (expression) => (text) => isIn(text, expression)),
    ]),
  );
  const all = [...searches.values()];
  return {
    isMet: ({ trigger }, text) => searches.get(trigger)!(text),
    isAnyMet: (text) => all.some((it) => it(text)),
  };
}
