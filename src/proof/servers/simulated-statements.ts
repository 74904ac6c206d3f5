/** A statement whose cost is waiting and nothing else. */
export interface Statement {
  /** The returned rows; none for statements without rows. */
  readonly columns: readonly Column[];
  /** "SELECT 1", "BEGIN". */
  readonly tag: string;
  /** How long it takes, in milliseconds. */
  waitMs(values: readonly string[]): number;
}

export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'void';
  value(values: readonly string[]): string;
}

const sleep = /^select\s+pg_sleep\s*\(\s*(\$1|(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?)(?:::\w+)?\s*\)$/i;
const item = /^(?:(-?\d+)|'([^']*)'|\$(\d+)(?:::(?:(int\w*)|\w*))?)(?:\s+as\s+"?(\w+)"?)?$/i;
const transaction = /^(begin|commit|rollback)(?:\s+(?:work|transaction))?$/i;

/**
 * Waiting, constants and the borders of transactions. Undefined for everything else: a server that made up rows, or the time
 * that a disk takes, would prove nothing.
 */
export function statementOf(text: string): Statement | undefined {
  const bare = text.trim().replace(/;$/, '').trimEnd();
  const word = transaction.exec(bare)?.[1];
  if (word) return { columns: [], tag: word.toUpperCase(), waitMs: () => 0 };
  const slept = sleep.exec(bare)?.[1];
  if (slept) {
    const seconds = (values: readonly string[]) => Number(slept === '$1' ? values[0] : slept);
    return {
      columns: [{ name: 'pg_sleep', type: 'void', value: () => '' }],
      tag: 'SELECT 1',
      // In whole milliseconds, as PostgreSQL waits.
      waitMs: (values) => Math.ceil(seconds(values) * 1_000) || 0,
    };
  }
  const items = /^select\s(.+)$/is.exec(bare)?.[1]?.split(',');
  const columns = items?.map((it) => columnOf(it.trim()));
  return columns?.every((it) => it !== undefined)
    ? { columns, tag: 'SELECT 1', waitMs: () => 0 }
    : undefined;
}

function columnOf(text: string): Column | undefined {
  const found = item.exec(text);
  if (!found) return undefined;
  const [, integer, string, parameter, cast, name = '?column?'] = found;
  return {
    name,
    type: integer !== undefined || cast ? 'integer' : 'text',
    value: (values) => integer ?? string ?? values[Number(parameter) - 1] ?? '',
  };
}
