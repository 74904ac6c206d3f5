import type { Place } from '../file/place.ts';
import { valueOf } from './value-of.ts';
import { valueQuery } from '../file/value-query.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  type ClassNode,
  type FunctionNode,
  isClass,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from './library-calls.ts';
import { receiverOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Equipment, Library } from '../model/schema.ts';
import { isAssign } from './held-members.ts';
import { declarationsOf } from './declaring-names.ts';
import {
  equipmentOf,
  equippedLike,
  join,
  type LibraryValue,
  UNKNOWN,
  type Value,
  withSelf,
} from '../file/value.ts';
import { groupedBy, groupsOf } from '../syntax/grouped.ts';
import { mutual } from './mutual.ts';

/** What a program has written on a schema or a model, as a member of the objects of a type. */
interface Addition {
  readonly typeName: string;
  readonly name: string;
  readonly file: FileFacts;
  readonly node: Node;
}

/** The member that the program has added to `value` under the name, in addition to the library's member, or in place of it. */
export function equippedMember(value: LibraryValue, name: string): Value | undefined {
  const place = equipmentOf(value);
  if (!place) return undefined;
  const { file, node } = place;
  if (isClass(node)) {
    const isStatic = value.type.construct !== undefined;
    return mutual.declaredMember({ kind: 'class', file, node }, name, { isStatic });
  }
  const own = additionsAt(place).byName.get(`${value.typeName} ${name}`) ?? [];
  return own.length > 0
    ? withSelf(join(own.map((it) => valueOf(it.file, it.node))), value)
    : undefined;
}

/** The model that another place makes under the name, with its schema: that of `mongoose.model('User')`. */
export function modelNamed(file: FileFacts, library: Library, name: string): Value {
  return modelOf(file, library, name);
}

const modelOf = valueQuery('model', (file, library: Library, name: string) => {
  const { modules } = file;
  const files = modules?.filesNaming ? modules.filesNaming('model', name, file.path) : [];
  // This file as its host has parsed it.
  const others = (files ?? []).filter((it) => it.path !== file.path);
  const made = [file, ...others].flatMap((it) => modelsMade(it, library, name));
  return files && made.length === 1 ? made[0]! : UNKNOWN;
});

const callsByTextGiven = groupsOf(
  'calls by the text that they are given',
  (file: FileFacts) => file.nodes.all('CallExpression'),
  ({ arguments: [first] }) =>
    first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined,
);

function modelsMade(file: FileFacts, library: Library, name: string): readonly Value[] {
  return (callsByTextGiven(file).get(name) ?? []).flatMap((it) => {
    const called = libraryCallOf(file, it);
    const at = called?.callee.library === library ? called.signature.equippedBy : undefined;
    return at !== undefined && it.arguments[at] ? [valueOf(file, it)] : [];
  });
}

/** The value of `this` in a function that is added to a schema or to a model. */
export function equippedSelf(file: FileFacts, fn: FunctionNode): Value | undefined {
  for (const node of writtenOn(file, fn)) {
    const equipping = valueOf(file, node);
    const place = equipping.kind === 'library' ? equipmentOf(equipping) : undefined;
    if (equipping.kind !== 'library' || place?.file !== file) continue;
    const [added] = additionsAt(place).byNode.get(fn) ?? [];
    if (!added) continue;
    if (added.typeName === equipping.typeName) return equipping;
    const { library } = equipping;
    return equippedLike(mutual.referredValue(library, added.typeName, undefined), equipping);
  }
  return undefined;
}

/** What a function may be a member for, by where it is written: the schema of `schema.statics.findByEmail = …`. */
function writtenOn(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition') return loadersOf(file, parent.parent.parent);
  const object = parent.type === 'Property' ? parent.parent : fn;
  const around = object.parent;
  if (around?.type === 'AssignmentExpression' && around.left.type === 'MemberExpression') {
    const { left } = around;
    return left.object.type === 'MemberExpression'
      ? [left.object, left.object.object]
      : [left.object];
  }
  if (around?.type === 'CallExpression') {
    const [first] = around.arguments;
    const given = first?.type === 'MemberExpression' ? [first, first.object] : first ? [first] : [];
    const callee = bare(around.callee);
    return callee.type === 'MemberExpression' ? [callee.object, ...given] : given;
  }
  const made = around?.type === 'Property' ? around.parent.parent : undefined;
  return made?.type === 'NewExpression' ? [made] : [];
}

/** `schema` of `schema.loadClass(UserClass)` */
function loadersOf(file: FileFacts, node: ClassNode): readonly Node[] {
  const { id, superClass } = node;
  // no veto: what it extends has its members.
  return !id || superClass ? [] : loadersNaming(file, node);
}

const loadersNaming = query(
  'loaders',
  (file: FileFacts, node: ClassNode): readonly Node[] =>
    file.nodes.named(node.id!.name).flatMap((it) => {
      const call = it.parent;
      const isGiven = call.type === 'CallExpression' && call.callee !== it;
      const loader = isGiven ? receiverOf(call) : undefined;
      const given = loader ? valueOf(file, it) : UNKNOWN;
      return loader && given.kind === 'class' && given.node === node ? [loader] : [];
    }),
  { whileCyclic: [] },
);

interface Additions {
  readonly byName: ReadonlyMap<string, readonly Addition[]>;
  readonly byNode: ReadonlyMap<Node, readonly Addition[]>;
}

const NO_ADDITIONS: Additions = { byName: new Map(), byNode: new Map() };

function additionsAt({ file, node }: Place): Additions {
  return additionsIn(file, node);
}

const additionsIn = query(
  'additions',
  (file: FileFacts, node: Node): Additions => {
    const all = additionsTo(file, node);
    const byName = groupedBy(all, (it) => `${it.typeName} ${it.name}`);
    return { byName, byNode: groupedBy(all, (it) => bare(it.node)) };
  },
  { whileCyclic: NO_ADDITIONS },
);

/** By all places that name what is made or declared at `at`. */
function additionsTo(file: FileFacts, at: Node): readonly Addition[] {
  const made = at.type === 'VariableDeclarator' ? at.init : at;
  const names = made ? declarationsOf(file, made) : [];
  const value = made && valueOf(file, names[0] ?? made);
  if (!made || value?.kind !== 'library') return [];
  const { library, type } = value;
  const uses = names
    .flatMap((it) => (it.type === 'Identifier' ? file.variableOf(it) : undefined) ?? [])
    .flatMap(({ references }) => references.map((it) => it.identifier as Node));
  return Object.entries(type.equips ?? {}).flatMap(([typeName, equipment]) => {
    const isStatic = library.types[typeName]?.construct !== undefined;
    const added = [
      ...inOptions(file, made, equipment),
      ...uses.flatMap((it) => writtenAt(file, it, equipment, { isStatic })),
    ];
    return added.map((it) => ({ typeName, ...it }));
  });
}

type Added = Omit<Addition, 'typeName'>;

/** `new Schema({ … }, { statics: { … } })` */
function inOptions(file: FileFacts, made: Node, { property }: Equipment): readonly Added[] {
  const [, options] = made.type === 'NewExpression' && property !== undefined ? made.arguments : [];
  return membersOf(file, options).flatMap((it) =>
    it.name === property ? membersOf(it.file, it.node) : [],
  );
}

/** What is written of it where the schema or the model is named. */
function writtenAt(
  file: FileFacts,
  name: Node,
  { property, method, loads }: Equipment,
  { isStatic }: { readonly isStatic: boolean },
): readonly Added[] {
  const { parent } = name;
  const member = parent?.type === 'MemberExpression' && parent.object === name ? parent : undefined;
  const called = member && propertyName(member);
  const call = called === undefined ? undefined : member?.parent;
  if (call?.type === 'CallExpression' && call.callee === member) {
    const [first, second] = call.arguments;
    if (called === loads) return loadedBy(file, first, { isStatic });
    if (called !== method) return [];
    if (first?.type !== 'Literal') return membersOf(file, first);
    return second ? [{ file, name: String(first.value), node: second }] : [];
  }
  const holder = property === undefined ? name : called === property ? member : undefined;
  return holder ? assignedTo(file, holder) : [];
}

/** The methods of the class that `schema.loadClass(UserClass)` is given. */
function loadedBy(
  file: FileFacts,
  given: Node | undefined,
  { isStatic }: { readonly isStatic: boolean },
): readonly Added[] {
  const loaded = given ? valueOf(file, given) : UNKNOWN;
  if (loaded.kind !== 'class') return [];
  return bodyOf(loaded.node.body).flatMap((it) => {
    const isOne = it.type === 'MethodDefinition' && it.kind === 'method' && it.static === isStatic;
    const name = isOne ? propertyName(it) : undefined;
    return isOne && name !== undefined ? [{ file: loaded.file, name, node: it.value }] : [];
  });
}

/** `holder.name = …`, `holder = { name: … }`, `Object.assign(holder, { name: … })` */
function assignedTo(file: FileFacts, holder: Node): readonly Added[] {
  const { parent } = holder;
  if (parent?.type === 'CallExpression') {
    const [target, ...sources] = parent.arguments;
    return isAssign(parent.callee) && target === holder
      ? sources.flatMap((it) => membersOf(file, it))
      : [];
  }
  if (parent?.type === 'AssignmentExpression') {
    return parent.left === holder ? membersOf(file, parent.right) : [];
  }
  const name =
    parent?.type === 'MemberExpression' && parent.object === holder && propertyName(parent);
  const assignment = parent?.parent;
  return typeof name === 'string' &&
    assignment?.type === 'AssignmentExpression' &&
    assignment.left === parent
    ? [{ file, name, node: assignment.right }]
    : [];
}

/** Of an object that is written out, here or where its name is declared. */
function membersOf(file: FileFacts, given: Node | undefined): readonly Added[] {
  const object = given ? valueOf(file, given) : UNKNOWN;
  if (object.kind !== 'object') return [];
  return object.node.properties.flatMap((it) => {
    const name = it.type === 'Property' ? propertyName(it) : undefined;
    return it.type === 'Property' && name !== undefined
      ? [{ file: object.file, name, node: it.value }]
      : [];
  });
}
