import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

const ours = `${pathToFileURL('.').href}/`;

/**
 * How many calls of our own functions `run` takes, as V8 counts them: it grows with the time, and is the same on every
 * machine. What the parser and built-in functions do is not counted.
 */
export function callsIn(run: () => void): number {
  return counted(run, { detailed: false });
}

/** The same with the rounds of loops and the blocks of functions, so that a search within one call is seen. */
export function workIn(run: () => void): number {
  return counted(run, { detailed: true });
}

function counted(run: () => void, { detailed }: { readonly detailed: boolean }): number {
  const session = new Session();
  session.connect();
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed });
    run();
    let calls = 0;
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error;
      for (const { url, functions } of answer.result) {
        if (!url.startsWith(ours) || url.includes('/node_modules/')) continue;
        for (const { ranges } of functions) for (const it of ranges) calls += it.count;
      }
    });
    return calls;
  } finally {
    session.disconnect();
  }
}
