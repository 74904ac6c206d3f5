/** A word or phrase that readers of Deadtime do not meet, and what to write instead. */
export interface Word {
  readonly not: RegExp;
  readonly use: string;
}

/** The left column of the glossary. A word with several meanings is here by the phrases that have the meaning in question. */
export const words: readonly Word[] = [
  { not: /\bmend(?:s|ed|ing)?\b/i, use: 'fix; "after" for the side of a benchmark' },
  { not: /\bflagged\b/i, use: 'reported; "before" for the side of a benchmark' },
  { not: /\b(?:told|tells?|telling)\b/i, use: 'reported, declared, printed, distinguish' },
  { not: /\blook(?:s|ed|ing)? (?:at|into)\b/i, use: 'analyse, scan, follow' },
  { not: /\banew\b/i, use: 'recomputed, rebuilt, again' },
  { not: /\b(?:is|are|was|were) another\b/i, use: 'changed, different' },
  { not: /\bin line\b(?! (?:with|\d))/i, use: 'sequentially, one at a time' },
  { not: /\bone after (?:the other|another)\b/i, use: 'sequentially, one at a time' },
  { not: /\bside by side\b|\bbeside\b/i, use: 'concurrently, alongside, next to' },
  {
    not: /\b(?:gives?|given|gave|giving)(?: (?:it|them|that|this|one|no|the|a|an|its|their|all|[\w’]+)){0,4} back\b/i,
    use: 'release (a connection), return (a value)',
  },
  {
    not: /\b(?:takes?|taken|took|taking)(?: (?:an?|the|another|one|its|their|no|second|new|own|of|further)){0,3} (?:connections?|clients?)\b/i,
    use: 'acquire, check out',
  },
  {
    not: /\b(?:connections?|clients?)(?: (?:that|which))?(?: (?:is|are|was|were|has been|have been|be))? taken\b/i,
    use: 'acquired, checked out',
  },
  { not: /\blent\b|\bon loan\b/i, use: 'borrowed, checked out' },
  { not: /\b(?:services?|calls?|code|files?) of others\b/i, use: 'third-party' },
  { not: /\bswitch(?:es|ed|ing)?(?: [\w’-]+){0,4} off\b/i, use: 'disable' },
  {
    not: /\bsilent about\b|\blea(?:ve|ves|ving) (?:[\w’-]+ ){0,3}alone\b|\bleft alone\b/i,
    use: 'does not report, ignores',
  },
  { not: /\bfor ever\b/i, use: 'indefinitely, without a time-out' },
  { not: /\b(?:runs?|ran|running) (?:empty|dry)\b/i, use: 'is exhausted' },
  { not: /\bat (?:the same moment|once)\b/i, use: 'concurrently, immediately' },
  { not: /\bnap(?:s|ped|ping)?\b/i, use: 'sleep' },
  { not: /\b(?:is|are|was|were|be|been) looked for\b/i, use: 'queried, searched' },
  { not: /\bways? out\b|\bby way of\b/i, use: 'path, branch, through' },
  {
    not: /\brounds? of (?:an?|the|its|each|every|this|such an?) (?:\w+ )?loops?\b|\b(?:each|every|next|one|first|last|same|later|earlier|another) rounds?\b(?! trip)/i,
    use: 'iteration',
  },
  { not: /\b(?:say|says|said|saying)\b/i, use: 'declare, state, contain' },
  { not: /\b(?:know|knows|knew)\b/i, use: 'resolve, support, have' },
  {
    not: /(?<!well-)\bknown\b(?! (?:issue|bug|limitation|problem|vulnerabilit))/i,
    use: 'resolved, recorded',
  },
  {
    not: /\bunknown (?:callees?|calls?|effects?|work|functions?|imports?)\b|\b(?:callees?|calls?|effects?|work|functions?|imports?) (?:is|are|stays?|remains?) unknown\b/i,
    use: 'unresolved',
  },
  { not: /\b(?:stands?|stood)\b(?! for\b|-)/i, use: 'is, is located' },
  { not: /\bkept answers?\b/i, use: 'cache, cached result' },
  {
    not: /\b(?:no|some|any|every)body\b|\bwho(?:so)?ever\b|\bwhatever\b|\bwhichever\b/i,
    use: 'the name of the actor or of the thing',
  },
  { not: /\bthe one (?:of|that|which|in|on|at|who)\b/i, use: 'the noun' },
  {
    not: /\bthe others?\b(?=[.,;:)]| (?:is|are|was|were|has|have|does|do|waits?|runs?|takes?|goes?|would|may|can|must|will|still|then)\b)/i,
    use: 'the noun',
  },
];

/** One place per match: the phrase, and what to write instead. */
export function matchesOf(text: string): readonly string[] {
  return words.flatMap(({ not, use }) =>
    [...text.matchAll(new RegExp(not.source, `${not.flags}g`))].map(
      ({ 0: phrase, index }) =>
        `"${phrase.replaceAll(/\s+/g, ' ')}" (write: ${use}) in: ${excerptAt(text, index)}`,
    ),
  );
}

function excerptAt(text: string, index: number): string {
  return text
    .slice(Math.max(0, index - 50), index + 60)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
