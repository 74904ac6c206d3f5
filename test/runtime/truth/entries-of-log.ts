import type { Logged } from './measured.ts';
import type { TrueWait } from './waits-of-log.ts';

/** The sums over all entries of one kind, in ms. */
export interface TrueEntryKind {
  readonly name: string;
  count: number;
  wallMs: number;
  readonly parts: Record<TruePart, number>;
  /** By the place of a site, its part of the time. */
  readonly bySite: Map<number, number>;
}

/** `rest`: no wait, and no burst of CPU that the generator has written. */
export type TruePart = 'asleep' | 'pool' | 'wire' | 'held' | 'burst' | 'rest';

/** The time of each entry is that of the wait that began last, of those that are open. */
export function trueEntriesOf(
  log: readonly Logged[],
  waits: readonly TrueWait[],
): readonly TrueEntryKind[] {
  const kinds = new Map<string, TrueEntryKind>();
  for (const [kind, name, entry, startMs, endMs] of log) {
    if (kind !== 'request' && kind !== 'worker') continue;
    const ticks = log.filter((it) => it[0] === 'tick' && it[2] === entry);
    const [from, to] = kind === 'request' ? [startMs, endMs] : [ticks[0]?.[3], ticks.at(-1)?.[3]];
    if (from === undefined || to === undefined) continue;
    const key = kind === 'request' ? `GET ${name}` : String(name);
    const of = kinds.get(key) ?? emptyKind(key);
    kinds.set(key, of);
    // The last iteration of a worker does not end.
    of.count += kind === 'request' ? 1 : ticks.length - 1;
    of.wallMs += to - from;
    const own = log.filter((it) => it[2] === entry);
    addParts(of, { own, waits: waits.filter((it) => it.entry === entry), from, to });
  }
  return [...kinds.values()];
}

function emptyKind(name: string): TrueEntryKind {
  const parts = { asleep: 0, pool: 0, wire: 0, held: 0, burst: 0, rest: 0 };
  return { name, count: 0, wallMs: 0, parts, bySite: new Map() };
}

interface EntryLog {
  readonly own: readonly Logged[];
  readonly waits: readonly TrueWait[];
  readonly from: number;
  readonly to: number;
}

function addParts(kind: TrueEntryKind, { own, waits, from, to }: EntryLog): void {
  const clipped = waits.map((it) => ({ ...it, ...openOf(it) }));
  const others = own.filter(([it]) => it === 'burn' || it === 'hold');
  const edges = [
    from,
    to,
    ...clipped.flatMap((it) => [it.startMs, it.endMs, it.awaited?.startMs, it.awaited?.endMs]),
    ...others.flatMap((it) => [it[3], it[4]]),
    ...waits.flatMap((it) => [it.startMs, it.endMs]),
  ];
  const times = [...new Set(edges.flatMap((it) => it ?? []))]
    .filter((it) => it >= from && it <= to)
    .sort((a, b) => a - b);
  for (const [i, endMs] of times.entries()) {
    const startMs = times[i - 1] ?? from;
    const isOpen = (a: number, b = Infinity) => a <= startMs && b >= endMs;
    const open = clipped.filter((it) => isOpen(it.startMs, it.endMs));
    const innermost = open.reduce<TrueWait | undefined>(
      (last, it) => (last && !isWithin(it, last) ? last : it),
      undefined,
    );
    const count = (name: Logged[0]) =>
      others.filter((it) => it[0] === name && isOpen(it[3], it[4])).length;
    const running = waits.filter((it) => it.kind === 'wire' && isOpen(it.startMs, it.endMs));
    const idleHolds = count('hold') - running.length;
    const ms = endMs - startMs;
    kind.parts[innermost ? partOf(innermost, idleHolds) : count('burn') > 0 ? 'burst' : 'rest'] +=
      ms;
    const { site, awaited } = innermost ?? {};
    if (site === undefined || !awaited || !isOpen(awaited.startMs, awaited.endMs)) continue;
    kind.bySite.set(site, (kind.bySite.get(site) ?? 0) + ms);
  }
}

/** The await that began last has the time; of one await, a statement has it. */
function isWithin(inner: TrueWait, outer: TrueWait): boolean {
  const [a, b] = [inner, outer].map((it) => it.awaited?.startMs ?? it.startMs);
  if (a !== b) return a! > b!;
  return isStatement(inner) === isStatement(outer)
    ? inner.startMs >= outer.startMs
    : isStatement(inner);
}

function isStatement({ kind }: TrueWait): boolean {
  return kind === 'pool' || kind === 'wire';
}

/** A wait counts while it is awaited; `BEGIN` and `COMMIT` have no number, and are awaited immediately. */
function openOf({ startMs, endMs, awaited, site }: TrueWait): {
  readonly startMs: number;
  readonly endMs: number;
} {
  if (site === undefined) return { startMs, endMs };
  if (!awaited) return { startMs, endMs: startMs };
  return {
    startMs: Math.max(startMs, awaited.startMs),
    endMs: Math.min(endMs, awaited.endMs),
  };
}

function partOf({ kind }: TrueWait, idleHolds: number): TruePart {
  if (kind === 'pool' || kind === 'wire') return kind;
  if (idleHolds > 0) return 'held';
  return kind === 'sleep' ? 'asleep' : 'wire';
}
