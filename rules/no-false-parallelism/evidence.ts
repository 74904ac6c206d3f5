import type { FalseParallelism } from '../../src/patterns/load/false-parallelism.ts';
import type { Evidence } from '../define-rule.ts';

/** The placeholders of the messages, and the parameters of the benchmark of one connection. */
export function evidenceOf({ handle, name, count, isAll }: FalseParallelism): Evidence {
  const some = isAll ? `These ${count} calls` : `${count} of these calls`;
  return {
    driver: handle.library.name,
    handle: name,
    calls: count === undefined ? 'These calls' : some,
    ...(count === undefined ? {} : { count }),
  };
}
