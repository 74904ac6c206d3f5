/** More alternatives than that nobody writes by hand. */
const MOST = 100;

/**
 * Whether a path, with forward slashes, is what a project's glob says: `*`, `?`, `**` and `{a,b}`. In time proportional to both
 * lengths, which a regular expression made of somebody's stars is not.
 */
export function globTest(glob: string): (path: string) => boolean {
  const all = alternativesOf(glob).map((it) => it.match(/\*\*\/?|[^]/g) ?? []);
  return (path) => all.some((it) => fits(it, path));
}

function alternativesOf(glob: string): readonly string[] {
  // Every other part is a group.
  const parts = glob.split(/\{([^{}]*)\}/).map((it, i) => (i % 2 === 0 ? [it] : it.split(',')));
  return parts.reduce(
    (all, ways) => all.flatMap((it) => ways.map((way) => it + way)).slice(0, MOST),
    [''],
  );
}

function fits(tokens: readonly string[], path: string): boolean {
  /** Whether the tokens before each place can be what was read so far. */
  let reached = [true];
  for (const [i, it] of tokens.entries()) reached.push(reached[i]! && isStar(it));
  for (const character of path) {
    const next = [false];
    for (const [i, it] of tokens.entries()) {
      const isRead = reached[isStar(it) ? i + 1 : i]! && accepts(it, character);
      next.push(isRead || (isStar(it) && next[i]!));
    }
    reached = next;
  }
  return reached.at(-1)!;
}

function isStar(token: string): boolean {
  return token.startsWith('*');
}

function accepts(token: string, character: string): boolean {
  if (token.startsWith('**')) return true;
  return token === '*' || token === '?' ? character !== '/' : token === character;
}
