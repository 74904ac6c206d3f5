/** Other work of the same process: `ms` of CPU in every turn of the event loop, as busy handlers have it. */
export function pressed(ms: number): Pressure {
  let next: NodeJS.Immediate | undefined;
  const turn = () => {
    compute(ms);
    next = setImmediate(turn);
  };
  const start = () => {
    if (ms > 0) next = setImmediate(turn);
  };
  start();
  return {
    stop: () => clearImmediate(next),
    async without(work) {
      clearImmediate(next);
      try {
        return await work();
      } finally {
        start();
      }
    },
  };
}

interface Pressure {
  stop(): void;
  /** Runs `work` while the process has nothing else to do. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps the CPU busy for `ms`, without a yield. */
export function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
