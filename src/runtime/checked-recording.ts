import { PARTS } from './parts.ts';
import { type Recording, RECORDING_FORMAT } from './recording.ts';

/** Whether a value from outside has some form. */
type Check = (value: unknown) => boolean;

/**
 * A value from outside as a recording, or why it is none; the reason follows the name of its file. Each field is checked, because the
 * file is part of a repository, and may have been written by hand.
 */
export function checkedRecording(
  value: unknown,
): { readonly recording: Recording } | { readonly mistake: string } {
  if (!isObject(value)) return { mistake: 'is no recording of deadtime run' };
  if (value['format'] !== RECORDING_FORMAT)
    return { mistake: 'was written by a different version of Deadtime' };
  const invalid = (fields: Fields) => (it: string) => !fields[it]!(own(value, it));
  const field =
    Object.keys(FIELDS).find(invalid(FIELDS)) ??
    Object.keys(OPTIONAL_FIELDS)
      .filter((it) => Object.hasOwn(value, it))
      .find(invalid(OPTIONAL_FIELDS));
  if (field !== undefined) return { mistake: `has an invalid field ${field}` };
  const recording = value as unknown as Recording;
  return refersToOwn(recording)
    ? { recording }
    : { mistake: 'refers to lines that it does not contain' };
}

/** So many sites, entries, findings: a hundred times those of a large service. */
const MOST_ITEMS = 500_000;
/** Of a path, a statement, a route. */
const MOST_CHARACTERS = 5_000;
/** In milliseconds since 1970. */
const LAST_DATE = 8.64e15;
const LARGEST = Number.MAX_SAFE_INTEGER;

const isText: Check = (it) => typeof it === 'string' && it.length <= MOST_CHARACTERS;
/** Sums of so many are finite, too. */
const isNumber: Check = (it) => typeof it === 'number' && it >= 0 && it <= LARGEST;
const isCount: Check = (it) => isNumber(it) && Number.isInteger(it);
const isPlaceInList = isCount;

const isPlace = record({ file: isText, line: isCount });
const isDistribution = record({
  ...{ count: isCount, totalMs: isNumber, p50Ms: isNumber, p95Ms: isNumber, maxMs: isNumber },
  histogram: list((it) => Array.isArray(it) && it.length === 2 && it.every(isNumber)),
});

const isSequence = record({
  ...{ sites: list(isPlaceInList), count: isCount, totalMs: isNumber, togetherMs: isNumber },
});

const isEntry = record(
  {
    ...{ kind: oneOf('http', 'worker', 'job', 'schedule', 'test'), name: isText },
    ...{ count: isCount, aborted: isCount, open: isCount, time: isDistribution },
    ...{ spanMs: isNumber, busyMs: isNumber },
    slices: list(record({ count: isNumber, totalMs: isNumber, deadMs: isNumber })),
    parts: record(Object.fromEntries(PARTS.map((it) => [it, isNumber]))),
    sites: list(
      record(
        {
          ...{ site: isPlaceInList, count: isCount, most: isCount },
          ...{ entries: isCount, exclusiveMs: isNumber },
        },
        { sequence: isSequence },
      ),
    ),
  },
  { at: isPlace, unmeasured: isCount },
);

const isSite = record(
  {
    ...{ at: isPlace, code: isText, count: isCount, rejected: isCount, open: isCount },
    kind: oneOf(
      ...['sleep', 'yield', 'db', 'network', 'thread-pool', 'calls', 'blocking', 'unresolved'],
    ),
    ...{ time: isDistribution, rules: list(isText) },
  },
  {
    unmeasured: isCount,
    ...{ function: isText, oldestOpenMs: isNumber, isInLoop: (it) => it === true },
    driver: record(
      { statements: list(record({ statement: isText, count: isCount, most: isCount })) },
      { pool: isDistribution, wire: isDistribution, commits: isCount },
    ),
  },
);

const isPool = record(
  {
    ...{ driver: isText, mostHeld: isCount, mostWaiting: isCount, open: isCount },
    ...{ wait: isDistribution, hold: isDistribution, idleHoldMs: isNumber },
  },
  {
    ...{ at: isPlace, size: isNumber, oldestOpenMs: isNumber, unmeasured: isCount },
    processes: isCount,
  },
);

const isFile = record({
  ...{ file: isText, text: isText },
  findings: list(
    record(
      { fingerprint: isText, words: isCount, sites: list(isPlaceInList) },
      { isCopied: (it) => it === true, pool: isPlaceInList },
    ),
  ),
});

type Fields = Readonly<Record<string, Check>>;

const OPTIONAL_FIELDS: Fields = { clients: record({ between: isDistribution }) };

const FIELDS: Fields = {
  ...{ program: isText, node: isText, processes: isCount },
  // So that it can be printed as a date.
  startedAt: (it) => isNumber(it) && (it as number) <= LAST_DATE,
  durationMs: isNumber,
  entries: list(isEntry),
  sites: list(isSite),
  pools: list(isPool),
  databases: list(
    record(
      { driver: isText, statements: isCount, rejected: isCount, time: isDistribution },
      { commits: isCount },
    ),
  ),
  eventLoop: record({
    ...{ lagP50Ms: isNumber, lagP99Ms: isNumber, lagMaxMs: isNumber, utilisation: isNumber },
  }),
  threadPool: isDistribution,
  leftAlone: list(
    record({ file: isText, reason: oneOf('changed', 'generated', 'failed', 'required') }),
  ),
  files: list(isFile),
};

function refersToOwn({ entries, files, sites, pools }: Recording): boolean {
  const isSiteThere = (it: number) => it < sites.length;
  return (
    entries.every(({ sites: lines }) =>
      lines.every((it) => isSiteThere(it.site) && (it.sequence?.sites ?? []).every(isSiteThere)),
    ) &&
    files.every(({ findings }) =>
      findings.every(
        (it) => it.sites.every(isSiteThere) && (it.pool === undefined || it.pool < pools.length),
      ),
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Never one that it inherits. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function record(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const all = [...Object.entries(required), ...Object.entries(optional)];
  return (value) =>
    isObject(value) &&
    all.every(([name, check]) =>
      Object.hasOwn(value, name) || !Object.hasOwn(optional, name) ? check(own(value, name)) : true,
    );
}

function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.length <= MOST_ITEMS && value.every(check);
}

function oneOf(...values: readonly string[]): Check {
  return (it) => typeof it === 'string' && values.includes(it);
}
