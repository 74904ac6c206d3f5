import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  dottedName,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  rootOf,
  walk,
} from '../../analysis/syntax/ast.ts';
import { knownBehaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { returnedExpressions } from '../../analysis/syntax/calls.ts';
import { callbackOf } from '../../analysis/provenance/contextual.ts';
import { builderEffect, type Effect } from '../../analysis/effects/effects.ts';
import { mappingOf } from '../../analysis/syntax/elements.ts';
import { pushOf } from './fan-outs.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { mayRunHooks } from '../../analysis/effects/model-hooks.ts';
import { lenderOf } from '../../analysis/effects/pool-origins.ts';
import type { LibraryValue } from '../../analysis/file/value.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';
import { type LentObject, lentObjectAt, lentUnder } from './lent-connections.ts';

/** Calls that are awaited together although one connection runs them sequentially. */
export interface FalseParallelism {
  /** `Promise.all(…)` */
  readonly call: TSESTree.CallExpression;
  readonly handle: LibraryValue;
  /** `client`, `this.client`. */
  readonly name: string;
  /** How many there are, where the source counts them. */
  readonly count: number | undefined;
  readonly list: PromiseList;
  /** Nothing else is waited for. */
  readonly isAll: boolean;
}

/** What is waited for together: an array literal, one promise for each element of a list, or what is added to one. */
export type PromiseList =
  | { readonly kind: 'added'; readonly node: Node; readonly elements: readonly Node[] }
  | { readonly kind: 'array'; readonly node: TSESTree.ArrayExpression }
  | {
      readonly kind: 'each';
      readonly node: TSESTree.CallExpression;
      readonly over: TSESTree.Expression;
      readonly fn: FunctionNode;
    };

export function falseParallelismsOf(file: FileFacts): readonly FalseParallelism[] {
  return file.nodes.all('CallExpression').flatMap((it) => found(file, it) ?? []);
}

function found(file: FileFacts, call: TSESTree.CallExpression): FalseParallelism | undefined {
  if (!settlesAll(file, call)) return undefined;
  const [argument] = call.arguments;
  const list = argument && listAt(file, argument, call);
  if (!list) return undefined;
  const elements = elementsOf(list);
  const calls = elements.flatMap((it) => (it ? (serialCallAt(file, list, it) ?? []) : []));
  const [first] = calls;
  if (!first) return undefined;
  const { key, handle, name } = first;
  const shared = calls.filter((it) => it.key === key);
  const isCounted = list.kind === 'array' && elements.every((it) => it?.type !== 'SpreadElement');
  const count = isCounted ? shared.length : undefined;
  // veto: only one element of the list uses this connection
  if (count === 1) return undefined;
  return { call, handle, name, count, list, isAll: shared.length === elements.length };
}

function elementsOf(list: PromiseList): readonly (Node | null)[] {
  if (list.kind === 'each') return [list.fn];
  return list.kind === 'array' ? list.node.elements : list.elements;
}

function settlesAll(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const name = dottedName(call.callee) ?? '';
  if (/^Promise\.(?:all|allSettled)$/.test(name)) return true;
  return name.endsWith('.batch') && libraryCallOf(file, call)?.signature.settles === true;
}

function listAt(file: FileFacts, argument: Node, call: Node): PromiseList | undefined {
  const it = bare(argument);
  switch (it.type) {
    case 'ArrayExpression':
      return { kind: 'array', node: it };
    case 'CallExpression': {
      const { over, fn } = mappingOf(it) ?? {};
      return over && isFunction(fn) ? { kind: 'each', node: it, over, fn } : undefined;
    }
    case 'Identifier': {
      const variable = file.variableOf(it);
      const definition = variable?.defs[0]?.node;
      const added = variable && addedTo(file, variable, call);
      if (added) return added;
      const isKept = variable?.references.filter((ref) => !ref.init).length === 1;
      return isKept && definition?.type === 'VariableDeclarator' && definition.init
        ? listAt(file, definition.init, call)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** `const sent = []; for (const row of rows) sent.push(insert(row)); await Promise.all(sent);` */
function addedTo(
  file: FileFacts,
  { defs, references }: Variable,
  call: Node,
): PromiseList | undefined {
  const [definition] = defs;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  // no veto: the shape of a list.
  if (init?.type !== 'ArrayExpression') return undefined;
  const pushes = references.flatMap((it) => pushOf(it.identifier as Node) ?? []);
  const elements = pushes.flatMap((it) => (it.arguments.length === 1 ? it.arguments : []));
  const blocks = new Set(pushes.map((it) => blockOf(it)));
  const [block] = blocks;
  // veto: promises are added in different blocks, of which only some run
  if (!block || blocks.size > 1) return undefined;
  const loop = loopAround(file, pushes[0]!);
  // veto: the list is waited for where its promises are added
  if (loop && (loop.awaits.length > 0 || contains(loop.node, call))) return undefined;
  // veto: a condition in the loop decides whether a promise is added
  if (loop && block !== loop.body && loop.body !== pushes[0]!.parent) return undefined;
  return loop || elements.length > 1
    ? { kind: 'added', node: loop?.node ?? init, elements }
    : undefined;
}

/** The block of the statement that a call is, or the statement itself where no block is around it. */
function blockOf({ parent }: Node): Node | undefined {
  const isStatement = parent?.type === 'ExpressionStatement';
  const around = isStatement ? parent.parent : undefined;
  return around?.type === 'BlockStatement' || around?.type === 'Program' ? around : parent;
}

interface SerialCall {
  readonly key: string;
  readonly name: string;
  readonly handle: LibraryValue;
}

/** The one connection that an element waits for, when it waits for nothing else. */
function serialCallAt(file: FileFacts, list: PromiseList, element: Node): SerialCall | undefined {
  // `[await save(order), await lower(stock)]`
  // veto: the element awaits its call inside the list, so the next call starts only afterwards
  if (bare(element).type === 'AwaitExpression') return undefined;
  const lent = lentObjectAt(file, element);
  if (lent) return callOnLent(file, element, lent);
  const named = handlesIn(file, element);
  const handles = named.size > 0 ? named : handlesInHelpers(file, element);
  const [handle] = handles.values();
  // veto: the element uses no resolved connection, or more than one
  if (handles.size !== 1 || !handle) return undefined;
  const { node, value } = handle;
  // veto: each element creates its own connection
  if (isMadeIn(file, list.node, node)) return undefined;
  // veto: the transaction can be missing, and then each call uses its own connection of the pool
  if (mayBeMissing(file, node, value)) return undefined;
  // veto: the type of the parameter also admits the pool, which runs queries concurrently
  if (mayBePool(file, node, value)) return undefined;
  // veto: the driver pipelines statements on this connection
  if (isPipelined(file, value)) return undefined;
  const effects = effectsOf(file, element);
  // veto: the element is unresolved, pauses, or waits for more than this connection
  if (!effects?.every((it) => it.env === 'db' && isOn(file, it, node))) return undefined;
  // veto: the element runs no query on the connection, or hooks of its model can wait for other work
  if (effects.length === 0 || effects.some(mayRunHooks)) return undefined;
  return { key: file.textOf(node), name: dottedName(node) ?? 'it', handle: value };
}

/** Of objects that are made around one connection, all run on that. */
function callOnLent(
  file: FileFacts,
  element: Node,
  { name, scope: { handle, root } }: LentObject,
): SerialCall | undefined {
  // veto: the connection behind the object pipelines its calls, or rejects a second concurrent call
  if (!isServedInOrder(handle) || isPipelined(file, handle)) return undefined;
  const effects = effectsOf(file, element) ?? [];
  // veto: the call on the object runs no resolved query, or hooks of its model can wait for other work
  if (effects.length === 0 || effects.some(mayRunHooks)) return undefined;
  // veto: the call on the object also waits for other work, or uses a different connection
  if (!effects.every((it) => it.env === 'db' && !ELSEWHERE.has(it.handle))) return undefined;
  return { key: String(file.idOf(root)), name, handle };
}

const ELSEWHERE: ReadonlySet<unknown> = new Set(['pool', 'single', 'embedded']);

/** On one connection, which is the only one that the element names; or on what the caller has passed by that name. */
function isOn(file: FileFacts, { handle }: Effect, name: Node): boolean {
  if (typeof handle === 'string') return handle === 'serial';
  const definition = name.type === 'Identifier' ? file.variableOf(name)?.defs[0] : undefined;
  return handle.fn === definition?.node;
}

/** What an element does in the end; undefined when some of that is not known. */
function effectsOf(file: FileFacts, element: Node): readonly Effect[] | undefined {
  const scope = functionAround(element) ?? file.ast;
  const behaviour = knownBehaviourOf(file, isFunction(element) ? bodyOf(element) : element, scope);
  // veto: the element contains a pause or an unresolved call
  if (!behaviour || behaviour.sleeps) return undefined;
  const results = isFunction(element) ? returnedExpressions(element) : [element as Node];
  const built = results.flatMap((it) => builderEffect(file, it) ?? []);
  return [...behaviour.effects, ...built];
}

/** The connections and transactions that code names, each by what tells it from others. */
function handlesIn(
  file: FileFacts,
  root: Node,
): ReadonlyMap<string, { readonly node: Node; readonly value: LibraryValue }> {
  const found = new Map<string, { readonly node: Node; readonly value: LibraryValue }>();
  walk(root, (node) => {
    // no veto: nothing else names anything
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return true;
    // What is named inside of another name (`runner` in `runner.manager`) is the connection itself.
    if (node.type === 'MemberExpression' && isOneByOne(file, node.object)) return true;
    const value = isOneByOne(file, node);
    if (value) found.set(file.textOf(node), { node, value });
    else for (const it of heldBy(file, node)) found.set(file.textOf(it.node), it);
    return !value;
  });
  return found;
}

/** `client` of `const context = { client, user }` and of `const orders = new Orders(client)`, which this file makes. */
function heldBy(file: FileFacts, node: Node): readonly { node: Node; value: LibraryValue }[] {
  // no veto: the shape of a name.
  if (node.type !== 'Identifier') return [];
  const held = valueOf(file, node);
  const parts: readonly Node[] =
    held.kind === 'object' && held.file === file
      ? held.node.properties.flatMap((it) => (it.type === 'Property' ? [it.value] : []))
      : held.kind === 'instance' && held.madeAt?.file === file
        ? held.madeAt.call.arguments
        : [];
  return parts.flatMap((it) => {
    const value = isOneByOne(file, it);
    return value ? [{ node: it, value }] : [];
  });
}

/** Those that a function of this file names, for which the element is only a call of it: `Promise.all([saveOrder(), saveStock()])` within the transaction. */
function handlesInHelpers(file: FileFacts, element: Node): ReturnType<typeof handlesIn> {
  const result = isFunction(element) ? returnedExpressions(element)[0] : element;
  const call = result && bare(result);
  const helper = call?.type === 'CallExpression' ? valueOf(file, call.callee) : undefined;
  if (helper?.kind !== 'function') return new Map();
  // veto: the helper is in a different file and can use a connection of its own
  if (helper.file !== file) return new Map();
  const handles = handlesIn(file, bodyOf(helper.node));
  const isOwn = [...handles.values()].some(
    // veto: each call of the helper, or each object that has the helper, uses a connection of its own
    ({ node }) => isMadeIn(file, helper.node, node) || isOfAnother(call!, node),
  );
  return isOwn ? new Map() : handles;
}

/** `this.client` within `worker.run()` is the client of that worker. */
function isOfAnother(call: Node, handle: Node): boolean {
  const callee = call.type === 'CallExpression' ? bare(call.callee) : call;
  const isOfThis = callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression';
  return rootOf(handle).type === 'ThisExpression' && !isOfThis;
}

export function isOneByOne(file: FileFacts, node: Node): LibraryValue | undefined {
  const value = valueOf(file, node);
  return value.kind === 'library' && isServedInOrder(value) ? value : undefined;
}

function isServedInOrder({ type: { concurrency, role, isExclusive } }: LibraryValue): boolean {
  // veto: a second concurrent call on the connection fails instead of waiting
  return concurrency === 'serial' && role !== undefined && !isExclusive;
}

/** A connection of its own for each element. */
function isMadeIn(file: FileFacts, list: Node, node: Node): boolean {
  const root = rootOf(node);
  const definition = root.type === 'Identifier' ? file.variableOf(root)?.defs[0] : undefined;
  return definition !== undefined && contains(list, definition.name);
}

/** `transaction?: Transaction`, or one out of an object that its type alone describes: without one, each call takes a connection of the pool. */
function mayBeMissing(file: FileFacts, node: Node, { origin }: LibraryValue): boolean {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  if (definition?.type !== 'Parameter') return !origin;
  const name = definition.name as TSESTree.Identifier;
  const isPlain = isFunction(definition.node) && definition.node.params.includes(name);
  const type = name.typeAnnotation?.typeAnnotation.type;
  return !isPlain || name.optional || type === 'TSUnionType';
}

/** `db: Prisma.TransactionClient` takes the client itself as well; only the name, or what the function is passed to, says which it is. */
function mayBePool(file: FileFacts, node: Node, { type }: LibraryValue): boolean {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  return (
    type.admitsPool === true &&
    definition?.type === 'Parameter' &&
    !callbackOf(file, definition.node) &&
    !lentUnder(file, file.variableOf(definition.name as TSESTree.Identifier), node) &&
    !/\b(?:tx|trx|txn|t|transaction\w*)\b/.test(wordsOf(definition.name.name as string))
  );
}

const PIPELINED = /\bpipeline\s*:|\bkysely-postgres-js\b/;

/** The driver sends statements ahead on one connection: by itself, by `pipeline: true`, or by a dialect of Kysely. */
export function isPipelined(file: FileFacts, handle: LibraryValue): boolean {
  if (handle.type.sendsAhead) return true;
  return [file, handle.origin?.file, lenderOf(handle)?.origin?.file].some((it) =>
    it?.says(PIPELINED),
  );
}
