/** What `*` stands for when `pattern` matches `text`; '' where the pattern has no star; undefined where it does not match. */
export function patternMatch(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === text ? '' : undefined;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
    ? text.slice(head.length, text.length - tail.length)
    : undefined;
}

/** Of one table, tried for every import: more than that no project has by far. */
export const MOST_PATTERNS = 1_000;
export const TOO_MANY_PATTERNS =
  'has over 1,000 names with stars in one table: the rest is ignored';
