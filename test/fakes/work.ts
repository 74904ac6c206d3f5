import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

const ours = `${pathToFileURL('.').href}/`;

/**
 * How many calls of our own functions `run` takes, as V8 counts them: it grows with the time, and is the same on every
 * machine. What the parser and built-in functions do is not counted.
 */
export function callsIn(run: () => void): number {
  const count = startCounting({ detailed: false });
  try {
    run();
    return count.sinceLast();
  } finally {
    count.end();
  }
}

export interface Count {
  /** Calls, and with `detailed` also iterations and branches, since the last look or the start. */
  sinceLast(): number;
  end(): void;
}

/**
 * With `detailed`, a search within one call is seen, too. V8 then counts what it compiles from now on, and loses counts of
 * what it optimizes: it takes a process of its own that runs with `--no-opt` and loads the code afterwards.
 */
export function startCounting({ detailed }: { readonly detailed: boolean }): Count {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed });
  return {
    sinceLast() {
      let count = 0;
      session.post('Profiler.takePreciseCoverage', (error, answer) => {
        if (error) throw error;
        for (const { url, functions } of answer.result) {
          if (!url.startsWith(ours) || url.includes('/node_modules/')) continue;
          for (const { ranges } of functions) for (const it of ranges) count += it.count;
        }
      });
      return count;
    },
    end: () => session.disconnect(),
  };
}
