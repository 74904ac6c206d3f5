import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  type FunctionNode,
  type Node,
  rootOf,
  undefaulted,
} from '../../analysis/syntax/ast.ts';
import type { Place } from '../../analysis/file/place.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { alternativesOf } from '../../analysis/file/value.ts';

/**
 * A function with an optional connection parameter acquires a second one only without an argument: `given ?? (await
 * pool.connect())`. Code that only uses the connection, and never tests for it, takes the same path without it.
 */
export function isChosenByHandle(names: readonly Variable[], chain: readonly Place[]): boolean {
  return isChosenFrom(new Set(names), chain, 0);
}

function isChosenFrom(
  handles: ReadonlySet<Variable>,
  chain: readonly Place[],
  at: number,
): boolean {
  const { file, node } = chain[at]!;
  const asked = isCall(node) ? rootOf(calleeOf(node)) : node;
  const variable = asked.type === 'Identifier' ? file.variableOf(asked) : undefined;
  // veto: the query runs on the connection that the code holds, although its type admits a pool
  if (variable && handles.has(variable)) return true;
  // What the caller itself runs on the pool it runs there.
  if (at === 0 && chain.length === 1) return false;
  // veto of an exclusion: the called function does not receive the connection that the code holds
  if (!argumentsOnTheWay(file, node).some((it) => isGiven(file, it, handles))) return false;
  const inner = chain[at + 1] && enteredWith(handles, chain[at]!, chain[at + 1]!);
  return !inner || isChosenFrom(inner, chain, at + 1);
}

/** Objects in objects are looked into this far: `save({ context: { ...context, db: tx } })`. */
const DEEPEST = 3;

function isGiven(
  file: FileFacts,
  argument: Node,
  handles: ReadonlySet<Variable>,
  depth = 0,
): boolean {
  if (mentions(file, argument, handles)) return true;
  // `const entry = { action, trx }; await log(entry)`
  const value = depth < DEEPEST ? valueOf(file, argument) : undefined;
  return (
    value?.kind === 'object' &&
    value.node.properties.some((it) =>
      isGiven(value.file, it.type === 'Property' ? it.value : it.argument, handles, depth + 1),
    )
  );
}

/** What the function that is called names the connection, if it only works with that; undefined where it may choose by it. */
function enteredWith(
  handles: ReadonlySet<Variable>,
  { file, node }: Place,
  next: Place,
): ReadonlySet<Variable> | undefined {
  const fn = isCall(node) ? functionWith(file, node, next) : undefined;
  if (!fn || !isCall(node)) return undefined;
  const names = new Set<Variable>();
  for (const [i, argument] of argumentsOf(node).entries()) {
    if (!isGiven(file, argument, handles)) continue;
    const parameter = fn.params[i] && undefaulted(fn.params[i]);
    const name = parameter?.type === 'Identifier' ? next.file.variableOf(parameter) : undefined;
    if (!name) return undefined;
    names.add(name);
  }
  const isOnlyUsed = [...names].every((it) =>
    it.references.every((ref) => !ref.isRead() || isUse(next.file, ref.identifier as Node)),
  );
  // veto: the called function receives the connection and may choose by it where the query runs
  return isOnlyUsed && names.size > 0 ? names : undefined;
}

/** The function of the project that the call runs, and in which the next place of the chain stands. */
function functionWith(file: FileFacts, call: Call, next: Place): FunctionNode | undefined {
  const callee = bare(calleeOf(call));
  const [definition] = (callee.type === 'Identifier' && file.variableOf(callee)?.defs) || [];
  // veto: the called function is a parameter, so the report is at the code that passes the function
  if (definition?.type === 'Parameter') return undefined;
  for (const it of alternativesOf(valueOf(file, callee))) {
    const isIt = it.kind === 'function' && it.file === next.file && contains(it.node, next.node);
    if (isIt) return it.node;
  }
  return undefined;
}

/** `client.query(…)`, `trx('orders')`, `Order.create(row, { transaction })`, `await save(row, client);`. */
function isUse(file: FileFacts, name: Node): boolean {
  let it = name;
  while (it.parent?.type === 'MemberExpression' && it.parent.object === it && !it.parent.optional) {
    it = it.parent;
  }
  const { parent } = it;
  if (!parent) return false;
  if (isCall(parent) && calleeOf(parent) === it) {
    return parent.type === 'CallExpression' && !parent.optional;
  }
  const call = callGiven(name);
  return call !== undefined && (libraryCallOf(file, call) !== undefined || isStatement(call));
}

/** The call that is given a name, or options with it. */
function callGiven(name: Node): Call | undefined {
  const property = name.parent?.type === 'Property' ? name.parent : undefined;
  const given = property?.value === name ? property.parent : name;
  const call = given.parent;
  return call && isCall(call) && argumentsOf(call).includes(given as TSESTree.Expression)
    ? call
    : undefined;
}

/** Nothing that it gives can choose anything. */
function isStatement(call: Call): boolean {
  const { parent } = call;
  const whole = parent?.type === 'AwaitExpression' ? parent.parent : parent;
  return whole?.type === 'ExpressionStatement';
}

/** Those of `save(order)`, and of what has made the function: `saveWith(tx)(order)`, `const save = saveWith(tx)`. */
function argumentsOnTheWay(file: FileFacts, node: Node): readonly Node[] {
  const given: Node[] = [];
  const passed = new Set<Node>();
  // A name may be its own maker: `const save = save(tx)`.
  for (let it: Node | undefined = bare(node); it && !passed.has(it);) {
    passed.add(it);
    if (isCall(it)) given.push(...argumentsOf(it));
    it = isCall(it) ? bare(calleeOf(it)) : makerOf(file, it);
  }
  return given;
}

/** The call that has made what a name stands for. */
function makerOf(file: FileFacts, name: Node): Call | undefined {
  const [definition] = (name.type === 'Identifier' && file.variableOf(name)?.defs) || [];
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  const maker = init ? bare(init) : undefined;
  return maker && isCall(maker) ? maker : undefined;
}
