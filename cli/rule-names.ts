import { rules } from '../rules/index.ts';
import type { Rule } from '../rules/define-rule.ts';
import { UsageError } from './failure.ts';

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

/** Those that were named, each once; all of them where nobody names one. */
export function rulesNamed(names: readonly string[] | undefined): readonly Rule[] {
  return names ? [...new Set(names.map(ruleNamed))] : rules;
}

/** `ids` are those that there are. */
export function unknownRule(name: string, ids: readonly string[]): UsageError {
  const near = nearestIds(name.replace(/^deadtime\//, ''), ids);
  const advice =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The rules are: ${ids.join(', ')}.`;
  return new UsageError(`There is no rule ${JSON.stringify(name)}. ${advice}`);
}

/** At most three; a name is near when a third of it, at most, is wrong, or when it is part of the id. */
function nearestIds(name: string, ids: readonly string[]): readonly string[] {
  return ids
    .map((id) => ({ id, distance: id.includes(name) ? 0 : editDistance(name, id) }))
    .filter(({ id, distance }) => distance * 3 <= id.length)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ id }) => id);
}

/** Levenshtein's: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[b.length]!;
}
