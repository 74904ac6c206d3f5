import type { EntryKind, EntrySite, Recording } from '../runtime/recording.ts';
import { runText } from './run.ts';
import { visible } from './visible.ts';

/** As many as a model needs to find where the time goes. */
const MOST_ENTRIES = 8;
const MOST_LINES = 6;

/** What a program has waited for, for an agent. */
export interface Waits {
  readonly text: string;
  readonly entries: readonly WaitsOfEntry[];
  /** The files of the lines in `entries`, as the recording names them. */
  readonly files: readonly string[];
}

/** In milliseconds of wall time, measured in the program. */
interface WaitsOfEntry extends Pick<EntryKind, 'kind' | 'name' | 'count' | 'unmeasured' | 'parts'> {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly totalMs: number;
  readonly lines: readonly {
    /** `src/a.js:12` */
    readonly at: string;
    readonly code: string;
    /** How often it ran. */
    readonly count: number;
    /** Without overlap with other lines. */
    readonly totalMs: number;
    readonly rules: readonly string[];
  }[];
}

export function waitsOf(recording: Recording, output: string): Waits {
  const entries = recording.entries.filter((it) => it.count > 0).slice(0, MOST_ENTRIES);
  const lines = entries.flatMap(linesOf);
  return {
    text: runText(recording, { hasColors: false, output }).trim(),
    entries: entries.map((it) => entryOf(it, recording)),
    files: [...new Set(lines.flatMap(({ site }) => recording.sites[site]?.at.file ?? []))],
  };
}

function linesOf({ sites }: EntryKind): readonly EntrySite[] {
  return sites.slice(0, MOST_LINES);
}

function entryOf(entry: EntryKind, { sites }: Recording): WaitsOfEntry {
  const { kind, name, count, unmeasured, parts, time } = entry;
  return {
    ...{ kind, name: visible(name), count, parts },
    ...(unmeasured !== undefined && { unmeasured }),
    ...{ p50Ms: time.p50Ms, p95Ms: time.p95Ms, totalMs: time.totalMs },
    lines: linesOf(entry).flatMap((it) => {
      const site = sites[it.site];
      if (!site) return [];
      const { at, code, rules } = site;
      return [
        {
          ...{ at: visible(`${at.file}:${at.line}`), code: visible(code) },
          ...{ count: it.count, totalMs: it.exclusiveMs, rules: rules.map(visible) },
        },
      ];
    }),
  };
}

/** `changed`: files with a different text than in the run. */
export function withChanged(text: string, changed: readonly string[]): string {
  if (changed.length === 0) return text;
  return `${text}\nChanged since the run, so lines may differ: ${changed.map(visible).join(', ')}`;
}
