import { exitCodes } from './failure.ts';
import { listenForInterruption } from './interruption.ts';
import { ownProgramPath } from './program-path.ts';

listenForInterruption();
const path = ownProgramPath(process.env['PATH'] ?? '');
if (path) process.env['PATH'] = path;
// An empty one means the current folder; without any, programs are looked for where the system has them.
else delete process.env['PATH'];
// Otherwise Windows looks for a program in the folder first in which it is started.
process.env['NoDefaultCurrentDirectoryInExePath'] = '1';
process.exitCode = await exitCodeOf(process.argv);

async function exitCodeOf(argv: readonly string[]): Promise<number> {
  // An agent waits for its hook after each edit, and reading the whole command line takes as long as checking a file.
  if (argv.length === 3 && argv[2] === 'hook') {
    const { hook } = await import('./commands/hook.ts');
    return hook();
  }
  // `deadtime | head` closes the pipe when it has read enough: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`deadtime: Cannot write to standard output: ${error.message}\n`);
    process.exit(exitCodes.usage);
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => {});
  const { run } = await import('./run.ts');
  return run(argv);
}
