import type { Effect } from '../../src/analysis/effects/effects.ts';
import { libraryNamed } from '../../src/analysis/model/index.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import type { ItemQueries } from '../../src/patterns/load/item-queries.ts';
import type { ItemRequests } from '../../src/patterns/load/item-requests.ts';
import type { Evidence, Related } from '../define-rule.ts';

export function evidenceOf({ over, count, resolver, read, others }: ItemQueries): Evidence {
  const [table] = read.keys;
  return {
    ...(resolver ? { field: resolver.name, context: 'per-request' } : { of: ofList(over) }),
    queries: queriesOf(read, others.length + 1),
    bulk: libraryNamed(read.library)?.remedies?.reads ?? 'one query (WHERE id = ANY, in)',
    driver: read.library,
    each: others.length + 1,
    ...(table === undefined ? {} : { table }),
    ...(count === undefined ? {} : { count }),
  };
}

function queriesOf({ keys: [table] }: Effect, each: number): string {
  const of = table === undefined ? '' : ` of ${table}`;
  if (each === 1) return `a query${of} of its own`;
  return `${each} queries of its own${table === undefined ? '' : `, the first${of}`}`;
}

export function relatedOf({ read, others }: ItemQueries): readonly Related[] {
  return [read, ...others].slice(0, 3).map(relatedTo);
}

export function relatedTo({ at, library, method }: Effect): Related {
  return {
    path: at.file.path,
    range: rangeOf(at.node),
    message: `asked here: ${library} ${method}`,
    isWait: true,
  };
}

export function requestEvidence({ fanOut, request, isListGiven }: ItemRequests): Evidence {
  const { count, over } = fanOut;
  return {
    many: count === undefined ? `for each element${ofList(over)}` : `${count} times`,
    who: libraryNamed(request.library)?.called ?? 'a service',
    driver: request.library,
    isListGiven,
    limit: CONCURRENT,
    ...(count === undefined ? {} : { count }),
  };
}

/** Ours: few services answer more of one client's requests concurrently any faster. */
const CONCURRENT = 10;

function ofList(over: string | undefined): string {
  return over === undefined ? '' : ` of \`${over}\``;
}
