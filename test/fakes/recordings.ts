import { distributionOf, Histogram } from '../../src/runtime/histogram.ts';
import { PARTS } from '../../src/runtime/parts.ts';
import {
  type Distribution,
  type EntryKind,
  type EntrySite,
  type Parts,
  type Recording,
  RECORDING_FORMAT,
  type Site,
  type Slice,
} from '../../src/runtime/recording.ts';

/** Of ten seconds, with the fields that a test does not name. */
export function recordingWith(fields: Partial<Recording>): Recording {
  return {
    ...{ format: RECORDING_FORMAT, program: 'node server.js', node: '24.0.0', startedAt: 0 },
    ...{ durationMs: 10_000, processes: 1, entries: [], sites: [], pools: [], databases: [] },
    eventLoop: { lagP50Ms: 0.1, lagP99Ms: 1, lagMaxMs: 2, utilisation: 0.2 },
    ...{ threadPool: timesAround(0.2), leftAlone: [], files: [] },
    ...fields,
  };
}

interface EntryFields extends Pick<EntryKind, 'name' | 'time'> {
  readonly kind?: EntryKind['kind'];
  readonly at?: EntryKind['at'];
  /** Ten seconds, where it is left out. */
  readonly spanMs?: number;
  /** Asleep, per entry; `parts` may have more. */
  readonly deadMs?: number;
  /** How much slices differ from their mean, as a share: 5 %, where it is left out. */
  readonly drift?: number;
  readonly parts?: Partial<Parts>;
  readonly sites?: readonly Pick<EntrySite, 'site' | 'count' | 'exclusiveMs'>[];
}

/** A kind of entry, of which all that `parts` lacks is unexplained. */
export function entryWith({
  kind = 'http',
  at,
  spanMs = 10_000,
  deadMs = 0,
  drift = 0.05,
  parts: given = {},
  sites = [],
  ...fields
}: EntryFields) {
  const { totalMs, count } = fields.time;
  const parts = { ...(deadMs > 0 && { asleepMs: deadMs * count }), ...given };
  const named = Object.values(parts).reduce((sum, it) => sum + it, 0);
  return {
    ...{
      kind,
      ...fields,
      ...(at && { at }),
      spanMs,
      busyMs: spanMs,
      slices: slicesOf({ time: fields.time, deadMs, drift }),
      count,
      aborted: 0,
      open: 0,
    },
    parts: {
      ...(Object.fromEntries(PARTS.map((it) => [it, 0])) as unknown as Parts),
      unexplainedMs: totalMs - named,
      ...parts,
    },
    sites: sites.map((it) => ({ most: 1, entries: it.count, ...it })),
  } satisfies EntryKind;
}

function slicesOf({
  time: { count, totalMs },
  deadMs,
  drift,
}: Pick<Required<EntryFields>, 'time' | 'deadMs' | 'drift'>): readonly Slice[] {
  return Array.from({ length: SLICES }, (_, i) => {
    const factor = (1 + (i % 2 === 0 ? drift : -drift)) / SLICES;
    return { count: count / SLICES, totalMs: totalMs * factor, deadMs: deadMs * count * factor };
  });
}

const SLICES = 20;

export function siteWith(fields: Partial<Site>): Site {
  const time = timesAround(10);
  return {
    ...{ at: { file: 'a.js', line: 1 }, kind: 'db', code: 'f', count: time.count },
    ...{ rejected: 0, open: 0, time, rules: [], ...fields },
  };
}

/** So many times, from 90 to 110 % of `meanMs`. */
export function timesAround(meanMs: number, count = 500): Distribution {
  const histogram = new Histogram();
  for (let i = 0; i < count; i++) histogram.add(meanMs * (0.9 + (0.2 * (i + 0.5)) / count));
  return distributionOf(histogram.plain());
}
