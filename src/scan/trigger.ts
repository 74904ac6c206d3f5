import type { Searches } from '../analysis/syntax/searches.ts';
import type { Rule } from '../../rules/define-rule.ts';
import { isTriggered } from '../../rules/trigger.ts';

/** Which of some rules can find something in a text. */
export interface Triggers {
  isMet(rule: Rule, text: string): boolean;
  isAnyMet(text: string): boolean;
}

/** An expression that several rules share is searched once in each text. */
export function triggersOf(rules: readonly Rule[], { isIn }: Searches): Triggers {
  const isMet = ({ trigger }: Rule, text: string) => isTriggered(trigger, text, isIn);
  return { isMet, isAnyMet: (text) => rules.some((it) => isMet(it, text)) };
}
