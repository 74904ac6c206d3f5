/** More alternatives than that nobody writes by hand. */
const MOST = 100;

/**
 * Whether a path, with forward slashes, is what a project's glob says: `*`, `?`, `**` and `{a,b}`. In time proportional to both
 * lengths, which a regular expression made of somebody's stars is not: libraries make one.
 */
export function globTest(glob: string): (path: string) => boolean {
  const all = alternativesOf(glob).map((it) => it.match(/\*\*|[^]/g) ?? []);
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
  let reached = withSkipped(tokens, [true]);
  for (const character of path) {
    const next = [false];
    for (const [i, it] of tokens.entries()) {
      next.push(reached[isStar(it) ? i + 1 : i]! && accepts(it, character));
    }
    reached = withSkipped(tokens, next);
  }
  return reached.at(-1)!;
}

/** Stars may be nothing, and so may two with the slash behind them. */
function withSkipped(tokens: readonly string[], read: readonly boolean[]): readonly boolean[] {
  const reached = [read[0]!];
  for (const [i, it] of tokens.entries()) {
    const isSkipped = isStar(it)
      ? reached[i]!
      : it === '/' && isFolders(tokens, i - 1) && reached[i - 1]!;
    reached.push(read[i + 1] === true || isSkipped);
  }
  return reached;
}

/** Two stars that are a whole part of a path. */
function isFolders(tokens: readonly string[], i: number): boolean {
  return tokens[i] === '**' && (i === 0 || tokens[i - 1] === '/');
}

function isStar(token: string): boolean {
  return token.startsWith('*');
}

function accepts(token: string, character: string): boolean {
  if (token === '**') return true;
  return token === '*' || token === '?' ? character !== '/' : token === character;
}
