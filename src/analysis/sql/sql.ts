import type { Operation } from './operation.ts';

/** The effect of a statement, as far as its text shows it. */
export interface Statement {
  readonly op: Operation;
  /**
   * The written tables, then the read ones, the outermost first: names after INTO, UPDATE, FROM and JOIN, lower case, without
   * quotes and schema.
   */
  readonly tables: readonly string[];
  /** `WHERE column = ?` (or `$1`, `:name`): at most one key of the statement comes from outside, and a list in its place would do for several. */
  readonly keyed: boolean;
  /** The effect of a write on rows; undefined for a statement that does not write. */
  readonly verb?: Verb | undefined;
}

/**
 * 'save': inserts the row or updates it; 'many': any number of rows with one statement; 'other': tables, procedures, unresolved
 * statements.
 */
export type Verb = 'insert' | 'update' | 'save' | 'delete' | 'many' | 'other';

const READS = new Set([
  'select',
  'with',
  'show',
  'explain',
  'table',
  'values',
  'describe',
  'pragma',
]);

/** Words that make a statement write, wherever they stand: data-modifying CTEs, SELECT INTO, sequences. */
const WRITES =
  /\b(?:insert|update|delete|merge|truncate|create|alter|drop|into|nextval|setval|pg_notify|pg_(?:cancel|terminate)_backend)\b/;
const WRITING_STATEMENTS = new Set([
  'call',
  'do',
  'copy',
  'replace',
  'grant',
  'revoke',
  'refresh',
  'vacuum',
]);
/** Words that make a statement wait for, or take part in, an order. */
const SYNCHRONISES =
  /\bfor\s+(?:update|share|no\s+key|key\s+share)\b|\block\b|\bset\b|\bbegin\b|\bcommit\b|\brollback\b|\bsavepoint\b|\bstart\s+transaction\b|\bpg_(?:try_)?advisory|\bget_lock\b|\blisten\b|\bunlisten\b/;

/**
 * Reads a statement, or the beginning of one: `complete` is false when parts of it are only resolved at run time. An unresolved
 * beginning gives no result; an unresolved rest counts as values and conditions, which cannot turn a read into a write.
 */
export function statementOf(text: string): Statement {
  const statement = classified(text);
  return statement.op === 'write' ? { ...statement, verb: verbOf(text) } : statement;
}

/** Rows that the statement makes or names itself: VALUES of a list, INSERT … SELECT, keys of a list; what VALUES looks up is one. */
const MANY =
  /\bvalues\s*(?:\0|\?\s*(?:$|;|on\b))|\bunnest\b|\binsert\b(?:(?!\bvalues\s*\()[^;])*?\bselect\b|recordset|\bany\s*\(|\bin\s*(?:\0|\(\s*(?:\0|\?|\$\d|:\w+|select\b))|\bcopy\b/;

/** `INSERT INTO steps … VALUES ((SELECT max(place) + 1 FROM steps))`: each row is made of those before it. */
function isOfRowsBefore(plain: string): boolean {
  const [head = '', ...rest] = plain.split(/\bvalues\b/);
  const into = tablesIn(head);
  return tablesIn(rest.join()).some((it) => into.includes(it));
}

function verbOf(text: string): Verb {
  const plain = withoutCommentsAndStrings(text).toLowerCase();
  const [, first] =
    /^[\s(]*(?:with\b[^;]*?\b(?=insert|update|delete|merge))?(\w+)/.exec(plain) ?? [];
  if (MANY.test(plain) || isOfRowsBefore(plain)) return 'many';
  if (first === 'merge') return 'save';
  if (first === 'insert' || first === 'replace') return 'insert';
  return first === 'update' || first === 'delete' ? first : 'other';
}

/** Another table each time, or so many rows of each key: no list of keys asks for all of them. */
// veto: only run time decides which table the statement reads, or the statement limits its rows
const ONE_BY_ONE = /\bfrom\s+\0(?!\.["\w])|\blimit\s+(?!1\b)(?=[\d$?:@\0])/;

function classified(text: string): Statement {
  const plain = withoutCommentsAndStrings(text).toLowerCase();
  const first = /^[\s(]*([a-z]+)/.exec(plain)?.[1];
  const tables = tablesIn(plain);
  const keyed =
    /\bwhere\b[^;]*(?<![<>!])=\s*(?:\w+\s*\(\s*)?(?:\?|\$\d|:\w|@\w|\0)/.test(plain) &&
    !ONE_BY_ONE.test(plain);
  // A connection's own setting, the same each time: nobody else sees it, and repeating it changes nothing.
  if (
    /^\s*set\s+(?:search_path|time\s+zone|timezone|statement_timeout|lock_timeout)\b/.test(plain)
  ) {
    return { op: 'read', tables, keyed };
  }
  // `SET ${column} = ?`: which columns are written is decided at run time, perhaps one a call of the same row.
  if (/^\s*update\b/.test(plain) && /\bset\s*\0/.test(plain))
    return { op: 'unknown', tables, keyed };
  if (first === undefined) return { op: 'unknown', tables, keyed };
  if (!READS.has(first)) {
    const writes = WRITING_STATEMENTS.has(first) || WRITES.test(first);
    const op = writes ? 'write' : SYNCHRONISES.test(plain) ? 'sync' : 'unknown';
    return { op, tables, keyed };
  }
  if (SYNCHRONISES.test(plain)) return { op: 'sync', tables, keyed };
  // It runs the statement to measure it: whatever that does, and nothing else is to run beside it.
  // veto: EXPLAIN ANALYZE measures the statement, so nothing else is to run concurrently
  if (/^[\s(]*explain\b[^;]*?\banaly[sz]e\b/.test(plain)) return { op: 'unknown', tables, keyed };
  // veto: the statement consists of a user-defined function of the database, which may write
  if (callsOwnFunction(plain)) return { op: 'unknown', tables, keyed };
  return { op: WRITES.test(plain) ? 'write' : 'read', tables, keyed };
}

/** Functions that come with databases and only read or compute, among those that stand for a table or alone in a SELECT. */
const BUILT_IN =
  /^(?:abs|age|array_\w+|avg|bool_\w+|cast|ceiling|convert|row_to_json|cardinality|ceil|char_length|clock_timestamp|coalesce|concat\w*|connection_id|count|current_\w+|database(?:propertyex)?|date(?:_\w+|add|diff|name|part)?|exists|extract|floor|format|found_rows|gen_random_uuid|generate_series|generate_subscripts|greatest|has_\w+_privilege|hashbytes|if|iif|ifnull|inet_\w+|is(?:date|null|numeric)|json\w*|last_insert_id|lastval|least|length|localtime\w*|lower|make_(?:date|interval|time\w*)|max|md5|min|mod|newid|now|nullif|obj_description|object_\w+|openjson|pg_\w+|position|postgis_\w+|power|pragma_\w+|random|regexp_\w+|replace|round|row_count|rows_from|scope_identity|schema|sha\d*|similarity|sleep|sqlite_\w+|st_\w+|statement_timestamp|string_\w+|strftime|substr\w*|sum|suser_\w+|sys(?:date|datetime\w*|utcdatetime)|time(?:diff|ofday|stamp\w*|zone)?|to_(?:char|date|hex|jsonb?|number|regclass|timestamp|tsquery|tsvector)|trim|ts_\w+|txid_\w+|unixepoch|unnest|upper|user(?:_id|_name)?|utc_\w+|uuid\w*|values|version|word_similarity|xml\w+)$/;

/** `SELECT take_number($1)`, `SELECT * FROM close_month($1)`: what stands for all of the statement may do anything. */
function callsOwnFunction(text: string): boolean {
  const asTable = [
    ...text
      .replaceAll(OTHER_FROM, ' ')
      .matchAll(
        /\b(?:from|join)\s+(?:lateral\s+)?(?:\w+\.)?(?!(?:lateral|only|select)\b)([a-z_]\w*)\s*\(/g,
      ),
  ];
  const [, alone] = /^\s*select\s+(?:\w+\.)?([a-z_]\w*)\s*\((?![^;]*\bfrom\b)/.exec(text) ?? [];
  const called = asTable.map(([, name]) => name!);
  return (alone ? [...called, alone] : called).some((it) => !BUILT_IN.test(it));
}

/** Quoted values could hold any word; a hole of a template is NUL. */
export function withoutCommentsAndStrings(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/["`[\]]/g, '');
}

/** `extract(epoch from age(since))`, `trim(both from name)`, `is distinct from`: no table follows. */
const OTHER_FROM =
  /\b(?:extract|trim|substring|overlay|position)\s*\([^()]*?\bfrom\b|\bdistinct\s+from\b/g;

/** `with recent as (…), totals as (…)`: names for queries of the statement itself. */
const NAMED_QUERY =
  /(?:\bwith\s+(?:recursive\s+)?|,\s*)([a-z_]\w*)\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/g;

/** What is read, unless it is a function that makes rows; what ClickHouse joins by `ARRAY JOIN` is a column. */
const READ_NAME = /(?:\bfrom|(?<!\barray\s)\bjoin)\s+(?:only\s+)?([a-z_][\w.]*)(?![\w.]|\s*\()/g;

const WRITTEN_NAME = /\b(?:into|update)\s+(?:only\s+)?([a-z_][\w.]*)/g;

const NO_NAMES = new Set(['select', 'set', 'lateral', 'unnest', 'values']);

function tablesIn(text: string): readonly string[] {
  const blank = (it: string) => ' '.repeat(it.length);
  const plain = text
    .replaceAll(OTHER_FROM, (it) => it.slice(0, -'from'.length) + blank('from'))
    .replaceAll(/\b(?:key|do|for)\s+update\b/g, blank);
  const scopes = scopesOfQueries(plain);
  const read = namesIn(plain, READ_NAME).filter(
    ({ name, at }) => !scopes.some((it) => it.name === name && it.starts <= at && at < it.ends),
  );
  const names = [...namesIn(plain, WRITTEN_NAME), ...outermostFirst(plain, read)].map(({ name }) =>
    name.split('.').at(-1)!,
  );
  // `FROM dbo.${table}` names the schema alone.
  return [...new Set(names)].filter((it) => it !== '' && !NO_NAMES.has(it));
}

/** `SELECT (SELECT name FROM teams …) FROM work_log`: what the statement is about stands in no parentheses. */
// The names come in order of position: one pass counts for all.
function outermostFirst<T extends { readonly at: number }>(text: string, names: readonly T[]) {
  let [depth, at] = [0, 0];
  const depthAt = (end: number) => {
    for (; at < end; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    return depth;
  };
  return names
    .map((it) => ({ it, depth: depthAt(it.at) }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ it }) => it);
}

/** Where a name means a query: after it, or from its beginning where it may be recursive, to the end of the parentheses around. */
function scopesOfQueries(text: string) {
  return namesIn(text, NAMED_QUERY).map(({ name, at, ends }) => {
    const isRecursive = /\bwith\s+recursive\b/.test(text.slice(0, ends));
    const end = closeOf(text, ends);
    return { name, starts: isRecursive ? at : end, ends: closeOf(text, end) };
  });
}

/** The end of the parentheses that are open at a place, or of the text. */
function closeOf(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')') depth--;
    if (depth === 0) return i + 1;
  }
  return text.length;
}

function namesIn(text: string, pattern: RegExp) {
  return Array.from(text.matchAll(pattern), ({ 0: all, 1: name, index }) => ({
    name: name!,
    at: index,
    ends: index + all.length,
  }));
}
