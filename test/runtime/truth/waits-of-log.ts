import type { Logged } from './measured.ts';
import type { PlacedSite } from './program.ts';

/** A wait of the log that has ended. */
export interface TrueWait {
  readonly kind: 'sleep' | 'fetch' | 'pool' | 'wire';
  readonly entry: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Of the sites, the place of its own; undefined where no await waits for it. */
  readonly site: number | undefined;
  /** While that site awaits it. */
  readonly awaited: Interval | undefined;
}

export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** An await of a site that has ended. */
export interface Occurrence extends Interval {
  readonly entry: number;
}

export interface Truth {
  readonly waits: readonly TrueWait[];
  /** By the place of the site. */
  readonly occurrences: readonly (readonly Occurrence[])[];
}

/** What each site awaited, by what the program logged. */
export function truthOf(log: readonly Logged[], sites: readonly PlacedSite[]): Truth {
  const records = recordsOf(log);
  const siteOfId = new Map(sites.flatMap(({ ids }, i) => ids.map((id) => [id, i] as const)));
  const occurrences = sites.map((it) => occurrencesOf(it, records, siteOfId));
  const waits = log.flatMap(([kind, id, entry, startMs, endMs]): TrueWait[] => {
    if (!isWait(kind) || typeof id !== 'number' || endMs === undefined) return [];
    const site = siteOfId.get(id) ?? siteOfId.get(-id);
    const awaited =
      site === undefined
        ? undefined
        : occurrences[site]!.find(
            (it) => it.entry === entry && it.endMs >= startMs && it.startMs <= endMs,
          );
    return [{ kind, entry, startMs, endMs, site, awaited }];
  });
  return { waits, occurrences };
}

function isWait(kind: Logged[0]): kind is TrueWait['kind'] {
  return kind === 'sleep' || kind === 'fetch' || kind === 'pool' || kind === 'wire';
}

/** By entry and number, in the order of their start. */
type Records = ReadonlyMap<string, readonly Logged[]>;

function recordsOf(log: readonly Logged[]): Records {
  const records = new Map<string, Logged[]>();
  for (const it of log) {
    const [kind, id, entry] = it;
    if (!isWait(kind) || id === 0) continue;
    const key = `${entry} ${id}`;
    records.set(key, [...(records.get(key) ?? []), it]);
  }
  return records;
}

function occurrencesOf(
  { ids, times, settles, after }: PlacedSite,
  records: Records,
  siteOfId: ReadonlyMap<number, number>,
): readonly Occurrence[] {
  const entries = new Set(Array.from(records.keys(), (it) => Number(it.split(' ')[0])));
  return Array.from(entries, (entry) => {
    const at = (id: number) => records.get(`${entry} ${id}`) ?? [];
    const most = Math.max(...ids.map((id) => at(id).length)) / times;
    return Array.from({ length: Math.ceil(most) }, (_, i): Occurrence[] => {
      const parts = ids.map((id) => {
        const own = at(id).slice(i * times, (i + 1) * times);
        // A statement of a pool waits for a connection first.
        const checkouts = siteOfId.has(-id) ? [] : at(-id).slice(i * times, (i + 1) * times);
        return intervalOf(own, checkouts);
      });
      const ends = parts.map((it) => it.endMs);
      const endMs = settles === 'last' ? Math.max(...ends) : Math.min(...ends);
      const started = Math.min(...parts.map((it) => it.startMs));
      const before = after === undefined ? undefined : at(after)[i]?.[4];
      const startMs = Math.max(started, before ?? started);
      return Number.isFinite(endMs) ? [{ entry, startMs, endMs: Math.max(startMs, endMs) }] : [];
    }).flat();
  }).flat();
}

/** Infinite, where one of them had not ended. */
function intervalOf(own: readonly Logged[], checkouts: readonly Logged[]): Interval {
  return {
    startMs: Math.min(...[...own, ...checkouts].map((it) => it[3])),
    endMs: Math.max(...own.map((it) => it[4] ?? Infinity)),
  };
}
