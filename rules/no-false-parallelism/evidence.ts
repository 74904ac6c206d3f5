import type { FalseParallelism } from '../../facts/false-parallelism.ts';
import type { Evidence } from '../define-rule.ts';

/** What the messages quote, and what the benchmark of one connection needs. */
export function evidenceOf({ handle, name, count }: FalseParallelism): Evidence {
  return {
    driver: handle.library.name,
    handle: name,
    calls: count === undefined ? 'These calls' : `${count} of these calls`,
    ...(count === undefined ? {} : { count }),
  };
}
