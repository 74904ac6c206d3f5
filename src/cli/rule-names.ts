import { rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/define-rule.ts';
import { UsageError } from './failure.ts';
import { nearest } from '../scan/nearest.ts';

/** The rule by its id, with or without `deadtime/`; names the nearest ones when there is none. */
export function ruleNamed(name: string): Rule {
  const id = name.replace(/^deadtime\//, '');
  const rule = rules.find((it) => it.id === id);
  if (rule) return rule;
  throw unknownRule(
    name,
    rules.map((it) => it.id),
  );
}

/** The named rules, each once; all rules without a name. */
export function rulesNamed(names: readonly string[] | undefined): readonly Rule[] {
  return names ? [...new Set(names.map(ruleNamed))] : rules;
}

/** `ids` are those that there are. */
export function unknownRule(name: string, ids: readonly string[]): UsageError {
  const id = name.replace(/^deadtime\//, '');
  const parts = ids.filter((it) => it.includes(id));
  const near = [...new Set([...parts, ...nearest(id, ids)])].slice(0, 3);
  const advice =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The rules are: ${ids.join(', ')}.`;
  return new UsageError(`There is no rule ${JSON.stringify(name)}. ${advice}`);
}
