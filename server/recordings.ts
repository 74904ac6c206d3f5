import { sep } from 'node:path';
import {
  type MeasuredCost,
  type Measurements,
  measurementsOf,
} from '../src/scan/measured-costs.ts';
import type { Problem } from '../src/scan/problem.ts';
import { type FoundRecording, recordingIn, recordingName } from '../src/scan/recording-file.ts';
import type { Sheet } from './documents.ts';
import { staleness } from './proofs/staleness.ts';

/** What runs of the user's program have measured of the findings in open documents. */
export interface Recordings {
  /** The recording in a folder, read when it is first asked for. */
  in(folder: string): FoundRecording | undefined;
  /** The findings of the sheet's present text, with what was measured of each. */
  measured(sheet: Sheet, problems: readonly Problem[]): readonly Problem[];
  /** Reads recordings again where one of the paths is that of a recording; returns the other paths. */
  changed(paths: readonly string[]): readonly string[];
  /** Recordings may have changed on the disk. */
  refresh(): void;
}

export interface RecordingsOptions {
  folderOf(sheet: Sheet): string;
  onMistake(mistake: string): void;
  /** Findings have different measured costs than before. */
  onChange(): void;
}

interface Known {
  readonly found: FoundRecording | undefined;
  readonly measurements: Measurements | undefined;
}

export function recordingsOf(options: RecordingsOptions): Recordings {
  return new RecordingsOfSession(options);
}

class RecordingsOfSession implements Recordings {
  readonly #options: RecordingsOptions;
  readonly #byFolder = new Map<string, Known>();
  /** By the findings of an analysis, which are the same list as long as nothing is analysed. */
  #joined = new WeakMap<readonly Problem[], readonly Problem[]>();
  #stale = staleness();
  /** What was measured of the findings of a sheet in this session, by fingerprint. */
  #costs = new WeakMap<Sheet, Map<string, MeasuredCost>>();

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  in(folder: string): FoundRecording | undefined {
    return this.#knownIn(folder).found;
  }

  measured(sheet: Sheet, problems: readonly Problem[]): readonly Problem[] {
    const joined = this.#joined.get(problems) ?? this.#join(sheet, problems);
    this.#joined.set(problems, joined);
    return joined;
  }

  changed(paths: readonly string[]): readonly string[] {
    const others = paths.filter((it) => !isRecording(it));
    if (others.length < paths.length) this.refresh();
    return others;
  }

  refresh(): void {
    this.#byFolder.clear();
    this.#joined = new WeakMap();
    this.#stale = staleness();
    this.#costs = new WeakMap();
    this.#options.onChange();
  }

  #knownIn(folder: string): Known {
    const known = this.#byFolder.get(folder);
    if (known) return known;
    const found = recordingIn(folder);
    if (found && 'mistake' in found) this.#options.onMistake(found.mistake);
    const measurements =
      found && 'recording' in found ? measurementsOf(found.recording, folder) : undefined;
    const it = { found, measurements };
    this.#byFolder.set(folder, it);
    return it;
  }

  #join(sheet: Sheet, problems: readonly Problem[]): readonly Problem[] {
    if (problems.length === 0 || !sheet.isOnDisk) return problems;
    const { measurements } = this.#knownIn(this.#options.folderOf(sheet));
    const measuredOf = measurements?.inFile(sheet.path)?.(sheet.text());
    if (!measuredOf) return problems;
    const costs = this.#costs.get(sheet) ?? new Map<string, MeasuredCost>();
    this.#costs.set(sheet, costs);
    const joined = problems.map((it) => {
      const measured = measuredOf(it);
      if (measured?.state === 'measured') costs.set(it.fingerprint, measured);
      return measured ? { ...it, measured } : it;
    });
    this.#stale.follow(sheet, problems, (it) => costs.has(it));
    return joined.map((it) => {
      if (it.measured?.state !== 'stale') return it;
      const before = costs.get(this.#stale.measuredAs(it.fingerprint) ?? '');
      return before ? { ...it, measured: { ...it.measured, before } } : it;
    });
  }
}

function isRecording(path: string): boolean {
  return path.endsWith(`${sep}${recordingName.replaceAll('/', sep)}`);
}
