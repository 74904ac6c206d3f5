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
  const combined = Array.from(sources, ([flags, them]) =>
    metIn(them.map((it) => `(?:${it})`).join('|'), flags),
  );
  return (text) => combined.some((isMet) => isMet(text));
}

/**
 * Whether a text matches somewhere. It looks first where the text before did, and as far from the end: while somebody types, no
 * text is searched from its start again.
 */
function metIn(source: string, flags: string): (text: string) => boolean {
  const anywhere = new RegExp(source, flags);
  const here = new RegExp(source, `${flags}y`);
  let [at, length] = [0, 0];
  return (text) => {
    const places = [at, Math.max(0, at + text.length - length)];
    const again = places.find((it) => {
      here.lastIndex = it;
      return here.test(text);
    });
    const found = again ?? text.search(anywhere);
    [at, length] = [Math.max(0, found), text.length];
    return found !== -1;
  };
}
