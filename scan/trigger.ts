import type { Rule } from '../rules/define-rule.ts';

/** Whether any of `rules` can find something in a text: one pass over it, for the rules whose flags agree. */
export function triggerOf(rules: readonly Rule[]): (text: string) => boolean {
  const sources = new Map<string, string[]>();
  for (const { trigger } of rules) {
    // A sticky or global expression would remember where it stopped in the last file.
    const flags = trigger.flags.replace(/[gy]/g, '');
    const known = sources.get(flags);
    if (known) known.push(trigger.source);
    else sources.set(flags, [trigger.source]);
  }
  const combined = Array.from(
    sources,
    ([flags, them]) => new RegExp(them.map((it) => `(?:${it})`).join('|'), flags),
  );
  return (text) => combined.some((expression) => expression.test(text));
}
