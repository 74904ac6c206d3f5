import { exitCodes } from './failure.ts';
import { ownProgramPath } from './program-path.ts';

export interface Ran {
  readonly code: number;
  /** Undefined where none was run: help, a wrong option. */
  readonly command: string | undefined;
}

/** Makes the process ours, and runs the command that the arguments name. */
export async function commandLine(argv: readonly string[]): Promise<Ran> {
  const path = ownProgramPath(process.env['PATH'] ?? '');
  if (path) process.env['PATH'] = path;
  // An empty one means the current folder; without any, the system's default folders apply.
  else delete process.env['PATH'];
  // Otherwise Windows looks for a program in the folder first in which it is started.
  process.env['NoDefaultCurrentDirectoryInExePath'] = '1';
  // An agent waits for its hook after each edit, and reading the whole command line takes as long as checking a file.
  const [, , name, ...others] = argv;
  const trustConfig = others[0] === '--trust-config';
  if (name === 'hook' && others.length === Number(trustConfig)) {
    const { hook } = await import('./commands/hook.ts');
    return { code: await hook({ trustConfig }), command: 'hook' };
  }
  // `deadtime | head` closes the pipe when it has read enough: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`deadtime: Cannot write to standard output: ${error.message}\n`);
    process.exit(exitCodes.usage);
  });
  // No stream is left for a message.
  process.stderr.on('error', () => {});
  const { run } = await import('./run.ts');
  return run(argv);
}
