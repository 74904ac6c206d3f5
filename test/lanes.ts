/** Whether all tests run (`npm run ci:full`), and not only those that `npm test` has time for. */
export const isFull = process.env['DEADTIME_TESTS'] === 'all';

/** For a test that takes long and compares once more what others hold already: `npm test` shows it as pending. */
export const itInFull: Mocha.PendingTestFunction | Mocha.TestFunction = isFull ? it : it.skip;

/** One in six of all, the same each time, for what takes long; all of them in `npm run ci:full`. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  return isFull ? all : all.filter((_, i) => i % 6 === 0);
}
