import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  functionAround,
  type Node,
  propertyName,
  walk,
  walkStatements,
} from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import type { FileFacts } from '../file/file.ts';
import { locationOf } from './memory.ts';
import type { Variable } from '../syntax/names.ts';

/** `cache[key] = value` and `cache.set(key, value)`. */
export interface CacheEntry {
  readonly container: TSESTree.Expression;
  readonly key: TSESTree.Expression;
  readonly value: TSESTree.Expression;
}

/**
 * Whether `node` stores what was loaded for a key, and for nothing but that key: `cache[id] = await load(id)`. All callers find
 * the same value, in any order.
 */
export function isCacheFill(file: FileFacts, node: Node): boolean {
  const entry = entryOf(node);
  const key = entry && sourcesOf(file, entry.key, entry);
  if (!key || key.of.size === 0) return false;
  const value = sourcesOf(file, entry.value, entry);
  return value?.isAwaited === true && [...value.of].every((it) => key.of.has(it));
}

/** What a node puts into a container under a key. */
export function entryOf(node: Node): CacheEntry | undefined {
  if (node.type === 'AssignmentExpression') {
    const target = bare(node.left);
    if (node.operator !== '=' || target.type !== 'MemberExpression') return undefined;
    return target.computed
      ? { container: target.object, key: target.property, value: node.right }
      : undefined;
  }
  // no veto: nothing is put anywhere.
  if (node.type !== 'CallExpression') return undefined;
  const callee = bare(node.callee);
  const [key, value] = node.arguments;
  // no veto: no key, or no value.
  if (!key || !value || key.type === 'SpreadElement' || value.type === 'SpreadElement') {
    return undefined;
  }
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'set') return undefined;
  return { container: callee.object, key, value };
}

/** The parameters and loop variables that a value is made of, and whether it was waited for. */
interface Sources {
  readonly of: Set<Variable>;
  isAwaited: boolean;
}

/** undefined where it is also made of something that changes. */
function sourcesOf(file: FileFacts, root: Node, entry: CacheEntry): Sources | undefined {
  const found: Sources = { of: new Set(), isAwaited: false };
  const seen = new Set<Variable>();
  return add(root) ? found : undefined;

  function add(node: Node): boolean {
    if (isEntryRead(file, node, entry)) return true;
    const container = file.textOf(entry.container);
    let isConstant = true;
    walk(node, (it) => {
      if (it.type === 'AwaitExpression') found.isAwaited = true;
      // What it makes of other entries, or of the one before, depends on who came first.
      if (it.type === entry.container.type && file.textOf(it) === container) isConstant = false;
      const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
      if (variable && !seen.has(variable)) {
        seen.add(variable);
        isConstant &&= contains(node, variable.defs[0]!.name) || addVariable(variable);
      }
      return isConstant;
    });
    return isConstant;
  }

  function addVariable(variable: Variable): boolean {
    const [definition] = variable.defs;
    const writes = writesTo(variable);
    if (definition?.type === 'Parameter') {
      found.of.add(variable);
      return writes?.length === 0;
    }
    if (definition?.type !== 'Variable') return true;
    const loop = definition.parent.parent;
    if (loop.type === 'ForOfStatement' || loop.type === 'ForInStatement') {
      found.of.add(variable);
      // Of two lists that were loaded, each may have another element of the same key.
      return sourcesOf(file, loop.right, entry)?.isAwaited === false;
    }
    // A variable of the module that is set again is state.
    if (!writes || (writes.length > 0 && !functionAround(definition.node))) return false;
    const { init } = definition.node;
    return [...(init ? [init] : []), ...writes].every(add);
  }
}

/** The entry as it was found: `cache.get(key)`, `cache[key]`; `methods`: those that ask for it. */
export function isEntryRead(
  file: FileFacts,
  node: Node,
  { container, key }: CacheEntry,
  methods = /^get$/,
): boolean {
  const it = bare(node);
  const isSame = (a: Node, b: Node) => file.textOf(a) === file.textOf(b);
  if (it.type === 'MemberExpression') {
    return it.computed && isSame(it.object, container) && isSame(it.property, key);
  }
  if (it.type !== 'CallExpression') return false;
  const callee = bare(it.callee);
  return (
    callee.type === 'MemberExpression' &&
    methods.test(propertyName(callee) ?? '') &&
    isSame(callee.object, container) &&
    it.arguments.length === 1 &&
    isSame(it.arguments[0]!, key)
  );
}

/** `settings ??= await load()`, `if (token) return token; token = await logIn()`: only the first call ever waits. */
export function isKept(
  file: FileFacts,
  { operator, left }: TSESTree.AssignmentExpression,
): boolean {
  const fn = functionAround(left);
  // veto: a variable of the function itself keeps the value, so each call loads it again
  if (!fn || locationOf(file, left, fn) === undefined) return false;
  let isAskedFor = operator === '??=' || operator === '||=';
  walkStatements(bodyOf(fn)!, (it) => {
    isAskedFor ||= it.type === 'IfStatement' && hasWithin(file, it.test, left);
  });
  return isAskedFor;
}

function hasWithin(file: FileFacts, root: Node, wanted: Node): boolean {
  let has = false;
  walk(root, (it) => {
    has ||= it.type === wanted.type && file.textOf(it) === file.textOf(wanted);
  });
  return has;
}
