import { join } from 'node:path';
import { noticeLines } from '../../report/text.ts';
import { isShown, type Profile } from '../../../rules/define-rule.ts';
import { rules } from '../../../rules/index.ts';
import {
  type BaselineEntry,
  baselineName,
  baselineText,
  comparedWith,
  entryFor,
} from '../../scan/baseline.ts';
import { createClock } from '../../scan/clock.ts';
import { configurationsOf } from '../../scan/configuration.ts';
import { isLeftOut } from '../../scan/left-out.ts';
import { projectModules } from '../../scan/project.ts';
import { rootAround } from '../../scan/repository.ts';
import { scanFiles } from '../../scan/scan-files.ts';
import { exitCodes } from '../failure.ts';
import { knownBaseline, readWhole } from '../known-baseline.ts';
import { namedFiles } from '../named-files.ts';
import { progressLine } from '../progress.ts';
import { timeLimit } from '../time-limit.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import { askedTypes, type TypesOption } from '../types.ts';
import { understood } from '../understood.ts';
import { setFlags } from '../v8-flags.ts';
import { writeFiles } from '../write-files.ts';

export interface BaselineOptions extends TypesOption, TrustOption {
  readonly reason: string;
  readonly prune?: boolean;
  readonly profile?: Profile;
}

/** Adds findings to the baseline, or removes those that are no longer found; prints the counts, and returns the exit code. */
export async function baseline(
  paths: readonly string[],
  { reason, prune = false, profile, types = false, trustConfig = false }: BaselineOptions,
): Promise<number> {
  const cwd = process.cwd();
  const root = rootAround(cwd);
  const found = namedFiles(paths, { cwd });
  const files = await diskFor({ trustConfig });
  const shownIn = understood(found.files, profile, files);
  const clock = createClock();
  const progress = progressLine();
  const { end, ...asked } = askedTypes({ types });
  // All of them: an entry of a stricter profile is not gone because this one does not show it.
  const configurations = configurationsOf(rules, { profile: 'audit' }, files, root);
  const modules = projectModules(root, clock, {
    ...{ ...asked, files, isForOneScan: true },
    usesUnconfirmed: configurations.usesUnconfirmed,
  });
  setFlags('whileScanning');
  const result = await scanFiles(
    found,
    {
      ...asked,
      ...{ rules, clock, modules, configurations },
      watch: timeLimit(cwd),
    },
    (done) => progress.show(`${done} of ${found.files.length} files`),
  );
  end();
  setFlags('own');
  progress.clear();
  for (const it of noticeLines(result.notices.filter(isLeftOut), cwd)) process.stderr.write(it);

  const known = knownBaseline(root);
  const { problems } = result;
  const scanned = readWhole(found.files, result);
  const { fresh, gone, kept } = comparedWith(known, problems, { root, scanned });
  if (prune) {
    if (gone.length > 0) write(root, kept);
    return say(`${gone.length} removed, ${kept.length} left in ${baselineName}.`);
  }
  const date = new Date().toISOString().slice(0, 10);
  const added = fresh
    .filter(({ finding, path }) => isShown(finding, shownIn.for(path).profile))
    .map((it) => entryFor(it, { root, reason, date }));
  if (added.length > 0) write(root, [...known, ...added]);
  const old = gone.length > 0 ? ` No longer found: ${gone.length}; --prune removes them.` : '';
  return say(`${added.length} added to ${baselineName}, ${known.length} already in it.${old}`);
}

function write(root: string, entries: readonly BaselineEntry[]): void {
  writeFiles([{ path: join(root, baselineName), text: baselineText(entries), within: root }]);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCodes.clean;
}
