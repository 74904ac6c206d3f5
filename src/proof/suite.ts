import type { Needs } from './case.ts';
import { environmentOf } from './harness/environment.ts';
import { createQuietWatch } from './harness/quiet.ts';
import { busySentence, type Lab, type LabOptions, NotMeasured, openLab } from './suite/lab.ts';
import { loopRows } from './suite/loops.ts';
import { poolRows, thresholds } from './suite/pools.ts';
import { otherRows } from './suite/rest.ts';
import type { Suite, SuiteRow } from './suite/result.ts';
import type { Row } from './suite/row.ts';

/** The published figures, in the order of their list. */
export const suiteRows: readonly Row[] = [...loopRows, ...poolRows, ...otherRows, thresholds];

/** The database that the rows need together. */
export const suiteNeeds: readonly Needs[] = [{ databases: ['postgres', 'mysql'], makes: 'tables' }];

export interface SuiteOptions extends LabOptions {
  onRow(row: SuiteRow): void;
}

/** Tries every published figure on this machine; never rejects for what a row comes to. */
export async function runSuite(options: SuiteOptions): Promise<Suite> {
  const started = Date.now();
  const lab = openLab(options);
  const rows: SuiteRow[] = [];
  try {
    for (const row of suiteRows) {
      if (options.signal.aborted) break;
      const tried = await tryRow(row, lab);
      rows.push(tried);
      options.onRow(tried);
    }
    const label = await lab.database().then(
      (it) => it.label,
      () => undefined,
    );
    return { environment: environmentOf(label), rows, durationMs: Date.now() - started };
  } finally {
    await lab.close();
  }
}

async function tryRow(row: Row, lab: Omit<Lab, 'quiet'>): Promise<SuiteRow> {
  const { number, ruleId, claim, published, measure } = row;
  const base = { number, ruleId, claim, published };
  const quiet = createQuietWatch();
  try {
    await quiet.sample();
    const outcome = await measure({ ...lab, quiet });
    await quiet.sample();
    const { isBusy, signs } = quiet.result();
    // What comes out as published is not the machine's doing; what does not may be.
    if (isBusy && outcome.verdict === 'not-shown') {
      return { ...base, figures: [], verdict: 'machine-busy', reason: busySentence(signs) };
    }
    return { ...base, ...outcome };
  } catch (error) {
    if (error instanceof NotMeasured) {
      const { verdict, message: reason, command } = error;
      return { ...base, figures: [], verdict, reason, ...(command && { command }) };
    }
    const reason = error instanceof Error ? error.message : String(error);
    return { ...base, figures: [], verdict: 'failed', reason };
  }
}
