import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  type ClassNode,
  contains,
  type FunctionNode,
  functionAround,
  isFunction,
  isNamed,
  type Node,
  propertyName,
  walk,
  wrapped,
} from '../syntax/ast.ts';
import { type Call, returnedExpressions } from '../syntax/calls.ts';
import { nameNodeOf } from '../syntax/function-names.ts';
import { mentions } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import type { FileFacts } from '../file/file.ts';
import { isChain } from '../flow/callbacks.ts';
import { type Acquisition, acquisitionAt } from './acquisitions.ts';
import { isLocal } from './handle.ts';
import { isConstructor, keeperOfField } from './keepers.ts';
import { ownershipOf } from './ownership.ts';
import type { Keeper } from './state.ts';
import { keeperWritten } from './written-keepers.ts';

/** What a function or a class acquires for its caller: as it is, or in an object made around it. */
export interface HandedOn {
  readonly acquisition: Acquisition;
  readonly keeper: Keeper | undefined;
}

/** The acquisition whose result a function returns, as it is or in an object around it, and keeps nowhere. */
export const handedOnBy = query(
  'hands on',
  (file: FileFacts, fn: FunctionNode): HandedOn | undefined => {
    const taken: Acquisition[] = [];
    walk(fn, (it) => {
      if (it.type !== 'CallExpression' && it.type !== 'NewExpression') return;
      const acquisition = acquisitionAt(file, it);
      if (acquisition) taken.push(acquisition);
    });
    for (const acquisition of taken) {
      const keeper = keeperReturned(acquisition, fn) ?? keeperWrittenBy(acquisition, fn);
      if (keeper) return { acquisition, keeper };
      if (isHandedOn(acquisition, fn)) return { acquisition, keeper: acquisition.subject.keeper };
    }
    return undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** `return new UnitOfWork(client)`, or a name of it whose methods are called first: `await unit.begin(); return unit;`. */
function keeperReturned(acquisition: Acquisition, fn: FunctionNode): Keeper | undefined {
  const { transfers, keepers, freeAt } = ownershipOf(acquisition) ?? {};
  if (transfers?.size !== 1 || !transfers.has('kept')) return undefined;
  const returned = returnedExpressions(fn)
    .map(bare)
    .filter((it) => !isNothing(it));
  const [[made, keeper], ...others] = [...keepers!] as [[Node, Keeper]];
  const isReturned = returned.includes(made) || isNameReturned(acquisition.file, made);
  if (others.length > 0 || !isReturned) return undefined;
  // Data may state then that it has no connection.
  const mayBeFree = returned.length > 1 || freeAt!.has(made);
  return mayBeFree ? { ...keeper, data: new Map() } : keeper;
}

function isNameReturned(file: FileFacts, made: Node): boolean {
  const declarator = wrapped(made).parent;
  const name = declarator?.type === 'VariableDeclarator' ? declarator.id : undefined;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  const parents = (variable?.references ?? []).map((it) => (it.identifier as Node).parent);
  // veto: other code uses the object with the connection before the function returns it
  const isOwn = parents.every((it) => it === declarator || (it && isReturnOrCall(it)));
  return isOwn && parents.some((it) => it?.type === 'ReturnStatement');
}

function isReturnOrCall(use: Node): boolean {
  const { parent } = use;
  const isMember = use.type === 'MemberExpression' && parent?.type === 'CallExpression';
  return use.type === 'ReturnStatement' || (isMember && parent.callee === use);
}

/** `return { client, async release() { … } }`, where no other function has the connection; or nothing; or an object without it. */
function keeperWrittenBy(acquisition: Acquisition, fn: FunctionNode): Keeper | undefined {
  const returned = returnedExpressions(fn).map(bare);
  const objects = returned.filter((it) => it.type === 'ObjectExpression');
  // no veto: spares the question.
  if (acquisition.root !== fn || objects.length === 0) return undefined;
  // veto: the function also returns a value that is no object literal
  if (!returned.every((it) => it.type === 'ObjectExpression' || isNothing(it))) return undefined;
  const {
    transfers,
    names = new Set<Variable>(),
    freeAt = new Set<Node>(),
  } = ownershipOf(acquisition) ?? {};
  const isGiven = transfers && [...transfers].every((it) => /^(?:captured|returned)$/.test(it));
  // veto: other code receives the connection and may release it
  if (!isGiven) return undefined;
  const { file, subject } = acquisition;
  const places = [...names].flatMap((it) => it.references.map((one) => one.identifier as Node));
  const helpers = helpersOf(file, fn, objects);
  const has = (it: Node) =>
    places.some((one) => contains(it, one)) || mentions(file, it, new Set(helpers.keys()));
  const object = objects.find(has);
  // no veto: the connection is in none.
  if (!object) return undefined;
  const isOfObject = (it: Node) => [object, ...helpers.values()].some((one) => contains(one, it));
  // veto: a function outside the returned object uses the connection as well
  if (!places.every((it) => functionAround(it) === fn || isOfObject(it))) return undefined;
  const isFree = [...freeAt].some((it) => contains(object, it));
  const others = isFree ? undefined : objects.filter((it) => it !== object);
  return keeperWritten(file, { object, places, helpers, handle: subject.handle, others });
}

/** `const finish = async () => { …; client.release(); }`, which only functions of the object call. */
function helpersOf(
  file: FileFacts,
  fn: FunctionNode,
  objects: readonly Node[],
): ReadonlyMap<Variable, FunctionNode> {
  const helpers = new Map<Variable, FunctionNode>();
  walk(bodyOf(fn), (it) => {
    const helper = it.type === 'VariableDeclarator' ? it.init : it;
    if (!isFunction(helper)) return;
    const name = nameNodeOf(helper);
    const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
    const uses = variable?.references.filter((ref) => ref.isRead()) ?? [];
    const isOfObject = uses.every((ref) => objects.some((it) => contains(it, ref.identifier)));
    if (variable && uses.length > 0 && isOfObject) helpers.set(variable, helper);
  });
  return helpers;
}

function isNothing(node: Node): boolean {
  return (node.type === 'Literal' && !node.value) || isNamed(node, 'undefined');
}

function isHandedOn(acquisition: Acquisition, fn: FunctionNode): boolean {
  const transfers = ownershipOf(acquisition)?.transfers;
  if (transfers?.size !== 1) return false;
  if (acquisition.root === fn) return transfers.has('returned') && !isKept(acquisition, fn);
  // Inside of `return new Promise((resolve) => pool.getConnection((error, connection) => resolve(connection)))`.
  return transfers.has('resolved') && isPromiseOf(acquisition.root, fn);
}

/** `connecting = client.connect().then(() => client)`: all calls get the promise that the first one has made. */
function isKept({ file, call }: Acquisition, fn: FunctionNode): boolean {
  const { parent } = wrapped(call);
  const name = parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  // no veto: what has no name is in no closure.
  if (!variable) return false;
  const names = new Set([variable]);
  let isFound = false;
  walk(bodyOf(fn), (it) => {
    if (it.type !== 'AssignmentExpression' || it.left.type !== 'Identifier') return;
    const target = file.variableOf(it.left);
    if (!target || isLocal(fn, target)) return;
    if (isChain(it.right) && mentions(file, it.right, names)) isFound = true;
  });
  return isFound;
}

/** The function makes that promise in each of its runs, and keeps it for none. */
function isPromiseOf(root: Node, fn: FunctionNode): boolean {
  for (let it = root.parent; it && it !== fn; it = it.parent) {
    if (isFunction(it) && it.parent.type !== 'NewExpression') return false;
    if (it.type === 'AssignmentExpression') return false;
  }
  return true;
}

/** What each object of a class makes for a field of its own, and how the methods of the class end it. */
export const keptInField = query(
  'kept in a field',
  (file: FileFacts, node: ClassNode): HandedOn | undefined => {
    const made = bodyOf(node.body).flatMap((member) => {
      const isMaking = isConstructor(member) || member.type === 'PropertyDefinition';
      return isMaking ? fieldsMadeIn(file, member) : [];
    });
    // Of several, the first is followed.
    const [first] = made;
    if (!first) return undefined;
    const { field, acquisition } = first;
    const { handle } = acquisition.subject;
    return { acquisition, keeper: keeperOfField(file, node, { field, handle, names: [] }) };
  },
  { whileCyclic: undefined, isCompared: false },
);

interface FieldMade {
  readonly field: string;
  readonly acquisition: Acquisition;
}

function fieldsMadeIn(file: FileFacts, member: Node): readonly FieldMade[] {
  const made: FieldMade[] = [];
  walk(member, (it) => {
    const target = it.type === 'CallExpression' ? wrapped(it).parent : undefined;
    const field = target && fieldSet(target);
    const acquisition = field === undefined ? undefined : acquisitionAt(file, it as Call);
    if (field !== undefined && acquisition) made.push({ field, acquisition });
  });
  return made;
}

/** `runner` of `this.runner = …` and of `private runner = …`. */
function fieldSet(target: Node): string | undefined {
  if (target.type === 'PropertyDefinition') return propertyName(target);
  const left = target.type === 'AssignmentExpression' ? target.left : undefined;
  const isOwn = left?.type === 'MemberExpression' && left.object.type === 'ThisExpression';
  return isOwn ? propertyName(left) : undefined;
}
