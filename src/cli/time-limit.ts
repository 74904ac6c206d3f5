import { Script } from 'node:vm';
import { shownPath } from '../report/path.ts';
import { visible } from '../report/visible.ts';
import type { Watch } from '../scan/watch.ts';
import { Interrupted, UsageError } from './failure.ts';

const WORK = Symbol.for('deadtime.work');
const script = new Script("globalThis[Symbol.for('deadtime.work')]()");

/** From here on one file is what takes the time: all others of a turn take milliseconds. */
const LONG_MS = 1_000;

/** For commands: a file that takes a second is rare, and a machine of CI may be busy with others. */
const COMMAND_SECONDS = 60;

/**
 * Ends work that takes longer than `seconds`, or during which the user presses Ctrl-C, and names the file. No timer and no
 * handler of ours would run meanwhile, so a thread of Node.js stops V8: that ends an endless loop and a regular expression
 * alike. It costs 0.06 ms of CPU, a thread of ours would cost 40.
 */
export function timeLimit(cwd: string, seconds = COMMAND_SECONDS): Watch {
  let at = cwd;
  return {
    begin: (path) => (at = path),
    run(work) {
      const start = performance.now();
      Object.assign(globalThis, { [WORK]: work });
      try {
        return script.runInThisContext({
          ...{ timeout: 1_000 * seconds, breakOnSigint: true, displayErrors: false },
        }) as ReturnType<typeof work>;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        const file = visible(shownPath(at, cwd));
        if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
          throw new UsageError(
            `${file} took longer than ${seconds} s, so there is no result. Add the file to .deadtimeignore.`,
          );
        }
        if (code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error;
        const isLong = performance.now() - start > LONG_MS;
        throw new Interrupted(isLong ? `interrupted while at ${file}` : '');
      }
    },
  };
}
