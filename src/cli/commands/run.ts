import { ENVIRONMENT, type Handover } from '../../runtime/handover.ts';
import { packageRoot } from '../../system/package-root.ts';
import { startAttached } from '../../system/processes.ts';
import { exitCodes, UsageError } from '../failure.ts';
import { GIVEN_PATH } from '../program-path.ts';
import { endOf } from '../measured-command.ts';
import { preparedRun } from '../prepared-run.ts';
import { measuredProcesses, writtenRecording } from '../written-recording.ts';
import type { TrustOption } from '../trust.ts';

export interface RunOptions extends TrustOption {
  /** In seconds; without it, the program runs until it ends. */
  readonly for?: number;
  readonly production?: boolean;
  /** The recording, as JSON. */
  readonly output: string;
  readonly json?: boolean;
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
  const handover = await preparedRun(command, { ...options, isForProduction: production });
  if (options.prepare) {
    process.stdout.write(`${JSON.stringify(handover)}\n`);
    return exitCodes.clean;
  }
  const code = await endOf(
    startAttached(program, args, { cwd: process.cwd(), environment: environmentFor(handover) }),
    {
      program,
      measured: () => measuredProcesses(handover),
      ...(options.for !== undefined && { limitMs: 1_000 * options.for }),
    },
  );
  writtenRecording(handover, options);
  return code;
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
