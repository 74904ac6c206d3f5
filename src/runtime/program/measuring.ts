import { AsyncLocalStorage } from 'node:async_hooks';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { EMPTY } from '../histogram.ts';
import type { Plan } from '../plan.ts';
import type { RawRecording, RawSite } from '../raw.ts';
import { Drivers } from './drivers.ts';
import { changeModules } from './loading.ts';
import { Recorder } from './recorder.ts';
import { type Context, SiteSpan } from './sites.ts';
import { Requests } from './requests.ts';
import { NAMES } from './rewrite.ts';
import { Sources } from './sources.ts';
import { ThreadPool } from './thread-pool.ts';

/** How often the event loop is asked, in milliseconds. */
const RESOLUTION_MS = 10;

/** Starts to measure this process, and returns what it has measured so far whenever it is called. */
export function startMeasuring(plan: Plan, planPath: string): () => RawRecording {
  const storage = new AsyncLocalStorage<Context | undefined>();
  const { nodeTiming } = performance;
  const clock = { now: () => performance.now(), idle: () => nodeTiming.idleTime };
  const recorder = new Recorder(plan, storage, clock);
  const drivers = new Drivers(recorder, (entry, run) => storage.run(entry, run));
  const requests = new Requests(recorder);
  const sources = new Sources(plan);
  defineProbes(recorder, drivers);
  requests.listen((entry) => storage.enterWith(entry));
  const askThread = changeModules(
    sources,
    (exported, driver) => drivers.instrument(exported, driver),
    planPath,
  );
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const threadPool = new ThreadPool(clock);
  threadPool.watch();
  const busyAtStart = performance.eventLoopUtilization();
  const startMs = clock.now();
  return () => {
    const nowMs = clock.now();
    askThread();
    const { utilization } = performance.eventLoopUtilization(busyAtStart);
    const names = requests.names();
    const lag = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      pid: process.pid,
      node: process.versions.node,
      startedAt: performance.timeOrigin,
      durationMs: nowMs - startMs,
      sites: sitesOf(recorder, nowMs),
      entries: recorder.kinds.plain(recorder.entries, (it) => names.get(it)),
      ...drivers.plain(nowMs),
      eventLoop: {
        lagP50Ms: lag(delay.percentile(50)),
        lagP99Ms: lag(delay.percentile(99)),
        lagMaxMs: lag(delay.max),
        utilisation: utilization,
      },
      between: requests.between.plain(),
      threadPool: threadPool.plain(),
      probed: [...sources.probed],
      leftAlone: leftAloneIn(sources, recorder),
    };
  };
}

function defineProbes(recorder: Recorder, drivers: Drivers): void {
  const probes: Readonly<Record<keyof typeof NAMES, unknown>> = {
    frame: recorder.frame.bind(recorder),
    leave: recorder.leave.bind(recorder),
    open: recorder.open.bind(recorder),
    evaluated: recorder.evaluated.bind(recorder),
    close: recorder.close.bind(recorder),
    iteration: recorder.iteration.bind(recorder),
    iterated: recorder.iterated.bind(recorder),
    pool: drivers.made.bind(drivers),
  };
  for (const [name, value] of Object.entries(probes)) {
    Object.defineProperty(globalThis, NAMES[name as keyof typeof NAMES], { value });
  }
}

/** What was imported before it was required has its probes all the same. */
function leftAloneIn(sources: Sources, { sites }: Recorder): RawRecording['leftAlone'] {
  const hasRun = (path: string) =>
    sources.sitesOf(path).some((it) => sites[it]!.time.count + sites[it]!.unmeasured > 0);
  return Array.from(sources.leftAlone, ([path, reason]) => ({ path, reason })).filter(
    ({ path, reason }) => reason !== 'required' || !hasRun(path),
  );
}

/** Those that ran, or have begun to. */
function sitesOf(recorder: Recorder, nowMs: number): readonly RawSite[] {
  const open = new Map<number, { count: number; oldestMs: number }>();
  const lists = [recorder.background, ...Array.from(recorder.entries, (it) => it.spans)];
  for (const span of lists.flatMap((it) => [...it])) {
    if (!(span instanceof SiteSpan)) continue;
    const { count, oldestMs } = open.get(span.site.id) ?? { count: 0, oldestMs: 0 };
    const ageMs = nowMs - span.startMs;
    open.set(span.site.id, { count: count + 1, oldestMs: Math.max(oldestMs, ageMs) });
  }
  return recorder.sites
    .filter(({ id, time, unmeasured }) => time.count + unmeasured > 0 || open.has(id))
    .map(({ id, rejected, unmeasured, commits, time, pool, wire, statements }) => ({
      ...{ id, rejected, unmeasured, commits, time: time.plain() },
      open: open.get(id)?.count ?? 0,
      oldestOpenMs: open.get(id)?.oldestMs ?? 0,
      pool: pool?.plain() ?? EMPTY,
      wire: wire?.plain() ?? EMPTY,
      statements: Array.from(statements ?? [], ([statement, count]) => ({
        ...{ statement, count },
        most: Math.max(recorder.kinds.mostOf(id, statement), 1),
      })),
    }));
}
