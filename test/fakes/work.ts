import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

const ours = `${pathToFileURL('.').href}/`;

/**
 * How many calls of our own functions `run` takes, as V8 counts them: it grows with the time, and is the same on every
 * machine. What the parser and built-in functions do is not counted.
 */
export function callsIn(run: () => void): number {
  const session = new Session();
  session.connect();
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    run();
    let calls = 0;
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error;
      for (const { url, functions } of answer.result) {
        if (!url.startsWith(ours) || url.includes('/node_modules/')) continue;
        for (const { ranges } of functions) calls += ranges[0]!.count;
      }
    });
    return calls;
  } finally {
    session.disconnect();
  }
}
