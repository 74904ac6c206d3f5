import { statSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { counted } from '../report/counts.ts';
import type { ReportContext } from '../report/format.ts';
import { type FormatName, formats } from '../report/formats.ts';
import { markdownReport } from '../report/markdown.ts';
import { visible } from '../report/visible.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { readingOf } from '../scan/text.ts';
import { isAgentReading } from './agent.ts';
import { UsageError } from './failure.ts';
import { packageFile, packageVersion } from './package.ts';
import { appendToFile, writeFiles } from './write-files.ts';

/** One report: to a file, or to standard output. */
export interface Output {
  readonly format: FormatName;
  readonly path: string | undefined;
}

/** `-f text -f sarif:out.sarif`: every command that prints findings has it. */
export function outputOption(): Option {
  const names = Object.keys(formats);
  return new Option(
    '-f, --format <format[:file]>',
    `format, and optionally a file; may be repeated (choices: ${names.join(', ')}; default: text, or agent where a coding agent reads)`,
  ).argParser((value: string, others: readonly Output[] = []) => {
    const [, name = '', path] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? [];
    if (!isFormat(name)) throw new InvalidArgumentError(`The formats are ${names.join(', ')}.`);
    if (path === '') throw new InvalidArgumentError(`${JSON.stringify(value)} names no file.`);
    if (others.some((it) => it.path === path)) {
      throw new InvalidArgumentError(
        `Two reports cannot both go to ${path ?? 'standard output: name a file (sarif:out.sarif)'}.`,
      );
    }
    return [...others, { format: name, path }];
  });
}

/**
 * The outputs of the options; by default, the format that the reader of standard output reads best. Proofs follow text;
 * `provable` are the formats in which they may go to standard output, undefined without proofs.
 */
export function outputsFor(
  named: readonly Output[] | undefined,
  provable?: readonly FormatName[],
): readonly Output[] {
  const isForAgent = isAgentReading() && !provable;
  const outputs = named ?? [{ format: isForAgent ? 'agent' : 'text', path: undefined }];
  const stray = outputs.find(
    ({ format, path }) => path === undefined && !provable?.includes(format),
  );
  if (!provable || !stray) return outputs;
  throw new UsageError(
    `--prove prints ${provable.join(', ')}: write the other format to a file (${stray.format}:findings), or run deadtime prove --json.`,
  );
}

/** Whether people read the output as it arrives: proofs follow it one by one. */
export function isText({ format, path }: Output): boolean {
  return path === undefined && (format === 'text' || format === 'compact');
}

/** What the reports of a scan or a review may contain besides the findings. */
export function contextOf(
  run: Omit<ReportContext, 'date' | 'version' | 'onLeftOut' | 'pageOf' | 'textOf'>,
): ReportContext {
  return {
    ...run,
    date: new Date().toISOString().slice(0, 10),
    version: packageVersion(),
    textOf,
    onLeftOut: tellLeftOut,
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
  };
}

function textOf(path: string): string | undefined {
  const reading = readingOf(path);
  return 'text' in reading ? reading.text : undefined;
}

/** On stderr: the report goes on to a service, which would not show it. */
export function tellLeftOut(format: FormatName, count: number): void {
  process.stderr.write(
    `deadtime: The ${format} report omits the ${counted(count, 'least costly finding')}: code scanning would reject a larger report.\n`,
  );
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/** Writes files first: a program that reads standard output to its end finds them written. */
export function writeOutputs(
  outputs: readonly Output[],
  result: ScanResult,
  context: ReportContext,
): void {
  const reports = outputs.map(({ format, path }) => {
    const hasColors = context.hasColors && path === undefined;
    return { path, text: formats[format](result, { ...context, hasColors }) };
  });
  writeFiles(reports.flatMap(({ path, text }) => (path === undefined ? [] : [{ path, text }])));
  for (const { path, format } of outputs) {
    if (path !== undefined) process.stderr.write(`deadtime: wrote ${format} to ${visible(path)}\n`);
  }
  for (const { path, text } of reports) if (path === undefined) process.stdout.write(text);
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary && outputs.some((it) => it.format === 'github')) summarize(summary, result, context);
}

/** GitHub drops a step's summary that is larger. */
const mostSummaryBytes = 1024 * 1024;

/** Where GitHub's limit of annotations does not count; other commands of the step may have written to it. */
function summarize(path: string, result: ScanResult, context: ReportContext): void {
  const used = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  try {
    const text = markdownReport(result, context, mostSummaryBytes - used);
    if (used + Buffer.byteLength(text) <= mostSummaryBytes) appendToFile(path, text);
  } catch (error) {
    throw new UsageError(`Cannot write the step's summary: ${(error as Error).message}`);
  }
}
