/** Statements of different text are remembered up to this number; after that, each costs its normalisation again. */
const MOST_KNOWN = 1_000;
const MOST_CHARACTERS = 2_000;
const SHOWN_CHARACTERS = 200;

const known = new Map<string, string>();

/** A statement without its literals, so that no value of a user is stored: `SELECT * FROM orders WHERE state = ?`. */
export function fingerprintOf(statement: string): string {
  const cached = known.get(statement);
  if (cached !== undefined) return cached;
  const fingerprint = normalised(statement);
  if (known.size < MOST_KNOWN) known.set(statement, fingerprint);
  return fingerprint;
}

function normalised(statement: string): string {
  const text = statement
    .slice(0, MOST_CHARACTERS)
    // Whether a backslash escapes a quote depends on the server: nothing after one in a literal is kept.
    .replace(/'[^'\\]*\\[^]*$/, '? …')
    .replace(/--[^\n]*|\/\*[^]*?(?:\*\/|$)/g, ' ')
    .replace(/\$(\w*)\$[^]*?(?:\$\1\$|$)/g, '?')
    .replace(/\b[a-z]?'(?:[^']|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)/gi, '?')
    .replace(/(?<![\w$@:.])-?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/gi, '?')
    .replace(/\s+/g, ' ')
    // Lists of values differ only in their length.
    .replace(/\((?:\s*(?:\?|\$\d+)\s*,)+\s*(?:\?|\$\d+)\s*\)/g, '(…)')
    .replace(/\(…\)(?:\s*,\s*\(…\))+/g, '(…), …')
    .trim();
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
