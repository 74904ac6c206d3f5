import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../rules/index.ts';
import { type RunPageContext, runHtml } from '../report/html-run.ts';
import { runText } from '../report/run.ts';
import { comparisonText } from '../report/run-comparison.ts';
import { shownPath } from '../report/path.ts';
import { comparisonOf } from '../runtime/comparison.ts';
import { type Handover, STARTED } from '../runtime/handover.ts';
import type { Plan } from '../runtime/plan.ts';
import type { RawRecording } from '../runtime/raw.ts';
import { recordingOf } from '../runtime/recorded.ts';
import type { Recording } from '../runtime/recording.ts';
import { packageFile, packageVersion } from './package.ts';
import { writeFiles } from './write-files.ts';

export interface WrittenOptions {
  readonly output: string;
  readonly hasColors: boolean;
  /** An earlier recording, which is compared with this one. */
  readonly before?: { readonly path: string; readonly recording: Recording };
  /** Where a page for a browser is written. */
  readonly html?: string;
}

/**
 * Prints what was measured on standard error, since standard output is the program's, and writes it as JSON. Undefined where
 * nothing was measured.
 */
export function writtenRecording(
  handover: Handover,
  { output, hasColors, before, html }: WrittenOptions,
): Recording | undefined {
  const plan = JSON.parse(readFileSync(handover.plan, 'utf8')) as Plan;
  const all = rawsIn(handover.recordings);
  // A package manager in front of the program has run nothing of it.
  const raws = all.filter((it) => it.sites.length + it.entries.length + it.leftAlone.length > 0);
  if (raws.length === 0) {
    process.stderr.write(`deadtime: nothing was measured: ${whyNothing(all)}\n`);
    return undefined;
  }
  const recording = recordingOf({
    ...{ plan, raws, program: handover.program },
    shownPath: (path) => shownPath(path, plan.root),
  });
  const comparison = before && comparisonOf(before.recording, recording);
  const written = { ...recording, ...(comparison && { comparison }) };
  const compared = comparison && { path: before.path, comparison };
  writeFiles([
    { path: output, text: `${JSON.stringify(written, undefined, 1)}\n` },
    ...(html === undefined ? [] : [{ path: html, text: runPage(recording, compared) }]),
  ]);
  process.stderr.write(runText(recording, { hasColors, output }));
  if (compared)
    process.stderr.write(comparisonText(compared.comparison, { hasColors, path: compared.path }));
  return recording;
}

function runPage(recording: Recording, compared: RunPageContext['compared']): string {
  return runHtml(recording, {
    ...{ version: packageVersion(), date: new Date().toISOString().slice(0, 10), rules },
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
    ...(compared && { compared }),
  });
}

/** The numbers of the processes that are or were measured. */
export function measuredProcesses({ recordings }: Handover): readonly number[] {
  return readdirSync(recordings).flatMap((it) => (it.endsWith(STARTED) ? Number.parseInt(it) : []));
}

function whyNothing(raws: readonly RawRecording[]): string {
  return raws.some((it) => it.probed.length > 0)
    ? 'the program has loaded code of this folder, and run none of its awaits.'
    : 'no process of Node.js with code of this folder has run to its end. Vitest and Jest load files with a loader of their own, which is not measured.';
}

/** Of each process that has ended. */
function rawsIn(folder: string): readonly RawRecording[] {
  return readdirSync(folder)
    .filter((it) => it.endsWith('.json'))
    .map((it) => JSON.parse(readFileSync(join(folder, it), 'utf8')) as RawRecording);
}
