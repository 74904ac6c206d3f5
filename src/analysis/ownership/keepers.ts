import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  type ClassNode,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
  walk,
  wrapped,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { libraryMember } from '../provenance/library-values.ts';
import { valueOf } from '../provenance/value-of.ts';
import type { LibraryValue } from '../file/value.ts';
import { isHandle } from './handle.ts';
import type { Keeper, State, Tour } from './state.ts';
import { patternOf } from '../syntax/parameter-properties.ts';
import { mayRelease } from './terms.ts';

/** Whether `new UnitOfWork(client)` keeps the handle: `notes.keepers` has how. */
export function isKeptBy(tour: Tour, node: TSESTree.NewExpression, state: State): boolean {
  const at = node.arguments.findIndex((it) => isHandle(tour, state, it));
  const made = valueOf(tour.file, node.callee);
  // no veto: only a class that is given one keeps one.
  if (at === -1 || made.kind !== 'class') return false;
  // veto: the connection is passed to an object whose base class may release it
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
    const constructor = constructorOf(node);
    const kept = constructor && fieldGiven(file, constructor, at);
    // no veto: what is not kept is given to somebody else.
    return kept && keeperOfField(file, node, { ...kept, handle });
  },
  {
    whileCyclic: undefined,
    keyOf: ({ at, handle }) => `${at} ${handle.library.name}.${handle.typeName}`,
  },
);

interface Kept {
  readonly field: string;
  readonly handle: LibraryValue;
  /** What else names the connection in the constructor. */
  readonly names: readonly Node[];
}

/** What the members of a class do with the connection in one of its fields; undefined where one may hand it out. */
export function keeperOfField(file: FileFacts, node: ClassNode, kept: Kept): Keeper | undefined {
  const members = bodyOf(node.body);
  const methods = new Map<string, Node>();
  for (const it of members) {
    const name = isMethod(it) ? nameOf(it) : undefined;
    if (name !== undefined) methods.set(name, (it as TSESTree.MethodDefinition).value);
  }
  const views = members.flatMap((member) => {
    if (isMethod(member)) return [];
    const own = ownUses(member, kept.field).filter((it) => !isTarget(it));
    const places = isConstructor(member) ? [...own, ...kept.names] : own;
    return places.map((it) => viewAt(file, it, { member, kept }));
  });
  // veto: a getter, a field or the constructor of the class passes the connection to other code
  if (views.some((it) => it.what === 'unresolved')) return undefined;
  const releases = withCallers(methods, (it) => mayGiveBack(file, it, kept));
  // veto: no method of the class releases the connection, so other code may do so
  if (releases.size === 0) return undefined;
  const named = (what: View['what']) => views.flatMap((it) => (it.what === what ? it.name : []));
  const fields = new Set([kept.field, ...named('itself')]);
  const parts = new Set(named('part'));
  const isData = (name: string) => !fields.has(name) && !parts.has(name);
  return {
    fields,
    parts,
    releases,
    uses: new Set([...methods.keys()].filter((it) => !releases.has(it))),
    begins: withCallers(methods, (it) => begins(it, kept)),
    data: new Map(constantsIn(members).flatMap((it) => (isData(it) ? [[it, undefined]] : []))),
  };
}

/** Fields that no method changes: `constructor(…, readonly acquired: boolean)`. */
function constantsIn(members: readonly TSESTree.ClassElement[]): readonly string[] {
  const fields = members.flatMap((it) => {
    if (it.type === 'PropertyDefinition' && !isMethod(it)) return nameOf(it) ?? [];
    return isConstructor(it) ? it.value.params.flatMap((one) => namePropertyOf(one) ?? []) : [];
  });
  return fields.filter((name) =>
    members.every((it) => isConstructor(it) || !ownUses(it, name).some(isTarget)),
  );
}

function namePropertyOf(parameter: TSESTree.Parameter): string | undefined {
  if (parameter.type !== 'TSParameterProperty') return undefined;
  const name = undefaulted(parameter.parameter);
  return name.type === 'Identifier' ? name.name : undefined;
}

/** The methods that do something, and those that call one of them: `commit()` that calls `this.finish()`. */
function withCallers(
  methods: ReadonlyMap<string, Node>,
  does: (method: Node) => boolean,
): ReadonlySet<string> {
  const names = new Set([...methods].flatMap(([name, method]) => (does(method) ? name : [])));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const [name, method] of methods) if (callsOwn(method, names)) names.add(name);
  }
  return names;
}

/** `commit() { … }`, `commit = async () => { … }`. */
function isMethod(
  member: TSESTree.ClassElement,
): member is TSESTree.MethodDefinition | TSESTree.PropertyDefinition {
  if (member.type === 'MethodDefinition') return member.kind === 'method' && !member.static;
  return member.type === 'PropertyDefinition' && !member.static && isFunction(member.value);
}

export function isConstructor(member: TSESTree.ClassElement): member is TSESTree.MethodDefinition {
  return member.type === 'MethodDefinition' && member.kind === 'constructor';
}

function nameOf(member: TSESTree.ClassElement): string | undefined {
  return member.type === 'MethodDefinition' || member.type === 'PropertyDefinition'
    ? propertyName(member)
    : undefined;
}

function constructorOf(node: ClassNode): FunctionNode | undefined {
  return bodyOf(node.body).find(isConstructor)?.value as FunctionNode | undefined;
}

function ownUses(node: Node, field: string): readonly Node[] {
  const uses: Node[] = [];
  walk(node, (it) => {
    if (isOwn(it) && propertyName(it) === field) uses.push(it);
  });
  return uses;
}

function isTarget(place: Node): boolean {
  return place.parent?.type === 'AssignmentExpression' && place.parent.left === place;
}

/** What a member other than a method has of the connection, under the name of a getter or a field. */
interface View {
  readonly what: 'itself' | 'part' | 'data' | 'unresolved';
  readonly name: string | readonly [];
}

/** `get manager() { return this.runner.manager; }`, `readonly manager = this.runner.manager`, `this.manager = …` of a constructor. */
function viewAt(
  file: FileFacts,
  place: Node,
  { member, kept }: { readonly member: TSESTree.ClassElement; readonly kept: Kept },
): View {
  const value = valueAround(place);
  const name = nameGiven(value, member);
  const isItself = value === wrapped(place);
  // veto: the class passes the connection to code that may release it
  if (isItself ? name === undefined : !isWork(file, place, kept.handle)) return UNRESOLVED;
  const isObject = /^(?:library|instance)$/.test(valueOf(file, value).kind);
  return { what: isItself ? 'itself' : isObject ? 'part' : 'data', name: name ?? [] };
}

const UNRESOLVED: View = { what: 'unresolved', name: [] };

/** The member that has this value. */
function nameGiven(value: Node, member: TSESTree.ClassElement): string | undefined {
  const { parent } = value;
  if (parent?.type === 'AssignmentExpression') {
    return parent.right === value && isOwn(parent.left) ? propertyName(parent.left) : undefined;
  }
  const isValue = parent === member || (parent?.type === 'ReturnStatement' && isGetter(member));
  return isValue ? nameOf(member) : undefined;
}

function isGetter(member: TSESTree.ClassElement): boolean {
  return member.type === 'MethodDefinition' && member.kind === 'get';
}

/** The whole expression: `this.runner.manager.getRepository(Order)` around `this.runner`. */
function valueAround(place: Node): Node {
  let it = wrapped(place);
  for (;;) {
    const parent: Node | undefined = it.parent;
    const isChained =
      (parent?.type === 'MemberExpression' && parent.object === it) ||
      (parent?.type === 'CallExpression' && parent.callee === it);
    if (!isChained) return it;
    it = wrapped(parent);
  }
}

/** `constructor(private readonly client: PoolClient)`, or `this.client = client` in it. */
function fieldGiven(
  file: FileFacts,
  constructor: FunctionNode,
  at: number,
): Omit<Kept, 'handle'> | undefined {
  const parameter = constructor.params[at];
  if (!parameter) return undefined;
  const isProperty = parameter.type === 'TSParameterProperty';
  const name = undefaulted(patternOf(parameter));
  if (name.type !== 'Identifier') return undefined;
  const uses = (file.variableOf(name)?.references ?? []).map((it) => it.identifier as Node);
  if (isProperty) return { field: name.name, names: uses };
  for (const use of uses) {
    const { parent } = use;
    const isKept = parent?.type === 'AssignmentExpression' && parent.right === use;
    const field = isKept && isOwn(parent.left) ? propertyName(parent.left) : undefined;
    if (field !== undefined) return { field, names: uses.filter((it) => it !== use) };
  }
  return undefined;
}

function isOwn(node: Node): node is TSESTree.MemberExpression {
  return node.type === 'MemberExpression' && node.object.type === 'ThisExpression';
}

/** Anything but a call of a method that does not release: `this.client.release()`, `finish(this.client)`, `return this.client`. */
function mayGiveBack(file: FileFacts, method: Node, { field, handle }: Kept): boolean {
  let gives = ownUses(method, field).some((it) => !isWork(file, it, handle));
  walk(method, (it) => {
    if (it.type !== 'ObjectPattern' || it.parent.type !== 'VariableDeclarator') return;
    gives ||= it.parent.init?.type === 'ThisExpression';
  });
  return gives;
}

export function isWork(file: FileFacts, field: Node, handle: LibraryValue): boolean {
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

/** `this.runner.startTransaction()`: what is made lazily acquires its connection there. */
function begins(method: Node, { field, handle }: Kept): boolean {
  return ownUses(method, field).some((it) => {
    const { parent } = wrapped(it);
    const name = parent?.type === 'MemberExpression' ? propertyName(parent) : undefined;
    const { members = {} } = handle.type;
    return name !== undefined && Object.hasOwn(members, name) && !!members[name]!.begins;
  });
}

function callsOwn(method: Node, names: ReadonlySet<string>): boolean {
  let calls = false;
  walk(method, (it) => {
    if (isOwn(it) && names.has(propertyName(it) ?? '')) calls = true;
  });
  return calls;
}

/** A key for caches that depend on what an object does with its connection. */
export function keyOfKeeper(keeper: Keeper | undefined): string {
  if (!keeper) return '';
  const { fields, parts, releases, uses, begins, data } = keeper;
  return ` ${[fields, parts, releases, uses, begins, data].map((it) => [...it].sort().join()).join(';')}`;
}
