import { runSuite, suiteNeeds } from '../../proof/suite.ts';
import { suiteJson } from '../../report/proof/json.ts';
import { suiteRowText, suiteSummaryText } from '../../report/proof/suite-text.ts';
import { exitCodes, UsageError } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { lendingOf } from '../lent-database.ts';
import { progressLine } from '../progress.ts';
import { onNotice, type ProveOptions } from './prove.ts';

/** Tries every published figure on this machine, prints each as it is done, and returns the exit code. */
export async function proveSuite(what: string | undefined, options: ProveOptions): Promise<number> {
  const { all, set, html, control } = options;
  if (what !== undefined || all || set || html !== undefined || control) {
    throw new UsageError(
      'The suite is fixed: --suite accepts only --json, --database-url and --yes.',
    );
  }
  const lending = await lendingOf(options.databaseUrl, suiteNeeds, options);
  const signal = interruption();
  const progress = progressLine();
  const suite = await runSuite({
    databaseUrl: options.databaseUrl,
    ...{ lending, signal, onNotice },
    progress: (what) => progress.show(what),
    onRow(row) {
      progress.clear();
      if (!options.json) process.stdout.write(suiteRowText(row, options));
    },
  });
  progress.clear();
  if (signal.aborted) return exitCodes.interrupted;
  process.stdout.write(options.json ? suiteJson(suite) : suiteSummaryText(suite, options));
  // A claim that does not survive is a result, too.
  return suite.rows.some((it) => it.verdict === 'failed') ? exitCodes.findings : exitCodes.clean;
}
