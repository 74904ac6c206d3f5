import type { PlannedSite } from '../../src/runtime/plan.ts';
import type { Entry } from '../../src/runtime/program/entry.ts';
import { PARTS } from '../../src/runtime/parts.ts';
import { Recorder } from '../../src/runtime/program/recorder.ts';
import type { Context } from '../../src/runtime/program/sites.ts';
import type { Parts, SiteKind } from '../../src/runtime/recording.ts';

/** A recorder with a clock that only the test moves: code runs between two waits, and a wait is idle unless something else runs. */
export function toyProgram(...sites: readonly (SiteKind | Partial<PlannedSite>)[]) {
  const time = { now: 100, idle: 0 };
  let store: Context | undefined;
  const recorder = new Recorder(
    {
      files: [
        {
          ...{ path: '/app/a.js', firstSite: 0, firstSource: 0, firstPool: 0 },
          probes: {
            ...{ text: '', frames: [], sources: [], pools: [], findings: [] },
            sites: sites.map((it): PlannedSite => ({
              ...{ start: 0, end: 0, line: 1, kind: 'unresolved', code: 'f', depth: 0 },
              ...(typeof it === 'string' ? { kind: it } : it),
            })),
          },
        },
      ],
    },
    {
      getStore: () => store,
      enterWith: (context) => {
        store = context;
      },
      disable: () => {
        store = undefined;
      },
    },
    { now: () => time.now, idle: () => time.idle },
  );
  return {
    recorder,
    /** The thread computes. */
    computes(ms: number) {
      time.now += ms;
    },
    /** The event loop is idle. */
    waits(ms: number) {
      time.now += ms;
      time.idle += ms;
    },
    /** Code runs for this entry. */
    enter(entry: Context | undefined) {
      store = entry;
    },
    get store() {
      return store;
    },
  };
}

/** The parts of an entry that are not 0. */
export function partsOf(entry: Entry): Partial<Parts> {
  return Object.fromEntries(
    PARTS.map((name, i) => [name, entry.parts[i]!] as const).filter(([, ms]) => ms > 1e-9),
  );
}
