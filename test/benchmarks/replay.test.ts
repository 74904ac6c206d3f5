import type { RuleId } from '../../rules/index.ts';
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { SetUpContext, Values } from '../../src/proof/case.ts';
import { forecastMs } from '../../src/proof/replay/forecast.ts';
import { programOf, type Program, type Remedy } from '../../src/proof/replay/program.ts';
import { replayCase, replayFor } from '../../src/proof/replay/replay-case.ts';
import { perform, type Stage } from '../../src/proof/replay/stage.ts';
import { programText } from '../../src/proof/replay/text.ts';
import { table } from '../../src/proof/table.ts';
import type { SkeletonSubject } from '../../src/patterns/skeleton/skeletons.ts';
import { skeletonAt } from '../../src/patterns/skeleton/skeletons.ts';
import type { SkeletonStep } from '../../src/patterns/skeleton/shape.ts';
import type { Evidence } from '../../rules/define-rule.ts';
import { projectOf } from '../fixtures.ts';

const values: Values = {
  queryMs: 5,
  serviceMs: 20,
  max: 10,
  count: 4,
  every: 4,
  limit: 3,
  sleepMs: 50,
};
const machine = { cores: 2, roundTripMs: 1 };

const worker = `
async function work() {
  while (true) {
    const { rows } = await pool.query('SELECT id FROM jobs LIMIT 1 FOR UPDATE SKIP LOCKED')
    if (rows.length > 0) await pool.query('DELETE FROM jobs WHERE id = $1', [rows[0].id])
    await sleep(100)
  }
}`;
const skipping = `
export async function refresh(rows: { id: number; active: boolean }[]) {
  for (const row of rows) {
    if (!row.active) {
      await sleep(100)
      continue
    }
    await pool.query('UPDATE accounts SET seen = now() WHERE id = $1', [row.id])
  }
}`;
const overview = `
export async function overview(id: number) {
  const user = await pool.query('SELECT name FROM users WHERE id = $1', [id])
  if (user.rows.length === 0) return
  const books = await pool.query('SELECT * FROM books WHERE owner = $1', [id])
  const loans = await pool.query('SELECT * FROM loans WHERE owner = $1', [id])
  return { user, books, loans }
}`;
const addresses = `
export async function addresses(ids: number[]) {
  const found = []
  for (const id of ids) {
    const { rows } = await pool.query('SELECT mail FROM users WHERE id = $1', [id])
    found.push(rows[0].mail)
  }
  return found
}`;
const held = `
export async function addresses(ids: number[]) {
  const found = []
  for (const id of ids) {
    const client = await pool.connect()
    try {
      const { rows } = await client.query('SELECT mail FROM users WHERE id = $1', [id])
      found.push(rows[0].mail)
    } finally {
      client.release()
    }
  }
  return found
}`;

function skeletonIn(source: string, subject: SkeletonSubject, mark: string) {
  const path = '/project/main.ts';
  const imports = `import { Pool } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
const pool = new Pool()`;
  const file = projectOf([{ virtualPath: path, source: imports + source }])(path);
  const skeleton = skeletonAt(file, subject, file.text.lastIndexOf(mark));
  if ('unreadable' in skeleton) throw new Error(skeleton.unreadable);
  return skeleton;
}

/** What the stand-ins are asked, in order: `(` begins, `)` ends what runs at once with others. */
async function playOf(program: Program, runs = 1, isHeld = false): Promise<string> {
  const log: string[] = [];
  let underWay = 0;
  let most = 0;
  const asks = (name: string) => async () => {
    underWay++;
    most = Math.max(most, underWay);
    log.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return { rows: [], rowCount: 0 };
  };
  const connection = { query: asks('held'), release: () => void log.push('release') };
  const pool = {
    kind: 'postgres' as const,
    totals: { roundTrips: 0, connections: 0 },
    waitingCount: 0,
    gone: Promise.resolve(),
    query: asks('query'),
    connect: async () => (log.push('connect'), connection),
    end: async () => {},
  };
  const trace: SetUpContext['trace'] = {
    call: (_, work) => work(),
    dead: (label, work) => (log.push(label.replace(/^\d+: /, '')), work()),
    ready() {},
  };
  const stage: Stage = {
    ...{ pool, elsewhere: pool, trace },
    queries: { database: '', unknown: '', service: '', disk: '' },
  };
  for (let i = 0; i < runs; i++) await perform(program, stage, i, isHeld ? connection : undefined);
  return `${log.join(' ')}, ${most} at once`;
}

/** Without the sleep itself: a test does not wait. */
const atOnce: Values = { ...values, sleepMs: 0 };
const programsOf = (steps: readonly SkeletonStep[], remedy: Remedy, more: Values = {}) => ({
  flagged: programOf(steps, { values: { ...atOnce, ...more }, remedy: undefined }),
  mended: programOf(steps, { values: { ...atOnce, ...more }, remedy }),
});

describe('a replay', () => {
  it('keeps the queries of a worker and leaves its sleep out', async () => {
    const { steps } = skeletonIn(worker, 'sleep', 'await sleep');
    const { flagged, mended } = programsOf(steps, 'without-sleep');
    strictEqual(await playOf(flagged), 'query query sleep, 1 at once');
    strictEqual(await playOf(mended), 'query query, 1 at once');
  });

  it('takes the way of the sleep in the given part of the runs, and goes on after it', async () => {
    const { steps } = skeletonIn(skipping, 'sleep', 'await sleep');
    const { flagged, mended } = programsOf(steps, 'without-sleep', { share: 0.25 });
    strictEqual(
      await playOf(flagged, 8),
      'query query query sleep query query query sleep, 1 at once',
    );
    strictEqual(await playOf(mended, 8), 'query query query query query query, 1 at once');
  });

  it('yields in every run, or once in so many', async () => {
    const { steps } = skeletonIn(
      `
      export async function touch(ids: number[]) {
        for (const id of ids) {
          await pool.query('UPDATE accounts SET seen = now() WHERE id = $1', [id])
          await new Promise((resolve) => setImmediate(resolve))
        }
      }`,
      ...(['turn', 'await new'] as const),
    );
    const { flagged, mended } = programsOf(steps, 'yield-every');
    strictEqual(await playOf(flagged, 4), 'query turn query turn query turn query turn, 1 at once');
    strictEqual(await playOf(mended, 4), 'query query query query turn, 1 at once');
  });

  it('reads together what needs nothing of each other, and first what they need', async () => {
    const { steps } = skeletonIn(overview, 'reads', "await pool.query('SELECT * FROM books");
    const { flagged, mended } = programsOf(steps, 'reads-together');
    strictEqual(await playOf(flagged), 'query query query, 1 at once');
    strictEqual(await playOf(mended), 'query query query, 2 at once');
    deepStrictEqual(
      [flagged, mended].map((it) => forecastMs(it, values, machine)),
      [3, 2].map((queries) => queries * forecastMs([flagged[0]!], values, machine)),
    );
  });

  it('sends one request for all elements, or for some concurrently', async () => {
    const { steps } = skeletonIn(addresses, 'loop', 'await pool');
    const { flagged, mended } = programsOf(steps, 'one-request');
    strictEqual(await playOf(flagged), 'query query query query, 1 at once');
    strictEqual(await playOf(mended), 'query, 1 at once');
    const bounded = programsOf(steps, 'some-at-once').mended;
    strictEqual(await playOf(bounded), 'query query query query, 3 at once');
    const one = forecastMs(mended, values, machine);
    deepStrictEqual(
      [flagged, bounded].map((it) => forecastMs(it, values, machine) / one),
      [4, 2],
    );
  });

  it('checks out for each query, or holds one connection', async () => {
    const { steps } = skeletonIn(held, 'checkout', 'pool.connect');
    const { flagged, mended } = programsOf(steps, 'held-connection');
    strictEqual(
      await playOf(flagged, 2),
      'checkout connect held release checkout connect held release, 1 at once',
    );
    strictEqual(await playOf(mended, 2, true), 'held held, 1 at once');
  });

  it('releases on a path that returns early', async () => {
    const steps: readonly SkeletonStep[] = [
      { kind: 'checkout', line: 1, isFlagged: false, roundTrips: 1 },
      {
        ...{ kind: 'branch', line: 2, isFlagged: false, thenLeaves: true, otherwiseLeaves: false },
        ...{ then: [{ kind: 'yield', line: 3, isFlagged: true, how: 'tick' }], otherwise: [] },
      },
      { kind: 'io', line: 4, isFlagged: false, label: 'ask()', to: 'database', on: 'connection' },
    ];
    const { flagged } = programsOf(steps, 'yield-every');
    strictEqual(await playOf(flagged), 'connect held turn release, 1 at once');
  });

  it('is a text with the lines of the code', () => {
    const { steps } = skeletonIn(addresses, 'loop', 'await pool');
    const { flagged, mended } = programsOf(steps, 'one-request');
    strictEqual(programText(flagged), '    6 > 4 times:\n    7     query for pool.query()\n');
    strictEqual(programText(mended), '    7 > query for pool.query()\n');
  });
});

describe('what can be replayed', () => {
  const replay = (
    source: string,
    [subject, mark]: readonly [SkeletonSubject, string],
    [ruleId, evidence]: readonly [RuleId, Evidence],
  ) => replayFor(ruleId, skeletonIn(source, subject, mark), evidence);

  it('has the parameters that its program asks for', () => {
    const found = replay(
      skipping,
      ['sleep', 'await sleep'],
      ['no-hot-path-sleep', { variant: 'skip-branch', sleepMs: 100 }],
    );
    ok('skeleton' in found);
    const own = replayCase(table['no-hot-path-sleep'][0]!, found);
    deepStrictEqual(
      own.parameters.map((it) => it.name),
      ['sleepMs', 'share', 'queryMs', 'roundTripMs', 'max'],
    );
    deepStrictEqual(own.parametersOf({ variant: 'skip-branch', sleepMs: 100 }), { sleepMs: 100 });
    const { flagged, mended } = own.predict!(
      { sleepMs: 50, share: 0.2, queryMs: 0, max: 10 },
      machine,
    )!;
    ok(Math.abs(flagged - (0.2 * 50 + 0.8)) < 0.1 && Math.abs(mended - 0.8) < 0.001);
  });

  it('is neither a sleep of an empty queue nor a loop that waits only for turns', () => {
    const nap = replay(
      worker,
      ['sleep', 'await sleep'],
      ['no-hot-path-sleep', { variant: 'idle-poll', sleepMs: 100 }],
    );
    deepStrictEqual(nap, {
      unreadable: 'the cost of this finding is not a wait',
    });
    const turns = replayFor(
      'no-yield-per-iteration',
      { unit: 'it', steps: [{ kind: 'yield', line: 1, isFlagged: true, how: 'timer' }] },
      {},
    );
    deepStrictEqual(turns, { unreadable: 'the code waits only for turns of the event loop' });
  });

  it('is nothing that sleeps long for another reason', () => {
    const steps = (ms: number | undefined): readonly SkeletonStep[] => [
      { kind: 'io', line: 1, isFlagged: true, label: 'ask()', to: 'database', on: 'pool' },
      { kind: 'sleep', line: 2, isFlagged: false, ms },
    ];
    const why = (ms: number | undefined) =>
      replayFor('no-sequential-independent-awaits', { unit: 'it', steps: steps(ms) }, {});
    deepStrictEqual(why(500), { unreadable: 'line 2 also sleeps 500 ms' });
    deepStrictEqual(why(undefined), {
      unreadable: 'line 2 sleeps for a time that the code does not contain',
    });
    ok('skeleton' in why(5));
  });
});
