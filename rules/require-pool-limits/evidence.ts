import { dottedName } from '../../facts/ast.ts';
import { calleeOf } from '../../facts/calls.ts';
import type { MadePool } from '../../facts/made-pools.ts';
import type { Opening } from '../../facts/openings.ts';
import { limitOf } from '../../facts/pool-limits.ts';
import type { Evidence } from '../define-rule.ts';

const PER = { 'per-item': 'item', 'per-job': 'job', 'per-request': 'request' } as const;

export function perCallEvidence({ made, handle, context }: Opening): Evidence {
  const name = dottedName(calleeOf(made.call)) ?? handle.typeName;
  return {
    variant: 'per-call',
    driver: handle.library.name,
    made: made.call.type === 'NewExpression' ? `new ${name}()` : `${name}()`,
    per: PER[context as keyof typeof PER],
    context,
  };
}

export function waitEvidence({ handle, pool }: MadePool, timeoutMs: number): Evidence {
  const max = limitOf(handle);
  return {
    variant: 'no-timeout',
    driver: handle.library.name,
    connections: counted(max, pool.lends ?? 'connection'),
    ...(max === undefined ? {} : { max }),
    ...(pool.waitOption
      ? { option: pool.waitOption, timeoutMs }
      : { remedy: pool.queueOption ? queueRemedy(pool.queueOption) : RACE }),
  };
}

function counted(max: number | undefined, noun: string): string {
  return max === undefined ? `${noun}s` : `${max} ${noun}${max === 1 ? '' : 's'}`;
}

const RACE = 'Let each query race with a time-out';

function queueRemedy(option: string): string {
  return `Bound how many wait with \`${option}\`, or let each checkout race with a time-out`;
}
