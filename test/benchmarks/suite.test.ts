import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { suiteRows } from '../../src/proof/suite.ts';
import { NotMeasured, type Lab } from '../../src/proof/suite/lab.ts';
import { areWithin, figure } from '../../src/proof/suite/row.ts';
import type { Suite, SuiteRow } from '../../src/proof/suite/result.ts';
import { table } from '../../src/proof/table.ts';
import { suiteRowText, suiteSummaryText } from '../../src/report/proof/suite-text.ts';

describe('the suite of published figures', () => {
  it('has all thirteen, in order, each with a rule that has cases', () => {
    deepStrictEqual(
      suiteRows.map((it) => it.number),
      Array.from({ length: 13 }, (_, i) => i + 1),
    );
    for (const { ruleId, claim, published } of suiteRows) {
      ok(ruleId in table, ruleId);
      ok(claim.length > 0 && published.length > 0);
    }
  });

  it('asks only for cases and values that there are', async () => {
    const asked: string[] = [];
    // The tenth measures in this process, without a case.
    for (const row of suiteRows.filter((it) => it.number !== 10)) {
      await row.measure(asking(asked)).catch(onlyNotMeasured);
    }
    ok(asked.length >= 6, asked.join());
    for (const name of asked) {
      const [ruleId, variant] = name.split('/') as [keyof typeof table, string];
      ok(
        table[ruleId].some((it) => it.variant === variant),
        name,
      );
    }
  });

  it('compares with what was published, where something was', () => {
    const close = figure('average', 'ms', 22, 20);
    deepStrictEqual(close, {
      name: 'average',
      unit: 'ms',
      measured: 22,
      published: 20,
      ratio: 1.1,
    });
    deepStrictEqual(figure('queue', 'count', 3), { name: 'queue', unit: 'count', measured: 3 });
    strictEqual(areWithin([close, figure('queue', 'count', 3)], 1.25), true);
    strictEqual(areWithin([figure('average', 'ms', 10, 20)], 1.25), false);
  });

  it('prints a row as a table of both figures, the verdict and the reason', () => {
    strictEqual(
      suiteRowText(naps, { hasColors: false }),
      [
        ' 2  sleep in the empty branch  no-hot-path-sleep',
        '    Published  20 ms on average',
        '             published              here  here / published',
        '    average      20 ms           21.2 ms               1.1',
        '    without             3,187 per second',
        '    Reproduced: The branch goes by the number of the iteration.',
        '    Repeat  deadtime prove no-hot-path-sleep/skip-branch',
        '',
        '',
      ].join('\n'),
    );
  });

  it('says how to get what is missing, without figures', () => {
    const text = suiteRowText(
      {
        ...naps,
        figures: [],
        verdict: 'unavailable',
        reason: 'It needs a server.',
        command: 'npm i',
      },
      { hasColors: false },
    );
    match(text, /^ {4}Unavailable: It needs a server\.\n {4}To get it {2}npm i$/m);
  });

  it('counts the verdicts', () => {
    const suite: Suite = {
      environment,
      rows: [naps, { ...naps, verdict: 'weaker' }],
      durationMs: 61_000,
    };
    match(
      suiteSummaryText(suite, { hasColors: false }),
      /^2 published figures: 1 reproduced, 1 weaker\.\n.*, in 61 s\n$/,
    );
  });
});

const naps: SuiteRow = {
  number: 2,
  ruleId: 'no-hot-path-sleep',
  claim: 'sleep in the empty branch',
  published: '20 ms on average',
  figures: [figure('average', 'ms', 21.2, 20), figure('without', 'per second', 3_187)],
  verdict: 'reproduced',
  reason: 'The branch goes by the number of the iteration.',
  command: 'deadtime prove no-hot-path-sleep/skip-branch',
};

const environment: Suite['environment'] = {
  date: '2026-11-21T12:00:00.000Z',
  node: 'v20.20.2',
  platform: 'Linux 6.1.0 x64',
  cpu: 'AMD EPYC',
  cores: 2,
  load: 0.2,
};

/** A laboratory that notes the first case that each row asks for, and measures nothing. */
function asking(asked: string[]): Lab {
  const refuse = () => Promise.reject(new NotMeasured('unavailable', 'nothing is measured here'));
  const note = (name: string) => {
    asked.push(name);
    return refuse();
  };
  return {
    timed: note,
    counted: note,
    compare: refuse,
    database: refuse,
    quiet: {
      sample: async () => {},
      result: () => ({ isBusy: false, cpuShare: 1, timerLateMs: 0, signs: [] }),
    },
    signal: new AbortController().signal,
    once: (_, work) => work(),
    progress() {},
  };
}

function onlyNotMeasured(error: unknown): void {
  if (!(error instanceof NotMeasured)) throw error;
}
