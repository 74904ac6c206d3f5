import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  type ClassNode,
  contains,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
  walk,
  wrapped,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { libraryMember } from '../provenance/library-values.ts';
import { valueOf } from '../provenance/value-of.ts';
import type { LibraryValue } from '../file/value.ts';
import { mentions } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import { isHandle } from './handle.ts';
import type { Keeper, State, Tour } from './state.ts';
import { mayRelease } from './terms.ts';

/** Whether `new UnitOfWork(client)` keeps the handle: `notes.keepers` has how. */
export function isKeptBy(tour: Tour, node: TSESTree.NewExpression, state: State): boolean {
  const at = node.arguments.findIndex((it) => isHandle(tour, state, it));
  const made = valueOf(tour.file, node.callee);
  // no veto: only a class that is given one keeps one.
  if (at === -1 || made.kind !== 'class') return false;
  // veto: what a class above does with it
  if (made.node.superClass) return false;
  const keeper = keeperIn(made.file, made.node, { at, handle: tour.subject.handle });
  if (keeper) tour.notes.keepers.set(node, keeper);
  return keeper !== undefined;
}

interface Given {
  /** Which parameter of the constructor has the connection. */
  readonly at: number;
  readonly handle: LibraryValue;
}

const keeperIn = query(
  'keeper',
  (file: FileFacts, node: ClassNode, { at, handle }: Given): Keeper | undefined => {
    const methods = new Map<string, Node>();
    let field: string | undefined;
    const others: Node[] = [];
    for (const member of bodyOf(node.body)) {
      const name = isMethod(member) ? propertyName(member) : undefined;
      if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
        field = fieldGiven(file, member.value, at);
      } else if (isMethod(member) && name !== undefined) methods.set(name, member.value!);
      else others.push(member);
    }
    // no veto: what is not kept is given to somebody else.
    if (field === undefined) return undefined;
    // veto: a getter, or a value made with it, hands it out
    if (others.some((it) => namesField(it, field))) return undefined;
    const releases = new Set<string>();
    for (const [name, method] of methods) {
      if (mayGiveBack(file, method, field, handle)) releases.add(name);
    }
    // `commit()` that calls `this.finish()`
    for (let size = -1; size !== releases.size;) {
      size = releases.size;
      for (const [name, method] of methods) {
        if (callsOwn(method, releases)) releases.add(name);
      }
    }
    // veto: nothing gives it back, so its maker or somebody else does
    if (releases.size === 0) return undefined;
    const uses = new Set([...methods.keys()].filter((it) => !releases.has(it)));
    return { field, releases, uses };
  },
  {
    whileCyclic: undefined,
    keyOf: ({ at, handle }) => `${at} ${handle.library.name}.${handle.typeName}`,
  },
);

/** `commit() { … }`, `commit = async () => { … }`. */
function isMethod(
  member: TSESTree.ClassElement,
): member is TSESTree.MethodDefinition | TSESTree.PropertyDefinition {
  if (member.type === 'MethodDefinition') return member.kind === 'method' && !member.static;
  return member.type === 'PropertyDefinition' && !member.static && isFunction(member.value);
}

function namesField(node: Node, field: string): boolean {
  let names = false;
  walk(node, (it) => {
    names ||= isOwn(it) && propertyName(it) === field;
  });
  return names;
}

/** `constructor(private readonly client: PoolClient)`, or `this.client = client` in it, and nothing else with it. */
function fieldGiven(file: FileFacts, constructor: Node, at: number): string | undefined {
  const parameter = isFunction(constructor) ? constructor.params[at] : undefined;
  if (!parameter) return undefined;
  const isProperty = parameter.type === 'TSParameterProperty';
  const name = undefaulted(isProperty ? parameter.parameter : parameter);
  if (name.type !== 'Identifier') return undefined;
  const uses = (file.variableOf(name)?.references ?? []).map((it) => it.identifier as Node);
  if (isProperty) return uses.length === 0 ? name.name : undefined;
  const [use, ...others] = uses;
  const assignment = use?.parent;
  // no veto: the shape of an assignment
  if (assignment?.type !== 'AssignmentExpression' || assignment.right !== use) return undefined;
  // veto: what else the constructor does with it may give it back
  return others.length === 0 && isOwn(assignment.left) ? propertyName(assignment.left) : undefined;
}

function isOwn(node: Node): node is TSESTree.MemberExpression {
  return node.type === 'MemberExpression' && node.object.type === 'ThisExpression';
}

/** Anything but a call of a method that does not release: `this.client.release()`, `finish(this.client)`, `return this.client`. */
function mayGiveBack(file: FileFacts, method: Node, field: string, handle: LibraryValue): boolean {
  let gives = false;
  walk(method, (it) => {
    if (it.type === 'ObjectPattern' && it.parent.type === 'VariableDeclarator') {
      gives ||= it.parent.init?.type === 'ThisExpression';
    }
    if (isOwn(it) && propertyName(it) === field) gives ||= !isWork(file, it, handle);
  });
  return gives;
}

function isWork(file: FileFacts, field: Node, handle: LibraryValue): boolean {
  const it = wrapped(field);
  const { parent } = it;
  // no veto: the shape of a member
  if (parent?.type !== 'MemberExpression' || parent.object !== it) return false;
  const name = propertyName(parent);
  const member =
    name === undefined ? undefined : libraryMember(handle, name, { file, node: field });
  if (member?.kind !== 'callable') return name !== undefined && !mayRelease(name);
  return member.signature.releases !== 'this';
}

function callsOwn(method: Node, names: ReadonlySet<string>): boolean {
  let calls = false;
  walk(method, (it) => {
    if (isOwn(it) && names.has(propertyName(it) ?? '')) calls = true;
  });
  return calls;
}

interface Written {
  readonly object: TSESTree.ObjectExpression;
  /** What names the connection. */
  readonly places: readonly Node[];
  /** Functions around the object that only those of it call. */
  readonly helpers: ReadonlyMap<Variable, FunctionNode>;
  readonly handle: LibraryValue;
}

/**
 * `{ client, async release() { … } }`: functions of an object that is written out work with the connection until one of them releases
 * it, by itself or by a helper.
 */
export function keeperWritten(
  file: FileFacts,
  { object, places, helpers, handle }: Written,
): Keeper | undefined {
  const givesBack = (fn: Node) =>
    places.some((it) => contains(fn, it) && !isWork(file, it, handle));
  const ending = new Set([...helpers].flatMap(([name, fn]) => (givesBack(fn) ? name : [])));
  let field: string | undefined;
  const releases = new Set<string>();
  const uses = new Set<string>();
  for (const property of object.properties) {
    const value = property.type === 'Property' ? property.value : property.argument;
    const name = property.type === 'Property' ? propertyName(property) : undefined;
    const inside = places.filter((it) => contains(value, it));
    if (isFunction(value) && name !== undefined) {
      const isEnd = givesBack(value) || mentions(file, value, ending);
      (isEnd ? releases : uses).add(name);
    } else if (inside[0] && isItself(file, inside[0], value) && field === undefined) field = name;
    // veto: what else has it may give it back
    else if (inside.length > 0) return undefined;
  }
  // veto: nothing gives it back, so its maker or somebody else does
  return releases.size === 0 ? undefined : { field, releases, uses };
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

/** A key for caches that depend on what an object does with its connection. */
export function keyOfKeeper(keeper: Keeper | undefined): string {
  if (!keeper) return '';
  const { field = '', releases, uses } = keeper;
  return ` ${field}(${[...releases].sort().join()};${[...uses].sort().join()})`;
}
