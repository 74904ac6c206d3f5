import type { Trace } from '../case.ts';
import type { Span } from '../result.ts';

/** Dead time shorter than this is no bar. */
const SHORTEST_MS = 0.02;

/** A reader cannot distinguish more bars than this. */
const MOST_SPANS = 300;

export interface TraceRecorder extends Trace {
  /** Runs `work` and returns its bars, in the order in which they began. */
  record(work: () => Promise<void>): Promise<readonly Span[]>;
}

export function createTrace(): TraceRecorder {
  let spans: Span[] | undefined;
  let began = 0;
  const readyMs = new Map<string, number>();
  const now = () => performance.now() - began;

  const add = (span: Span) => {
    if (spans && spans.length < MOST_SPANS) spans.push(span);
  };
  const timed = async <T>(label: string, kind: Span['kind'], work: () => Promise<T>) => {
    const startMs = now();
    try {
      return await work();
    } finally {
      add({ label, kind, startMs, endMs: now() });
    }
  };

  return {
    call(label, work) {
      if (!spans) return work();
      const since = readyMs.get(label);
      readyMs.delete(label);
      if (since !== undefined && now() - since > SHORTEST_MS) {
        add({ label, kind: 'dead', startMs: since, endMs: now() });
      }
      return timed(label, 'call', work);
    },
    dead: (label, work) => (spans ? timed(label, 'dead', work) : work()),
    ready(label) {
      if (spans) readyMs.set(label, now());
    },
    async record(work) {
      spans = [];
      readyMs.clear();
      began = performance.now();
      try {
        await work();
        return spans.toSorted((a, b) => a.startMs - b.startMs);
      } finally {
        spans = undefined;
      }
    },
  };
}
