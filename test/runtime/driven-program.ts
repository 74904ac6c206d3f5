import { ok } from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PlannedSite } from '../../src/runtime/plan.ts';
import { Drivers } from '../../src/runtime/program/drivers.ts';
import { Recorder } from '../../src/runtime/program/recorder.ts';
import type { Context } from '../../src/runtime/program/sites.ts';
import { Sources } from '../../src/runtime/program/sources.ts';
import { driverPlans } from '../../src/scan/driver-plans.ts';

/** A program with two awaits, whose drivers are the given exports by the files of their packages. */
export function programWith(exported: Readonly<Record<string, unknown>>) {
  const storage = new AsyncLocalStorage<Context | undefined>();
  const site: PlannedSite = { start: 0, end: 0, line: 1, kind: 'db', code: 'f', depth: 0 };
  const probes = {
    text: '',
    frames: [],
    sources: [],
    pools: [],
    findings: [],
    sites: [site, site],
  };
  const recorder = new Recorder(
    { files: [{ path: '/app/a.js', firstSite: 0, firstSource: 0, firstPool: 0, probes }] },
    storage,
    { now: () => performance.now(), idle: () => 0 },
  );
  const drivers = new Drivers(recorder, (context, run) => storage.run(context, run));
  const sources = new Sources({ files: [], drivers: driverPlans() });
  for (const [file, it] of Object.entries(exported)) {
    const plan = sources.driverAt(`/app/node_modules/${file}`);
    ok(plan, `no driver has the file ${file}`);
    drivers.instrument(it, plan);
  }
  return {
    drivers,
    /** What the inserted code does for an await. */
    async awaits<T>(id: 0 | 1, run: () => PromiseLike<T>): Promise<T> {
      const frame = recorder.frame();
      const span = recorder.open(frame, id);
      try {
        return recorder.close(span, await recorder.evaluated(frame, run()));
      } finally {
        recorder.leave(frame);
      }
    },
    /** By await, how often it waited for a connection, and what it sent. */
    get seen() {
      return recorder.sites.map(({ pool, statements }) => ({
        waits: pool?.count ?? 0,
        sent: Object.fromEntries(statements ?? []),
      }));
    },
    get pools() {
      return drivers
        .plain(0)
        .pools.map(({ driver, size, made, wait, hold, mostHeld, mostWaiting, open }) => ({
          ...{ driver, size, made, mostHeld, mostWaiting, open },
          ...{ waits: wait.count, holds: hold.count },
        }));
    },
    /** Of each driver, and of each await. */
    get commits() {
      const [databases, awaits] = [drivers.plain(0).databases, recorder.sites];
      return [databases, awaits].map((its) => its.map((it) => it.commits));
    },
    get databases() {
      return drivers
        .plain(0)
        .databases.map(({ driver, time, rejected }) => [driver, time.count, rejected]);
    },
  };
}

/** What is seen of an await without a driver. */
export const NOTHING = { waits: 0, sent: {} };
