import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orUndefined } from '../../project/files.ts';
import { linesOf } from '../../report/excerpt.ts';
import { whyText } from '../../report/why.ts';
import { placeFrom } from '../../scan/places.ts';
import type { Reasons } from '../../scan/reasons.ts';
import { rootAround } from '../../scan/repository.ts';
import { runProgram } from '../../system/processes.ts';
import { UsageError } from '../failure.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import { understood } from '../understood.ts';

export interface WhyOptions extends TrustOption {
  readonly json?: boolean;
  readonly hasColors: boolean;
}

/** What the process writes: the reasons, or what the user can fix. */
export interface WhyAnswer {
  readonly reasons?: Reasons;
  readonly mistake?: string;
}

/** More than the reasons of any line. */
const MOST_BYTES = 1 << 24;
/** More than the analysis of any one file takes. */
const LIMIT_MS = 120_000;

/** What Deadtime makes of one line: what it does not understand, and which condition keeps each rule silent. */
export async function why(
  name: string,
  { trustConfig = false, json = false, hasColors }: WhyOptions,
): Promise<string> {
  const cwd = process.cwd();
  const place = placeFrom(name);
  if (!place) throw new UsageError(`Write a place, such as src/worker.ts:41, instead of ${name}`);
  const path = resolve(cwd, place.file);
  if (!orUndefined(() => statSync(path))?.isFile())
    throw new UsageError(`No such file: ${place.file}`);
  const text = linesOf(readFileSync(path, 'utf8'))[place.line - 1];
  if (text === undefined) throw new UsageError(`${place.file} has no line ${place.line}`);
  understood([path], undefined, await diskFor({ trustConfig }), rootAround(cwd));
  const reasons = await reasonsFrom(cwd, [
    path,
    `${place.line}`,
    cwd,
    trustConfig ? 'trusted' : '',
  ]);
  return json
    ? `${JSON.stringify(reasons, undefined, 2)}\n`
    : whyText(reasons, { cwd, path, line: place.line, text, hasColors });
}

/** By the process next to cli.js, whose analysis reports the conditions; the sources have none. */
async function reasonsFrom(cwd: string, parameters: readonly string[]): Promise<Reasons> {
  const program = fileURLToPath(new URL('./why-process.js', import.meta.url));
  const { stdout, stderr, failure } = await runProgram(process.execPath, [program, ...parameters], {
    cwd,
    limitMs: LIMIT_MS,
    mostBytes: MOST_BYTES,
  });
  if (failure !== undefined) throw new Error(`${failure}\n${stderr}`);
  const { reasons, mistake } = JSON.parse(stdout) as WhyAnswer;
  if (reasons) return reasons;
  throw new UsageError(mistake);
}
