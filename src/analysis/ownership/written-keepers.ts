import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import { mentions } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import type { FileFacts } from '../file/file.ts';
import type { LibraryValue } from '../file/value.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { isWork } from './keepers.ts';
import type { Keeper, Truth } from './state.ts';

interface Written {
  readonly object: TSESTree.ObjectExpression;
  /** What names the connection. */
  readonly places: readonly Node[];
  /** Functions around the object that only those of it call. */
  readonly helpers: ReadonlyMap<Variable, FunctionNode>;
  readonly handle: LibraryValue;
  /** What the function returns where it has released the connection; undefined where that may be this object. */
  readonly others: readonly TSESTree.ObjectExpression[] | undefined;
}

/**
 * `{ client, async release() { … } }`: functions of an object that is written out work with the connection until one of them releases
 * it, by itself or by a helper.
 */
export function keeperWritten(
  file: FileFacts,
  { object, places, helpers, handle, others }: Written,
): Keeper | undefined {
  const givesBack = (fn: Node) =>
    places.some((it) => contains(fn, it) && !isWork(file, it, handle));
  const ending = new Set([...helpers].flatMap(([name, fn]) => (givesBack(fn) ? name : [])));
  const fields = new Set<string>();
  const releases = new Set<string>();
  const uses = new Set<string>();
  const data = new Map<string, Truth | undefined>();
  for (const property of object.properties) {
    const value = property.type === 'Property' ? property.value : property.argument;
    const name = property.type === 'Property' ? propertyName(property) : undefined;
    const inside = places.filter((it) => contains(value, it));
    const isMethod = isFunction(value) && property.type === 'Property' && property.kind === 'init';
    if (isMethod && name !== undefined) {
      const isEnd = givesBack(value) || mentions(file, value, ending);
      (isEnd ? releases : uses).add(name);
    } else if (inside[0] && isItself(file, inside[0], value) && name !== undefined) {
      fields.add(name);
    } else if (inside.length > 0) {
      // veto: a property of the returned object passes the connection to code that may release it
      return undefined;
    } else if (name !== undefined && !isFunction(value) && others && !isChanged(object, name)) {
      const isMark = isLiteral(value, true) && others.every((it) => isOff(it, name));
      data.set(name, isMark ? 'true' : undefined);
    }
  }
  // veto: no function of the returned object releases the connection, so other code may do so
  if (releases.size === 0) return undefined;
  // veto: no field states which of the returned objects has the connection
  if (others?.length && ![...data.values()].includes('true')) return undefined;
  return { fields, parts: NONE, releases, uses, begins: NONE, data };
}

const NONE: ReadonlySet<string> = new Set();

/** `this.acquired = false` in one of its functions. */
function isChanged(object: Node, name: string): boolean {
  let changes = false;
  walk(object, (it) => {
    if (it.type !== 'AssignmentExpression' || it.left.type !== 'MemberExpression') return;
    changes ||= propertyName(it.left) === name;
  });
  return changes;
}

/** `acquired: false`, or no such member. */
function isOff(object: TSESTree.ObjectExpression, name: string): boolean {
  return object.properties.every((it) => {
    if (it.type !== 'Property') return false;
    return propertyName(it) !== name || isLiteral(it.value, false);
  });
}

function isLiteral(node: Node, value: boolean): boolean {
  const it = bare(node);
  return it.type === 'Literal' && it.value === value;
}

/** `client`, or what a mapper makes around it, or a part of it: `drizzle(client)`, `runner.manager`. */
function isItself(file: FileFacts, place: Node, value: Node): boolean {
  const isMade =
    value.type === 'CallExpression' &&
    isGiven(value.arguments[0], place) &&
    libraryCallOf(file, value) !== undefined;
  return place === value || isMade || (value.type === 'MemberExpression' && value.object === place);
}

/** `drizzle(client)`, `drizzle({ client })` */
function isGiven(argument: Node | undefined, place: Node): boolean {
  if (argument?.type !== 'ObjectExpression') return argument === place;
  return argument.properties.some((it) => it.type === 'Property' && it.value === place);
}
