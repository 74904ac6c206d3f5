/** Other work of the same process: `ms` of CPU in every turn of the event loop, as busy handlers have it. */
export function pressed(ms: number): { stop(): void } {
  if (ms <= 0) return { stop() {} };
  let next = setImmediate(function turn() {
    compute(ms);
    next = setImmediate(turn);
  });
  return { stop: () => clearImmediate(next) };
}

/** Keeps the CPU busy for `ms`, without a yield. */
export function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
