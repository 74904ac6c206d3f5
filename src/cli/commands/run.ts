import { ENVIRONMENT, type Handover } from '../../runtime/handover.ts';
import { overLimit } from '../../report/run-limit.ts';
import type { Recording } from '../../runtime/recording.ts';
import { recordingAt } from '../../scan/recording-file.ts';
import { packageRoot } from '../../system/package-root.ts';
import { startAttached } from '../../system/processes.ts';
import { exitCodes, UsageError } from '../failure.ts';
import { GIVEN_PATH } from '../program-path.ts';
import { alongsideOf, type LoadOptions } from '../load.ts';
import { endOf } from '../measured-command.ts';
import { preparedRun } from '../prepared-run.ts';
import { writablePath } from '../write-files.ts';
import { measuredProcesses, writtenRecording } from '../written-recording.ts';
import type { TrustOption } from '../trust.ts';

export interface RunOptions extends TrustOption, LoadOptions {
  readonly production?: boolean;
  /** The recording, as JSON. */
  readonly output: string;
  /** An earlier recording. */
  readonly compare?: string;
  /** The most dead time per entry, in milliseconds. */
  readonly failOnCost?: number;
  /** Where a page for a browser is written. */
  readonly html?: string;
  /** For `deadtime/register`: prints where its process finds the plan. */
  readonly prepare?: boolean;
  /** For `deadtime/register`: the hand-over whose recordings are printed. */
  readonly print?: string;
  readonly hasColors: boolean;
}

/** Runs a command with probes, prints what it waited for, and returns the exit code of the command. */
export async function runCommand(
  command: readonly string[],
  { production = false, ...options }: RunOptions,
): Promise<number> {
  if (options.print !== undefined) {
    writtenRecording(JSON.parse(options.print) as Handover, options);
    return exitCodes.clean;
  }
  const [program, ...args] = command;
  if (program === undefined) {
    throw new UsageError(
      'Name the command that starts your program: deadtime run -- node server.js',
    );
  }
  if (process.env['NODE_ENV'] === 'production' && !production) {
    throw new UsageError(
      'NODE_ENV is production: probes cost time there. Add --production to measure all the same.',
    );
  }
  // What may be wrong with the options shows before the program runs; its recording may replace the earlier one.
  const { compare } = options;
  const before =
    compare === undefined ? undefined : { path: compare, recording: earlierRecording(compare) };
  const html = options.html === undefined ? undefined : writablePath(options.html, process.cwd());
  const alongside = alongsideOf(options);
  const handover = await preparedRun(command, { ...options, isForProduction: production });
  if (options.prepare) {
    process.stdout.write(`${JSON.stringify(handover)}\n`);
    return exitCodes.clean;
  }
  const failures: string[] = [];
  const code = await endOf(
    startAttached(program, args, { cwd: process.cwd(), environment: environmentFor(handover) }),
    {
      program,
      measured: () => measuredProcesses(handover),
      ...(alongside && {
        alongside: async (signal) => void failures.push(...(await alongside(signal))),
      }),
    },
  );
  const { output, hasColors } = options;
  const recording = writtenRecording(handover, {
    ...{ output, hasColors, ...(before && { before }), ...(html !== undefined && { html }) },
  });
  const judged = judgedRun(recording, { ...options, failures });
  return code === exitCodes.clean ? judged : code;
}

function earlierRecording(path: string): Recording {
  const found = recordingAt(path) ?? { mistake: 'does not exist' };
  if ('recording' in found) return found.recording;
  throw new UsageError(
    `${path} ${found.mistake}: name a file that deadtime run --output has written.`,
  );
}

/** The exit code of what was measured; prints why it is not 0. */
function judgedRun(
  recording: Recording | undefined,
  {
    failures,
    failOnCost,
  }: Pick<RunOptions, 'failOnCost'> & { readonly failures: readonly string[] },
): number {
  for (const it of failures) process.stderr.write(`deadtime: The load failed: ${it}.\n`);
  const costs = failOnCost === undefined ? [] : costsOf(recording, failOnCost);
  for (const it of costs) process.stderr.write(`deadtime: ${it}.\n`);
  if (failures.length > 0) return exitCodes.usage;
  return costs.length > 0 ? exitCodes.findings : exitCodes.clean;
}

/** A limit that nothing was measured against has not been kept. */
function costsOf(recording: Recording | undefined, limitMs: number): readonly string[] {
  if (recording?.entries.some((it) => it.count > 0)) return overLimit(recording, limitMs);
  return [
    'No request, job, test or iteration of a loop ended, so --fail-on-cost has nothing to judge',
  ];
}

/** Of the command as its user has it, with the probes loaded into each process of Node.js. */
function environmentFor(handover: Handover): Readonly<Record<string, string | undefined>> {
  const register = new URL('dist/register.js', packageRoot).href;
  const options = process.env['NODE_OPTIONS'];
  return {
    NODE_OPTIONS: [...(options ? [options] : []), `--import=${register}`].join(' '),
    [ENVIRONMENT]: JSON.stringify(handover),
    ...(GIVEN_PATH !== undefined && { PATH: GIVEN_PATH }),
  };
}
