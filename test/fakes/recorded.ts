import { Histogram } from '../../src/runtime/histogram.ts';
import { type Plan, PLAN_FORMAT, type PlannedFile } from '../../src/runtime/plan.ts';
import type { RawRecording } from '../../src/runtime/raw.ts';
import { recordingOf } from '../../src/runtime/recorded.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import type { Rule } from '../../rules/define-rule.ts';
import { rules as allRules } from '../../rules/index.ts';
import { scanned } from './scanned.ts';

export interface RecordedOptions {
  readonly rules?: readonly Rule[];
  /** The lines whose awaits ran, in every request; all of them without it. */
  readonly ran?: (line: number, file: string) => boolean;
  /** The files that were not loaded. */
  readonly unloaded?: readonly string[];
  readonly requests?: number;
  /** Of each await, in each request. */
  readonly eachMs?: number;
  readonly entry?: string;
}

/** What `deadtime run` records of a program with these texts, in which requests to one route run all of the lines. */
export function recorded(
  texts: Readonly<Record<string, string>>,
  {
    rules = allRules,
    ran = () => true,
    unloaded = [],
    requests = 412,
    eachMs = 4.4,
    entry = 'GET /dashboard',
  }: RecordedOptions = {},
): Recording {
  const files = filesOf(texts, rules);
  const sites = files
    .filter((it) => !unloaded.includes(it.path))
    .flatMap(({ path, firstSite, probes }) =>
      probes.sites.flatMap(({ line }, i) => (ran(line, path) ? [firstSite + i] : [])),
    );
  const time = new Histogram();
  for (let i = 0; i < requests; i++) time.add(eachMs);
  const none = new Histogram().plain();
  const raw: RawRecording = {
    ...{ pid: 1, node: '24.0.0', startedAt: Date.UTC(2026, 10, 21), durationMs: 60_000 },
    sites: sites.map((id) => ({
      ...{ id, rejected: 0, unmeasured: 0, commits: 0, time: time.plain() },
      ...{ open: 0, oldestOpenMs: 0 },
      ...{ pool: none, wire: none, statements: [] },
    })),
    entries: [
      {
        ...{ name: entry, aborted: 0, unmeasured: 0, open: 0, time: time.plain() },
        ...{ firstMs: 0, lastMs: 60_000, busyMs: 60_000, slices: [] },
        ...{ partsMs: [requests * eachMs, 0, 0, 0, 0, 0, 0, 0, 0], runs: [] },
        sites: sites.map((id) => ({
          ...{ id, count: requests, most: 1, entries: requests, exclusiveMs: requests * eachMs },
        })),
      },
    ],
    ...{ pools: [], databases: [], between: none, leftAlone: [], threadPool: none },
    eventLoop: { lagP50Ms: 0, lagP99Ms: 3.1, lagMaxMs: 41, utilisation: 0.24 },
    probed: Object.keys(texts).filter((it) => !unloaded.includes(it)),
  };
  const plan: Plan = { format: PLAN_FORMAT, root: '/project', files, drivers: [] };
  return recordingOf({
    ...{ plan, raws: [raw], program: 'node server.js' },
    shownPath: (path) => path,
  });
}

function filesOf(
  texts: Readonly<Record<string, string>>,
  rules: readonly Rule[],
): readonly PlannedFile[] {
  const firsts = { firstSite: 0, firstSource: 0, firstPool: 0 };
  return Object.entries(texts).map(([path, text]): PlannedFile => {
    const { probes } = scanned(text, path, { rules, profile: 'strict', findsProbes: true });
    if (!probes) throw new Error(`${path} has no probes`);
    const file = { path, ...firsts, probes };
    firsts.firstSite += probes.sites.length;
    firsts.firstSource += probes.sources.length;
    firsts.firstPool += probes.pools.length;
    return file;
  });
}
