/** Time of a scan by stage; a stage inside another is not counted twice. */
export interface Clock {
  measure<T>(stage: string, work: () => T): T;
  /** For waits while nothing else is measured. */
  measureWait<T>(stage: string, work: () => Promise<T>): Promise<T>;
  /** Milliseconds by stage, in order of first use. */
  readonly spentMs: Readonly<Record<string, number>>;
}

export function createClock(): Clock {
  const spentMs: Record<string, number> = {};
  let current: string | undefined;
  let since = 0;
  function enter(stage: string | undefined): void {
    const now = performance.now();
    if (current !== undefined) spentMs[current] = (spentMs[current] ?? 0) + now - since;
    current = stage;
    since = now;
  }
  return {
    spentMs,
    measure(stage, work) {
      const outer = current;
      enter(stage);
      try {
        return work();
      } finally {
        enter(outer);
      }
    },
    async measureWait(stage, work) {
      const start = performance.now();
      try {
        return await work();
      } finally {
        spentMs[stage] = (spentMs[stage] ?? 0) + performance.now() - start;
      }
    },
  };
}
