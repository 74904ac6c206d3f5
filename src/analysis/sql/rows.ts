import { withoutCommentsAndStrings } from './sql.ts';

/** The rows that a statement asks for or changes, as far as its text shows it. */
export interface StatementRows {
  /** At most this many, where the text contains the number. */
  readonly limit?: number | undefined;
  /** At most as many as a value of the statement: `LIMIT $1`. */
  readonly hasGivenLimit: boolean;
  /** It locks rows that no other transaction has locked, or changes so many rows and returns them: work for one worker. */
  readonly isClaim: boolean;
  /** The columns that decide which rows a SELECT or a DELETE means, or that an UPDATE sets; lower case, without the table. */
  readonly columns: readonly string[];
}

/** `LIMIT 20`, `FETCH FIRST 5 ROWS ONLY`, `SELECT TOP (5)`, and MySQL's `LIMIT 40, 20`, in which the offset comes first. */
const LIMIT =
  /\blimit\s+(?:(?:\d+|\$\d+|\?)\s*,\s*)?(\d+)|\bfetch\s+(?:first|next)\s+(\d+)\s+rows?\b|\bselect\s+top\s*(?:\(\s*)?(\d+)/;

const GIVEN_LIMIT = /\b(?:limit|fetch\s+(?:first|next))\s+(?:\$\d+|\?|:\w+|@\w+|\0)/;

const CLAIM = /\bskip\s+locked\b|\bupdate\b.*\blimit\b.*\breturning\b/s;

export function rowsOf(text: string): StatementRows {
  const plain = withoutCommentsAndStrings(text).toLowerCase();
  const [, ...counts] = LIMIT.exec(plain) ?? [];
  const count = counts.find((it) => it !== undefined);
  return {
    limit: count === undefined ? undefined : Number(count),
    hasGivenLimit: GIVEN_LIMIT.test(plain),
    isClaim: CLAIM.test(plain),
    columns: /^\s*update\b/.test(plain) ? columnsSet(plain) : columnsCompared(plain),
  };
}

function columnsSet(plain: string): readonly string[] {
  const [, assignments = ''] = /\bset\b(.*?)(?:\b(?:where|returning)\b|$)/s.exec(plain) ?? [];
  return namesIn(assignments, /(?:^|,)\s*([a-z_][\w.]*)\s*=/g);
}

function columnsCompared(plain: string): readonly string[] {
  const [, condition = ''] =
    /\bwhere\b(.*?)(?:\b(?:order\s+by|group\s+by|limit|offset|fetch|for\s+update|returning)\b|$)/s.exec(
      plain,
    ) ?? [];
  return namesIn(
    condition,
    /(?:^|\bnot|\band|\bor|\()\s*(?:not\s+)?([a-z_][\w.]*)\s*(?:[=<>!]|\b(?:is|in|not|like|between|and|or)\b|\)|$)/g,
  );
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  // The word that ends one name may begin the next: each is looked for from the end of the name before.
  const names = new Set<string>();
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [all, name] = match;
    names.add(name!.split('.').at(-1)!);
    pattern.lastIndex = match.index + all.lastIndexOf(name!) + name!.length;
  }
  return [...names].filter((it) => !/^(?:not|and|or|is|null|true|false)$/.test(it));
}
