import type { FalseParallelism } from '../../src/patterns/load/false-parallelism.ts';
import type { Evidence } from '../define-rule.ts';

/** What the messages quote, and what the benchmark of one connection needs. */
export function evidenceOf({ handle, name, count, isAll }: FalseParallelism): Evidence {
  const some = isAll ? `These ${count} calls` : `${count} of these calls`;
  return {
    driver: handle.library.name,
    handle: name,
    calls: count === undefined ? 'These calls' : some,
    ...(count === undefined ? {} : { count }),
  };
}
