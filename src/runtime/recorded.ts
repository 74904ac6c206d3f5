import { groupedBy } from '../analysis/syntax/grouped.ts';
import { distributionOf, rounded, sumOf } from './histogram.ts';
import type { Plan, PlannedFile, PlannedSite } from './plan.ts';
import { PARTS } from './parts.ts';
import type { RawEntryKind, RawPool, RawRecording, RawSite } from './raw.ts';
import {
  type Database,
  type EntryKind,
  type EntrySite,
  type Parts,
  type Place,
  type Pool,
  type RecordedFile,
  type RecordedFinding,
  type Recording,
  RECORDING_FORMAT,
  type Site,
  type StatementCount,
  timesOf,
  unmeasuredIn,
} from './recording.ts';

/** Of all statements of a line, these are shown. */
const SHOWN_STATEMENTS = 5;

export interface Recorded {
  readonly plan: Plan;
  /** Of each process that has measured something. */
  readonly raws: readonly RawRecording[];
  readonly program: string;
  /** `path` is absolute. */
  shownPath(path: string): string;
}

/** Adds up what the processes have measured, and names the places of the plan. */
export function recordingOf({ plan, raws, program, shownPath }: Recorded): Recording {
  const planned = new Planned(plan, shownPath);
  const sites = sitesOf(raws, planned);
  const numbers = new Map(sites.map(({ id }, i) => [id, i]));
  const startedAt = Math.min(...raws.map((it) => it.startedAt));
  const end = Math.max(...raws.map((it) => it.startedAt + it.durationMs));
  const leftAlone = new Map(raws.flatMap((it) => it.leftAlone).map((it) => [it.path, it.reason]));
  return {
    ...{ format: RECORDING_FORMAT, program, node: raws[0]?.node ?? '' },
    ...{ startedAt: Math.round(startedAt), durationMs: rounded(end - startedAt) },
    processes: raws.length,
    entries: entriesOf(raws, planned, numbers),
    sites: sites.map((it) => it.site),
    pools: poolsOf(raws, planned),
    databases: databasesOf(raws),
    ...clientsOf(raws),
    eventLoop: {
      lagP50Ms: most(raws.map((it) => it.eventLoop.lagP50Ms)),
      lagP99Ms: most(raws.map((it) => it.eventLoop.lagP99Ms)),
      lagMaxMs: most(raws.map((it) => it.eventLoop.lagMaxMs)),
      utilisation: most(raws.map((it) => it.eventLoop.utilisation)),
    },
    threadPool: distributionOf(sumOf(raws.map((it) => it.threadPool))),
    leftAlone: Array.from(leftAlone, ([path, reason]) => ({ file: shownPath(path), reason })),
    files: filesOf({ plan, raws, shownPath }, { numbers, leftAlone }),
  };
}

/** Only those that each process has loaded with probes: of no other can it be stated that a line did not run. */
function filesOf(
  { plan, raws, shownPath }: Omit<Recorded, 'program'>,
  {
    numbers,
    leftAlone,
  }: {
    readonly numbers: ReadonlyMap<number, number>;
    readonly leftAlone: ReadonlyMap<string, unknown>;
  },
): readonly RecordedFile[] {
  const probed = new Set(raws.flatMap((it) => it.probed));
  const made = [
    ...groupedBy(
      raws.flatMap((it) => it.pools),
      keyOfPool,
    ).values(),
  ].map((it) => it[0]?.made);
  return plan.files
    .filter(({ path }) => probed.has(path) && !leftAlone.has(path))
    .map(({ path, firstSite, firstPool, probes, of }) => ({
      ...{ file: shownPath(of?.path ?? path), text: of?.text ?? probes.text },
      findings: probes.findings.flatMap(({ pool, sites, ...place }): RecordedFinding[] => {
        const recorded = pool === undefined ? -1 : made.indexOf(firstPool + pool);
        // Not each driver has measured pools.
        if (sites.length === 0 && recorded === -1) return [];
        return [
          {
            ...place,
            sites: sites.flatMap((it) => numbers.get(firstSite + it) ?? []),
            ...(recorded !== -1 && { pool: recorded }),
          },
        ];
      }),
    }));
}

/** The sites, sources of work and pools of a plan by their numbers. */
class Planned {
  readonly sites = new Map<number, { readonly at: Place; readonly site: PlannedSite }>();
  readonly sources = new Map<number, Pick<EntryKind, 'kind' | 'name' | 'at'>>();
  readonly pools = new Map<number, Place>();
  /** By the number of the first, the numbers of the reads of its run. */
  readonly runs = new Map<number, readonly number[]>();

  constructor({ files }: Plan, shownPath: Recorded['shownPath']) {
    for (const it of files) this.#add(it, shownPath(it.of?.path ?? it.path));
  }

  #add({ firstSite, firstSource, firstPool, probes }: PlannedFile, file: string): void {
    for (const [i, site] of probes.sites.entries()) {
      this.sites.set(firstSite + i, { at: { file, line: site.line }, site });
      const { run } = site;
      if (site.isRepeated) this.runs.set(firstSite + i, [firstSite + i]);
      if (run?.at !== 0) continue;
      const reads = probes.sites.flatMap((it, at) => (it.run?.id === run.id ? firstSite + at : []));
      this.runs.set(firstSite + i, reads);
    }
    for (const [i, { kind, name, line }] of probes.sources.entries())
      this.sources.set(firstSource + i, { kind, name, at: { file, line } });
    for (const [i, { line }] of probes.pools.entries())
      this.pools.set(firstPool + i, { file, line });
  }
}

interface NumberedSite {
  readonly id: number;
  readonly site: Site;
}

function sitesOf(raws: readonly RawRecording[], planned: Planned): readonly NumberedSite[] {
  const exclusive = new Map<number, number>();
  for (const it of raws.flatMap((raw) => raw.entries).flatMap((entry) => entry.sites))
    exclusive.set(it.id, (exclusive.get(it.id) ?? 0) + it.exclusiveMs);
  const byId = groupedBy(
    raws.flatMap((it) => it.sites),
    (it) => it.id,
  );
  return Array.from(byId, ([id, its]): NumberedSite[] => {
    const place = planned.sites.get(id);
    return place ? [{ id, site: siteOf(its, place.site, place.at) }] : [];
  })
    .flat()
    .sort(
      (a, b) =>
        (exclusive.get(b.id) ?? 0) - (exclusive.get(a.id) ?? 0) ||
        b.site.time.totalMs - a.site.time.totalMs,
    );
}

function siteOf(raws: readonly RawSite[], planned: PlannedSite, at: Place): Site {
  const open = sum(raws.map((it) => it.open));
  const pool = sumOf(raws.map((it) => it.pool));
  const wire = sumOf(raws.map((it) => it.wire));
  const time = distributionOf(sumOf(raws.map((it) => it.time)));
  return {
    at,
    ...(planned.function && { function: planned.function }),
    ...{ kind: planned.kind, code: planned.code, count: time.count },
    ...unmeasuredIn(raws),
    rejected: sum(raws.map((it) => it.rejected)),
    open,
    ...(open > 0 && { oldestOpenMs: most(raws.map((it) => it.oldestOpenMs)) }),
    time,
    ...(pool.count + wire.count > 0 && {
      driver: {
        ...(pool.count > 0 && { pool: distributionOf(pool) }),
        ...(wire.count > 0 && { wire: distributionOf(wire) }),
        ...commitsIn(raws),
        statements: statementsOf(raws),
      },
    }),
    rules: planned.rules ?? [],
    ...(planned.loop !== undefined && { isInLoop: true }),
  };
}

function statementsOf(raws: readonly RawSite[]): readonly StatementCount[] {
  const byText = groupedBy(
    raws.flatMap((it) => it.statements),
    (it) => it.statement,
  );
  return Array.from(byText, ([statement, its]) => ({
    statement,
    count: sum(its.map((it) => it.count)),
    most: Math.max(...its.map((it) => it.most)),
  }))
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN_STATEMENTS);
}

function entriesOf(
  raws: readonly RawRecording[],
  planned: Planned,
  numbers: ReadonlyMap<number, number>,
): readonly EntryKind[] {
  // In milliseconds since 1970: each process counts from its own start.
  const entries = raws.flatMap(({ startedAt, entries: its }) =>
    its.map((it) => ({ ...it, firstMs: startedAt + it.firstMs, lastMs: startedAt + it.lastMs })),
  );
  const byName = groupedBy(entries, (it) => it.source ?? it.name);
  return Array.from(byName.values(), (its) => entryOf(its, planned, numbers)).sort(
    (a, b) => wholeMsOf(b) - wholeMsOf(a),
  );
}

/** The time of those, too, that were only counted: estimated from the others. */
function wholeMsOf(entry: EntryKind): number {
  return (entry.time.totalMs * timesOf(entry)) / Math.max(entry.count, 1);
}

function entryOf(
  raws: readonly RawEntryKind[],
  planned: Planned,
  numbers: ReadonlyMap<number, number>,
): EntryKind {
  const source = planned.sources.get(raws[0]?.source ?? -1);
  const time = sumOf(raws.map((it) => it.time));
  return {
    ...(source ?? { kind: 'http', name: raws[0]?.name ?? '' }),
    count: time.count,
    ...unmeasuredIn(raws),
    aborted: sum(raws.map((it) => it.aborted)),
    open: sum(raws.map((it) => it.open)),
    spanMs: spanOf(raws.filter((it) => it.time.count > 0)),
    busyMs: most(raws.map((it) => it.busyMs)),
    time: distributionOf(time),
    slices: raws
      .flatMap((it) => it.slices)
      .map(({ count, totalMs, deadMs }) => ({
        ...{ count, totalMs: rounded(totalMs), deadMs: rounded(deadMs) },
      })),
    parts: partsOf(raws),
    sites: entrySitesOf(raws, planned, numbers),
  };
}

function spanOf(raws: readonly RawEntryKind[]): number {
  if (raws.length === 0) return 0;
  const firstMs = Math.min(...raws.map((it) => it.firstMs));
  return rounded(Math.max(...raws.map((it) => it.lastMs)) - firstMs);
}

function partsOf(raws: readonly RawEntryKind[]): Parts {
  const parts = PARTS.map((name, i) => [name, rounded(sum(raws.map((it) => it.partsMs[i] ?? 0)))]);
  return Object.fromEntries(parts) as Record<keyof Parts, number>;
}

function entrySitesOf(
  raws: readonly RawEntryKind[],
  planned: Planned,
  numbers: ReadonlyMap<number, number>,
): readonly EntrySite[] {
  const byId = groupedBy(
    raws.flatMap((it) => it.sites),
    (it) => it.id,
  );
  const runs = raws.flatMap((it) => it.runs);
  return Array.from(byId, ([id, its]): EntrySite[] => {
    const site = numbers.get(id);
    if (site === undefined) return [];
    const own = runs.filter((it) => it.first === id);
    const reads = planned.runs.get(id) ?? [];
    return [
      {
        ...{ site, count: sum(its.map((it) => it.count)) },
        most: Math.max(...its.map((it) => it.most)),
        entries: sum(its.map((it) => it.entries)),
        exclusiveMs: rounded(sum(its.map((it) => it.exclusiveMs))),
        ...(own.length > 0 && {
          sequence: {
            sites: reads.flatMap((it) => numbers.get(it) ?? []),
            count: Math.round(sum(own.map((it) => it.count))),
            totalMs: rounded(sum(own.map((it) => it.totalMs))),
            togetherMs: rounded(sum(own.map((it) => it.togetherMs))),
          },
        }),
      },
    ];
  })
    .flat()
    .sort((a, b) => b.exclusiveMs - a.exclusiveMs);
}

function poolsOf(raws: readonly RawRecording[], planned: Planned): readonly Pool[] {
  const byPlace = groupedBy(
    raws.flatMap((it) => it.pools),
    keyOfPool,
  );
  return Array.from(byPlace.values(), (its) => poolOf(its, planned.pools.get(its[0]?.made ?? -1)));
}

function keyOfPool({ driver, made, size }: RawPool): string {
  return `${driver} ${made} ${size}`;
}

/** Of the pool that each of several processes has at one place, the fullest counts. */
function poolOf(raws: readonly RawPool[], at: Place | undefined): Pool {
  const size = raws[0]?.size;
  const open = sum(raws.map((it) => it.open));
  return {
    driver: raws[0]?.driver ?? '',
    ...(at && { at }),
    ...(raws.length > 1 && { processes: raws.length }),
    ...(size !== undefined && { size }),
    mostHeld: most(raws.map((it) => it.mostHeld)),
    mostWaiting: most(raws.map((it) => it.mostWaiting)),
    wait: distributionOf(sumOf(raws.map((it) => it.wait))),
    hold: distributionOf(sumOf(raws.map((it) => it.hold))),
    idleHoldMs: rounded(sum(raws.map((it) => it.idleHoldMs))),
    ...unmeasuredIn(raws),
    open,
    ...(open > 0 && { oldestOpenMs: most(raws.map((it) => it.oldestOpenMs)) }),
  };
}

function databasesOf(raws: readonly RawRecording[]): readonly Database[] {
  const byDriver = groupedBy(
    raws.flatMap((it) => it.databases),
    (it) => it.driver,
  );
  return Array.from(byDriver, ([driver, its]) => ({
    driver,
    statements: sum(its.map((it) => it.time.count + it.unmeasured)),
    rejected: sum(its.map((it) => it.rejected)),
    ...commitsIn(its),
    time: distributionOf(sumOf(its.map((it) => it.time))),
  }));
}

function commitsIn(raws: readonly { readonly commits: number }[]): { readonly commits?: number } {
  const commits = sum(raws.map((it) => it.commits));
  return commits > 0 ? { commits } : {};
}

function clientsOf(raws: readonly RawRecording[]): Pick<Recording, 'clients'> {
  const between = sumOf(raws.map((it) => it.between));
  return between.count > 0 ? { clients: { between: distributionOf(between) } } : {};
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}

function most(numbers: readonly number[]): number {
  return rounded(Math.max(0, ...numbers));
}
