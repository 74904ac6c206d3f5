import type { TSESTree } from '@typescript-eslint/utils';
import type { Acquisition } from './acquisitions.ts';
import { type Node, propertyName } from './ast.ts';
import { libraryCallOf } from './calls.ts';
import type { LibraryValue } from './value.ts';

/** How many connections a pool has at most: as configured where it is made, else the driver's default. */
export function poolLimitOf({ source }: Acquisition): number | undefined {
  return source && limitOf(source);
}

export function limitOf(source: LibraryValue): number | undefined {
  const { pool } = source.type;
  if (!pool) return undefined;
  const configured = pool.maxOption ? optionOf(source, pool.maxOption) : undefined;
  if (!configured) return pool.max;
  return typeof configured.value === 'number' ? configured.value : undefined;
}

/** The value of an option as the source spells it; `value` is undefined where only run time knows. */
export interface ConfiguredOption {
  readonly value: string | number | boolean | undefined;
}

const UNKNOWN_OPTION: ConfiguredOption = { value: undefined };

/** What a pool is configured with where it is made; undefined when the option is left out. */
export function optionOf(source: LibraryValue, option: string): ConfiguredOption | undefined {
  const { origin } = source;
  const made = origin?.node;
  if (made?.type !== 'NewExpression' && made?.type !== 'CallExpression') return undefined;
  // `createPool(…).promise()` is the same pool.
  const inner = libraryCallOf(origin!.file, made)?.callee.receiver;
  if (inner?.type.pool && inner.origin?.node !== made) return optionOf(inner, option);
  const options = made.arguments[source.type.pool?.optionsAt ?? 0];
  if (!options) return undefined;
  const object = objectOf(source, options);
  return object ? optionIn(object, option) : UNKNOWN_OPTION;
}

function objectOf(source: LibraryValue, node: Node): TSESTree.ObjectExpression | undefined {
  if (node.type === 'ObjectExpression') return node;
  const value = source.origin?.file.valueOf(node);
  return value?.kind === 'object' ? value.node : undefined;
}

function optionIn(object: TSESTree.ObjectExpression, option: string): ConfiguredOption | undefined {
  // `pool.max` of the libraries that nest their pool's options.
  const [name, rest] = option.split(/\.(.*)/s);
  for (const property of object.properties.toReversed()) {
    if (property.type === 'SpreadElement') return UNKNOWN_OPTION;
    if (propertyName(property) !== name) continue;
    const { value } = property;
    if (rest && value.type === 'ObjectExpression') return optionIn(value, rest);
    const isPlain =
      value.type === 'Literal' && /^(?:string|number|boolean)$/.test(typeof value.value);
    return isPlain ? { value: value.value as string | number | boolean } : UNKNOWN_OPTION;
  }
  return undefined;
}
