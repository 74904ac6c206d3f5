import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgramSync, startAttached } from '../../system/processes.ts';
import { ENVIRONMENT, type Handover } from '../handover.ts';

// What a program that is measured without `deadtime run` leaves to the command line: the scan, and the table at its end.

const LIMIT_MS = 120_000;
const MOST_BYTES = 10_000_000;

/** Scans the program, which waits for it. Throws where that fails. */
export function prepare(): Handover {
  const { status, stdout, stderr, error } = runProgramSync(
    process.execPath,
    [commandLine(), 'run', '--prepare', '--', 'node', ...process.argv.slice(1, 2)],
    {
      cwd: process.cwd(),
      environment: UNMEASURED,
      limitMs: LIMIT_MS,
      mostBytes: MOST_BYTES,
    },
  );
  if (status === 0) return JSON.parse(stdout.toString()) as Handover;
  throw error ?? new Error(stderr.toString().trim());
}

/** Prints the table, and writes the recording into the program's folder. */
export function print(handover: Handover): void {
  const { stderr } = runProgramSync(process.execPath, [commandLine(), ...printing(handover)], {
    cwd: process.cwd(),
    environment: UNMEASURED,
    limitMs: LIMIT_MS,
    mostBytes: MOST_BYTES,
  });
  process.stderr.write(stderr);
}

/** The same while the program goes on. */
export function printLater(handover: Handover): void {
  startAttached(process.execPath, [commandLine(), ...printing(handover)], {
    cwd: process.cwd(),
    environment: UNMEASURED,
  }).on('error', () => {});
}

function printing(handover: Handover): readonly string[] {
  return ['run', '--print', JSON.stringify(handover), '--', 'node'];
}

/** The command line itself is not to be measured. */
const UNMEASURED = { NODE_OPTIONS: undefined, [ENVIRONMENT]: undefined } as const;

/** Next to this module in the package. */
function commandLine(): string {
  const path = fileURLToPath(new URL('./cli.js', import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return path;
}
