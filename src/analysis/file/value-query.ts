import { type Query, query } from '../../engine/query.ts';
import type { FileFacts } from './file.ts';
import { NULLISH, UNKNOWN, type Value } from './value.ts';

/**
 * A query that resolves to a value: inside a cycle it adds nothing to a join, and where the source nests without end it is
 * unknown. `parameters` are texts. Compared where most edits leave the value equal: what a class or a file has.
 */
export function valueQuery<Key extends object, Parameters extends readonly string[]>(
  name: string,
  compute: (file: FileFacts, key: Key, ...parameters: Parameters) => Value,
  { isCompared = false } = {},
): Query<FileFacts, Key, Parameters, Value> {
  return query(name, compute, { whileCyclic: NULLISH, tooDeep: () => UNKNOWN, isCompared });
}
