import type { EntryKind, Recording } from '../../../src/runtime/recording.ts';
import { type TrueEntryKind, trueEntriesOf, type TruePart } from './entries-of-log.ts';
import type { Measured } from './measured.ts';
import type { PlacedSite, Program } from './program.ts';
import { type Truth, truthOf } from './waits-of-log.ts';

/** A line of a generated program: what it waited by the log, and by the recording. */
export interface LineResult {
  readonly shapes: string;
  /** `lib.js:12`. */
  readonly place: string;
  readonly waits: number;
  readonly trueMs: number;
  readonly recorded: number;
  readonly recordedMs: number;
  readonly isRight: boolean;
}

/** A number of one kind of entry, in ms over all of its entries. */
export interface PartResult {
  readonly entry: string;
  readonly part: string;
  readonly wallMs: number;
  readonly trueMs: number;
  readonly recordedMs: number;
  readonly isRight: boolean;
}

export interface Comparison {
  /** Each line with a wait of the generator. */
  readonly lines: readonly LineResult[];
  /** The part of each line of the time of one kind of entry. */
  readonly shares: readonly PartResult[];
  readonly parts: readonly PartResult[];
}

/** Waits shorter than this are not judged, in ms. */
const LEAST_MS = 5;
/** The tolerances: of a time, 2 % or 1 ms a wait; of a part, 3 % of the wall time; of the remainder, 5 %. */
const OF_TIME = 0.02;
const OF_WAIT_MS = 1;
const OF_PART = 0.03;
const OF_REMAINDER = 0.05;

/**
 * Compares a recording with the log of the program. `slackMs` is added to each tolerance: between two readings of the clock, a busy
 * machine may run other programs.
 */
export function comparisonOf(
  { sites }: Program,
  { recording, log }: Measured,
  slackMs = 0,
): Comparison {
  const truth = truthOf(log, sites);
  const entries = trueEntriesOf(log, truth.waits).filter((it) => it.count > 0);
  const compared: Compared = { sites, recording, slackMs };
  return {
    lines: linesOf(truth, compared),
    shares: entries.flatMap((it) => sharesOf(it, compared)),
    parts: [...entries.flatMap((it) => partsOf(it, compared)), ...countsOf(log, recording)],
  };
}

/** The calls of the driver that have ended. */
function countsOf(log: Measured['log'], recording: Recording): readonly PartResult[] {
  const logged = (kind: string) => log.filter((it) => it[0] === kind && it[4] !== undefined).length;
  const result = (part: string, truth: number, recorded: number) => ({
    ...{ entry: 'all', part, wallMs: 0, trueMs: truth, recordedMs: recorded },
    isRight: truth === recorded,
  });
  return [
    result('statements', logged('wire'), sum(recording.databases.map((it) => it.statements))),
    result('checkouts', logged('pool'), sum(recording.pools.map((it) => it.wait.count))),
    result('releases', logged('hold'), sum(recording.pools.map((it) => it.hold.count))),
  ];
}

interface Compared {
  readonly sites: readonly PlacedSite[];
  readonly recording: Recording;
  readonly slackMs: number;
}

function linesOf(
  { occurrences }: Truth,
  { sites, recording, slackMs }: Compared,
): readonly LineResult[] {
  const places = new Map<string, number[]>();
  for (const [i, it] of sites.entries())
    places.set(placeOf(it), [...(places.get(placeOf(it)) ?? []), i]);
  return Array.from(places, ([place, own]): LineResult[] => {
    const all = own.flatMap((it) => occurrences[it]!);
    const waits = all.length;
    const trueMs = sum(all.map((it) => it.endMs - it.startMs));
    if (waits === 0 || trueMs < LEAST_MS * waits) return [];
    const found = recording.sites.filter((it) => placeOf({ ...it.at }) === place);
    const recorded = sum(found.map((it) => it.count));
    const recordedMs = sum(found.map((it) => it.time.totalMs));
    const tolerance = slackMs + Math.max(OF_TIME * trueMs, OF_WAIT_MS * waits);
    const isRight = recorded === waits && Math.abs(recordedMs - trueMs) <= tolerance;
    const shapes = [...new Set(own.map((it) => sites[it]!.shape))].join(', ');
    return [{ shapes, place, waits, trueMs, recorded, recordedMs, isRight }];
  }).flat();
}

function sharesOf(
  { name, bySite, wallMs, count }: TrueEntryKind,
  { sites, recording, slackMs }: Compared,
): readonly PartResult[] {
  const entry = entryOf(recording, name);
  const places = new Map<string, number>();
  for (const [site, ms] of bySite) {
    const place = placeOf(sites[site]!);
    places.set(place, (places.get(place) ?? 0) + ms);
  }
  return Array.from(places, ([place, trueMs]): PartResult => {
    const recordedMs = sum(
      (entry?.sites ?? [])
        .filter((it) => placeOf(recording.sites[it.site]!.at) === place)
        .map((it) => it.exclusiveMs),
    );
    const tolerance = slackMs + Math.max(OF_TIME * trueMs, OF_WAIT_MS * count);
    const isRight = Math.abs(recordedMs - trueMs) <= tolerance;
    return { entry: name, part: place, wallMs, trueMs, recordedMs, isRight };
  });
}

function partsOf(
  { name, count, wallMs, parts }: TrueEntryKind,
  { recording, slackMs }: Compared,
): readonly PartResult[] {
  const entry = entryOf(recording, name);
  const result = (part: string, trueMs: number, recordedMs: number, isRight: boolean) => ({
    ...{ entry: name, part, wallMs, trueMs, recordedMs, isRight },
  });
  if (entry?.count !== count) return [result('count', count, entry?.count ?? 0, false)];
  const { parts: own, time } = entry;
  const slack = slackMs + OF_PART * wallMs;
  const near = (part: TruePart, recordedMs: number) =>
    result(part, parts[part], recordedMs, Math.abs(parts[part] - recordedMs) <= slack);
  const { computingMs, unexplainedMs } = own;
  const mostUnexplainedMs = slackMs + OF_REMAINDER * time.totalMs;
  // What a process computes next to the bursts of the generator is not in the log.
  const computes =
    computingMs >= parts.burst - slack && computingMs <= parts.burst + parts.rest + slack;
  return [
    near('asleep', own.asleepMs + own.lagMs),
    near('pool', own.poolMs),
    near('wire', own.wireMs + own.inSequenceMs),
    near('held', own.heldMs),
    result('computing', parts.burst, computingMs, computes),
    result('unexplained', 0, unexplainedMs, unexplainedMs <= mostUnexplainedMs),
    result(
      'wall',
      wallMs,
      time.totalMs,
      Math.abs(wallMs - time.totalMs) <= slackMs + Math.max(OF_TIME * wallMs, OF_WAIT_MS * count),
    ),
  ];
}

function entryOf({ entries }: Recording, name: string): EntryKind | undefined {
  return entries.find((it) => it.name === name);
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}
