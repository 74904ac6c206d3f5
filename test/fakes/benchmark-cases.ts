import type { RuleId } from '../../rules/index.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import {
  MissingComponent,
  type BenchmarkCase,
  type LoadArm,
  type Needs,
  type ParameterSpec,
  type SetUp,
  type SetUpContext,
} from '../../src/proof/case.ts';
import { openSql } from '../../src/proof/drivers/index.ts';
import type { CaseTable } from '../../src/proof/harness/messages.ts';
import { limitedRole } from '../../src/proof/servers/lent/role.ts';
import { scratchTable } from '../../src/proof/tables.ts';

/** More connections than a busy server has. */
const HOARDED = 20;

const specs: readonly ParameterSpec[] = [
  {
    ...{ name: 'sleepMs', unit: 'ms', default: 4, min: 0, max: 10_000, longest: 400 },
    ...{ description: 'how long it sleeps', source: { kind: 'assumed' } },
  },
  {
    ...{ name: 'port', unit: 'count', default: 0, min: 0, max: 65_535 },
    ...{ description: 'where it listens', source: { kind: 'default', verified: 'node 20' } },
  },
];

const forever = new Promise<never>(() => {});
const nothing = async () => {};

/** Cases for tests of the harness: what they do is known, or goes wrong in a known way. */
export const fakeTable: CaseTable = {
  'no-wait': [
    fake('sleeps', ({ parameters, trace }) => {
      let slept = 0;
      const sleep = () => delay(Number(parameters['sleepMs']));
      return {
        kind: 'latency',
        flagged: {
          label: 'sleeps',
          iteration: () => (slept++, trace.dead('sleep', sleep)),
          counters: async () => ({ sleeps: slept }),
        },
        mended: { label: 'turns', iteration: () => turn() },
        close: nothing,
      };
    }),
    fake('same', () => {
      const arm = { label: 'spins', iteration: () => void spin(0.2), iterationsPerSample: 5 };
      return { kind: 'latency', flagged: arm, mended: arm, close: nothing };
    }),
    fake('crowded', ({ parameters }) => {
      const serviceMs = Number(parameters['sleepMs']);
      return {
        kind: 'load',
        flagged: pooled('one connection', 1, serviceMs),
        mended: pooled('four connections', 4, serviceMs),
        users: 8,
        thinkMs: 0,
        requestMs: serviceMs,
        close: nothing,
      };
    }),
    fake('starves', ({ parameters }) => {
      let work = 0;
      const arm = (label: string, starvingMs: number) => ({
        label,
        iteration: () => ((work = starvingMs), delay(10)),
      });
      return {
        kind: 'victim',
        flagged: arm('starves others', Number(parameters['sleepMs'])),
        mended: arm('lets others run', 1),
        victim: { label: 'a call', everyMs: 4, call: () => delay(work) },
        close: nothing,
      };
    }),
    fake('counts', () => ({
      kind: 'count',
      flagged: {
        label: 'loses connections',
        run: async () => ({
          value: 51,
          isFailure: true,
          text: 'request 51 failed',
        }),
      },
      mended: {
        label: 'keeps them',
        run: async () => ({ value: 100, isFailure: false, text: 'none failed' }),
      },
      close: nothing,
    })),
    fake('hangs', () => forever),
    fake('crashes', () => process.exit(7)),
    fake('throws', () => Promise.reject(new Error('the port is taken'))),
    fake('lacks', () =>
      Promise.reject(new MissingComponent([{ what: 'a ship', command: 'npm i ship' }])),
    ),
    // A server of its own, whose port the test looks at when all is over.
    fake('serves', async ({ parameters }) => {
      const server = `
        require('net').createServer().listen(${Number(parameters['port'])}, '127.0.0.1', () => console.log('up'));
        setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['-e', server], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(child.stdout, 'data');
      process.send?.({ kind: 'progress', share: 0.5 });
      return forever;
    }),
    // All that a proof makes in a database of the user's, for a test that ends it then.
    fake(
      'borrows',
      async (context) => {
        const { access, sql } = await openSql(context);
        const table = await scratchTable(sql, { rows: 1 });
        const admin = sql.pool({ max: 1 });
        if (sql.kind === 'postgres') await limitedRole(admin, 1, access.loan?.name);
        await admin.query(`SELECT * FROM ${table.name}`);
        return forever;
      },
      { databases: ['postgres', 'mysql'], makes: 'tables' },
    ),
    // Takes every connection that fails for an answer.
    fake(
      'hoards',
      async (context) => {
        const { sql, close } = await openSql(context);
        const run = async () => {
          const all = Array.from({ length: HOARDED }, () => sql.connect());
          const failed = (await Promise.allSettled(all)).filter((it) => it.status === 'rejected');
          return { value: failed.length, isFailure: failed.length > 0, text: 'done' };
        };
        const arm = { label: 'takes all', run };
        return { kind: 'count', flagged: arm, mended: arm, close };
      },
      { databases: ['postgres', 'mysql'] },
    ),
  ],
};

function fake(
  variant: string,
  setUp: (context: SetUpContext) => SetUp | Promise<SetUp>,
  needs: Needs = {},
): BenchmarkCase {
  return {
    ruleId: 'no-wait' as RuleId,
    variant,
    title: `A case that ${variant}`,
    needs,
    parameters: specs,
    parametersOf: ({ costMs }) =>
      ({ counts: costMs === 7, sleeps: costMs !== 7 })[variant] ? { sleepMs: costMs! } : undefined,
    predict: ({ sleepMs }) => ({
      formula: 'sleepMs vs 1',
      unit: 'ms per iteration',
      flagged: Number(sleepMs),
      mended: 1,
    }),
    scalesWith: 'sleepMs',
    doesNotShow: ['Anything real.'],
    setUp: async (context) => setUp(context),
  };
}

function spin(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}

/** Requests that queue for `size` connections and hold one for `serviceMs`. */
function pooled(label: string, size: number, serviceMs: number): LoadArm {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    label,
    async iteration() {
      if (free > 0) free--;
      else await new Promise<void>((taken) => waiting.push(taken));
      await delay(serviceMs);
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
    gauges: () => ({ waiting: waiting.length }),
  };
}
