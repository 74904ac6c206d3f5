import { resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { groupedBy } from '../analysis/syntax/grouped.ts';
import { rounded } from '../runtime/histogram.ts';
import { keyOfText } from '../runtime/plan.ts';
import {
  type EntryKind,
  type EntrySite,
  type Pool,
  type RecordedFile,
  type RecordedFinding,
  type Recording,
  timesOf,
  unmeasuredIn,
} from '../runtime/recording.ts';
import type { Problem } from './problem.ts';
import { recordingIn } from './recording-file.ts';
import { textPlacesIn } from './text-places.ts';

/** What a recording of the program states of a finding. */
export type Measured =
  | MeasuredCost
  /** Its file ran, and its lines did not. */
  | { readonly state: 'did-not-run'; readonly run: RunOfProgram }
  /** Its code has changed since the run, or a copy of it was added or removed. */
  | {
      readonly state: 'stale';
      readonly run: RunOfProgram;
      /** What it cost before, where an editor has followed the change. */
      readonly before?: MeasuredCost;
    };

/** Measured in the user's own program, in milliseconds of wall time. */
export interface MeasuredCost {
  readonly state: 'measured';
  readonly run: RunOfProgram;
  /** How often its lines ran and were measured, in entries or not; of a pool, its checkouts. */
  readonly count: number;
  /** How often they ran besides, in entries that were only counted; absent where they never did. */
  readonly unmeasured?: number;
  /** The time of those that were measured: within entries without overlap, or of all where no entry has them. */
  readonly totalMs: number;
  /** Estimated from the measured reads of a sequence: what they take when they run concurrently. */
  readonly togetherMs?: number;
  /** Those in which it ran; the one with most time comes first. */
  readonly entries: readonly MeasuredEntry[];
  /** Of a finding about a pool, its waits for a connection. */
  readonly pool?: { readonly p95Ms: number; readonly mostWaiting: number };
  /** Awaits without an end when the recording ended. */
  readonly open?: { readonly count: number; readonly oldestMs: number };
}

export interface MeasuredEntry extends Pick<EntryKind, 'kind' | 'name'> {
  /** All of this kind that ended and were measured. */
  readonly count: number;
  /** Those in which it ran. */
  readonly ran: number;
  readonly totalMs: number;
  readonly togetherMs?: number;
}

export interface RunOfProgram extends Pick<Recording, 'startedAt' | 'durationMs'> {
  /** Those of all kinds that ended. */
  readonly entries: number;
}

/** What a recording states of the findings in a project. */
export interface Measurements {
  /** For the findings in one text of a file; undefined for a file of which the recording states nothing. */
  inFile(path: string): ((text: string) => MeasuredOf) | undefined;
}

type MeasuredOf = (problem: Problem) => Measured | undefined;

/** `folder` is that in which the program was started. */
export function measurementsOf(recording: Recording, folder: string): Measurements {
  const files = new Map(recording.files.map((it) => [resolve(folder, it.file), it]));
  const costs = new Costs(recording);
  return {
    inFile(path) {
      const file = files.get(path);
      return file && ((text) => measuredIn(file, text, costs));
    },
  };
}

/** A function is the same where its finding has the same key and the same place in it, and where no copy of it may be meant. */
function measuredIn(file: RecordedFile, text: string, costs: Costs): MeasuredOf {
  const isSame = keyOfText(text, crc32) === file.text;
  const byFingerprint = groupedBy(file.findings, (it) => it.fingerprint);
  const places = textPlacesIn(text);
  return ({ fingerprint, finding, unit }) => {
    const words = places.wordsBefore(finding.range[0], unit);
    const [found] = byFingerprint.get(fingerprint)?.filter((it) => it.words === words) ?? [];
    // In the same text, what is not found was not part of the scan before the run.
    if (isSame) return found && costs.of(found);
    const isClear = found && !found.isCopied && !places.isCopied(unit);
    return isClear ? costs.of(found) : { state: 'stale', run: costs.run };
  };
}

class Costs {
  readonly run: RunOfProgram;
  readonly #recording: Recording;
  readonly #lines = new Map<number, (readonly [EntryKind, EntrySite])[]>();

  constructor(recording: Recording) {
    const { startedAt, durationMs, entries } = recording;
    this.#recording = recording;
    this.run = { startedAt, durationMs, entries: sum(entries.map(timesOf)) };
    for (const entry of entries.filter((it) => it.count > 0)) {
      for (const line of entry.sites) {
        const known = this.#lines.get(line.site);
        if (known) known.push([entry, line]);
        else this.#lines.set(line.site, [[entry, line]]);
      }
    }
  }

  of({ sites, pool }: RecordedFinding): Measured {
    const made = pool === undefined ? undefined : this.#recording.pools[pool];
    if (sites.length > 0) return this.#ofSites(new Set(sites));
    return made ? costOfPool(made, this.run) : { state: 'did-not-run', run: this.run };
  }

  #ofSites(numbers: ReadonlySet<number>): MeasuredCost {
    const sites = [...numbers].flatMap((it) => this.#recording.sites[it] ?? []);
    const entries = this.#entriesOf(numbers);
    const together = entries.filter((it) => it.togetherMs !== undefined);
    const open = sum(sites.map((it) => it.open));
    return {
      ...{ state: 'measured', run: this.run },
      count: sum(sites.map((it) => it.count)),
      ...unmeasuredIn(sites),
      totalMs: rounded(
        entries.length > 0
          ? sum(entries.map((it) => it.totalMs))
          : sum(sites.map((it) => it.time.totalMs)),
      ),
      ...(together.length > 0 && {
        togetherMs: rounded(sum(entries.map((it) => it.togetherMs ?? it.totalMs))),
      }),
      entries,
      ...(open > 0 && {
        open: { count: open, oldestMs: Math.max(...sites.map((it) => it.oldestOpenMs ?? 0)) },
      }),
    };
  }

  #entriesOf(numbers: ReadonlySet<number>): readonly MeasuredEntry[] {
    const lines = [...numbers].flatMap((it) => this.#lines.get(it) ?? []);
    const byEntry = groupedBy(lines, ([entry]) => entry);
    return Array.from(byEntry, ([entry, its]): MeasuredEntry => {
      const own = its.map(([, line]) => line);
      const sequence = own
        .flatMap((it) => it.sequence ?? [])
        .find((it) => it.count > 0 && it.sites.every((i) => numbers.has(i)));
      return {
        ...{ kind: entry.kind, name: entry.name, count: entry.count },
        ran: Math.max(...own.map((it) => it.entries)),
        totalMs: rounded(sequence?.totalMs ?? sum(own.map((it) => it.exclusiveMs))),
        ...(sequence && { togetherMs: sequence.togetherMs }),
      };
    }).sort((a, b) => b.totalMs - a.totalMs);
  }
}

function costOfPool(recorded: Pool, run: RunOfProgram): MeasuredCost {
  const { wait, mostWaiting } = recorded;
  return {
    ...{ state: 'measured', run, entries: [] },
    ...{ count: wait.count, totalMs: wait.totalMs },
    ...unmeasuredIn([recorded]),
    pool: { p95Ms: wait.p95Ms, mostWaiting },
  };
}

/**
 * The time that the program could have saved: of reads in sequence, all but what they take together. Where some were only counted, the
 * others stand for them.
 */
export function deadMsOf(
  cost: Pick<MeasuredCost, 'count' | 'unmeasured' | 'totalMs' | 'togetherMs'>,
): number {
  const { totalMs, togetherMs = 0, count } = cost;
  return (Math.max(0, totalMs - togetherMs) * timesOf(cost)) / Math.max(count, 1);
}

/**
 * The findings with what the recording in a folder states of each, and what is wrong with that file. `textOf` is asked only for files that
 * the recording names.
 */
export function withMeasured(
  problems: readonly Problem[],
  folder: string,
  textOf: (path: string) => string | undefined,
): { readonly problems: readonly Problem[]; readonly mistake?: string } {
  const found = problems.length > 0 ? recordingIn(folder) : undefined;
  if (!found) return { problems };
  if ('mistake' in found) return { problems, mistake: found.mistake };
  const measurements = measurementsOf(found.recording, folder);
  const byPath = new Map<string, MeasuredOf | undefined>();
  const measuredAt = (path: string) => {
    if (!byPath.has(path)) {
      const inText = measurements.inFile(path);
      const text = inText && textOf(path);
      byPath.set(path, text === undefined ? undefined : inText?.(text));
    }
    return byPath.get(path);
  };
  return {
    problems: problems.map((it) => {
      const measured = measuredAt(it.path)?.(it);
      return measured ? { ...it, measured } : it;
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}
