import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Below this, the next analysis has room enough: V8 gives what is new to a thread some 16 MB before it looks for what is dead. */
const WORTH_BYTES = 6 * 2 ** 20;

type Collect = (options: { readonly type: 'minor' }) => void;
let collect: Collect | undefined;

/**
 * Lets V8 look for what is dead among what is new, which takes it some milliseconds: better once an answer is given than in the
 * middle of the next analysis.
 */
export function collectGarbage(): void {
  const { space_used_size: used = 0 } =
    getHeapSpaceStatistics().find((it) => it.space_name === 'new_space') ?? {};
  if (used < WORTH_BYTES) return;
  collect ??= exposed();
  collect({ type: 'minor' });
}

/** Only a context created while the flag is set has the function; the program that runs the server may set neither. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? (gc as Collect) : () => {};
}
