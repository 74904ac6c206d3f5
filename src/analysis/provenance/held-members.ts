// vetoes of no-sequential-independent-awaits, no-autocommit-in-loop, no-false-parallelism
import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { isGlobalObject } from './assignments.ts';
import { bare, isNamed, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { builtInNames } from '../model/globals.ts';
import { libraryOf } from '../model/index.ts';
import { handleMembers } from '../model/names.ts';
import type { Library, LibraryType } from '../model/schema.ts';
import {
  alternativesOf,
  declaredAt,
  type HolderValue,
  isKnown,
  isSame,
  join,
  type LibraryValue,
  UNKNOWN,
  type Value,
  NULLISH,
} from '../file/value.ts';
import { mutual } from './mutual.ts';

/** An object of a framework, or the global one, on which programs put what the rest of them works with. */
interface OpenObject {
  readonly library: Library | undefined;
  readonly typeName: string;
  /** It lives as long as the process: what is on it belongs to no request. */
  readonly isLasting: boolean;
  /** Interfaces by which programs say what it has. */
  readonly declaredIn: readonly string[];
}

const GLOBAL: OpenObject = {
  library: undefined,
  typeName: 'global',
  isLasting: true,
  declaredIn: ['global'],
};

/** The member that a program has added under `name` to an object of a framework. */
export function heldMember(
  file: FileFacts,
  { library, typeName, type }: HolderValue | LibraryValue,
  name: string,
): Value {
  const place = placeFor(library, typeName, type);
  return place ? heldValue(file, place, name) : UNKNOWN;
}

/** The member that a program has added under `name` to the global object, where `node` is used as pools and the like are. */
export function globalMember(file: FileFacts, node: Node, name: string): Value {
  // no veto: spares the look into all files of the package for what runs everywhere.
  if (builtInNames.has(name)) return UNKNOWN;
  return isUsedAsHandle(node) ? heldValue(file, GLOBAL, name) : UNKNOWN;
}

/** Whether a global name is used as a pool and its like are: `db.query(…)`, `prisma.user.findMany(…)`, `knex('users')`. */
export function isUsedAsHandle(node: Node): boolean {
  let it = outermost(node);
  if (it.parent?.type === 'CallExpression' && it.parent.callee === it) return true;
  for (let steps = 0; steps < 2; steps++) {
    const { parent } = it;
    // no veto: what is read off it.
    if (parent?.type !== 'MemberExpression' || parent.object !== it) return false;
    const name = propertyName(parent);
    if (name !== undefined && handleMembers.has(name)) return true;
    it = outermost(parent);
  }
  return false;
}

/** With the assertions around it: `prisma!`. */
function outermost(node: Node): Node {
  let it = node;
  while (it.parent && bare(it.parent) === bare(node)) it = it.parent;
  return it;
}

/** `app.get('db')` after `app.set('db', pool)`: undefined for a call that asks an object for nothing that was put on it. */
export function givenBack(
  file: FileFacts,
  { callee: whole, arguments: args }: TSESTree.CallExpression,
): Value | undefined {
  const callee = bare(whole);
  const [key] = args;
  if (callee.type !== 'MemberExpression' || args.length !== 1) return undefined;
  if (key?.type !== 'Literal' || typeof key.value !== 'string') return undefined;
  const method = propertyName(callee);
  if (method !== 'get') return undefined;
  const owner = valueOf(file, callee.object);
  if (!isHolder(owner)) return undefined;
  const typeName = owner.type.open?.gives?.[method];
  const type = typeName === undefined ? undefined : owner.library.types[typeName];
  const place = type && placeFor(owner.library, typeName!, type);
  return place && heldValue(file, place, key.value);
}

function placeFor(library: Library, typeName: string, type: LibraryType): OpenObject | undefined {
  const { open } = type;
  if (!open) return undefined;
  const { isLasting = false, declaredIn = [] } = open;
  return { library, typeName, isLasting, declaredIn };
}

function isHolder(value: Value): value is HolderValue | LibraryValue {
  return value.kind === 'holder' || value.kind === 'library';
}

function heldValue(file: FileFacts, place: OpenObject, name: string): Value {
  return heldAt(file, file.ast, place, name);
}

const heldAt = query(
  'held member',
  (file: FileFacts, _: TSESTree.Program, place: OpenObject, name: string): Value => {
    const { modules } = file;
    const files = modules?.filesNaming ? modules.filesNaming('put', name, file.path) : [file];
    // A name that everybody gives to something.
    if (!files) return UNKNOWN;
    const puts = files.flatMap((it) => putsIn(it, place, name));
    const declared = files.flatMap((it) => declaredOn(it, place, name));
    return decided(place, puts, declared);
  },
  {
    whileCyclic: NULLISH,
    tooDeep: () => UNKNOWN,
    keyOf: ({ library, typeName }, name) => `${library?.name}.${typeName} ${name}`,
  },
);

interface Put {
  readonly file: FileFacts;
  readonly node: Node;
  readonly value: Value;
  /** Whose object it is put on is not known, only that it is called as such objects are. */
  readonly isElsewhere?: boolean;
}

/** One thing for all who ask: undecided where two were put there, or what may be one request's own. */
function decided(place: OpenObject, all: readonly Put[], declared: readonly Put[]): Value {
  const set = all.filter(({ value }) => value.kind !== 'nullish');
  const puts = set.filter((it) => it.isElsewhere !== true);
  const [first] = declared.length > 0 ? declared : puts;
  if (!first) return UNKNOWN;
  const type = join(declared.map((it) => it.value));
  const made = join(puts.map((it) => it.value));
  const isTyped = declared.length > 0 && type.kind === 'library';
  // veto: code assigns a value of a type other than the declared one, such as a transaction
  if (isTyped && set.some(({ value }) => isKnown(value) && !isSame(value, type))) return UNKNOWN;
  const known = isKnown(made) && puts.length > 0 ? made : type;
  // veto: code elsewhere assigns a different value to a member of this name
  if (!isTyped && set.some(({ value }) => !isSame(value, known))) return UNKNOWN;
  const isSeen = known === made;
  if (alternativesOf(known).length !== 1 || !isKnown(known)) return UNKNOWN;
  if (known.kind !== 'library') return isSeen && puts.length === 1 ? known : UNKNOWN;
  if (!isForAll(known, place, isSeen)) return UNKNOWN;
  const { parameter: _, ...value } = known;
  return declaredAt(value, { file: first.file, node: first.node });
}

const OF_ONE = /^(?:connection|transaction|session|channel|lock|builder)$/;

/** Whether it is nothing that was taken for one request. */
function isForAll(value: LibraryValue, { isLasting }: OpenObject, isSeen: boolean): boolean {
  const { type, parameter, origin } = value;
  // veto: the value is a connection or a transaction, which belongs to one request
  if (OF_ONE.test(type.role ?? '')) return false;
  if (isLasting) return true;
  // veto: the declared type admits a transaction, and the assigned value is unresolved
  if (type.admitsTransaction && !(isSeen && origin)) return false;
  // veto: the value is a parameter of a function, which may receive it for one request
  if (parameter && type.role !== 'pool') return false;
  // veto: the value has no role in the library's model, so it may be a row of one request
  return type.role !== undefined;
}

/** What a file assigns to the name on such an object, or puts there by a method of it. */
function putsIn(file: FileFacts, place: OpenObject, name: string): Put[] {
  const puts: Put[] = [];
  const add = (object: Node, node: Node, isCall: string | undefined) => {
    const where = whereOf(file, object, place, isCall);
    if (where === 'other') return;
    puts.push({ file, node, value: valueOf(file, node), isElsewhere: where === 'unknown' });
  };
  for (const { left, right } of file.nodes.all('AssignmentExpression')) {
    if (left.type !== 'MemberExpression' || propertyName(left) !== name) continue;
    add(bare(left.object), right, undefined);
  }
  for (const { callee, arguments: args } of file.nodes.all('CallExpression')) {
    const [key, put] = args;
    if (isAssign(callee)) {
      // `Object.assign(req, { db })`
      for (const it of args.slice(1).flatMap((given) => propertiesNamed(given, name))) {
        add(bare(key!), it.value, undefined);
      }
      continue;
    }
    if (callee.type !== 'MemberExpression' || key?.type !== 'Literal' || key.value !== name) {
      continue;
    }
    const method = propertyName(callee);
    if (put && method !== undefined && PUTTING.test(method)) {
      add(bare(callee.object), put, method);
    }
  }
  return puts;
}

/** `Object.assign` */
export function isAssign(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    isNamed(callee.object, 'Object') &&
    propertyName(callee) === 'assign'
  );
}

function propertiesNamed(object: Node, name: string): readonly TSESTree.Property[] {
  return object.type === 'ObjectExpression'
    ? object.properties
        .filter((it) => it.type === 'Property')
        .filter((it) => propertyName(it) === name)
    : [];
}

const PUTTING = /^(?:set|decorate(?:Request|Reply)?)$/;
/** What programs call such objects. */
const CALLED = /^_?(?:req|request|ctx|context|app|server|fastify|instance)$/;

/** Whether an object that something is put on is that place. */
function whereOf(
  file: FileFacts,
  object: Node,
  { library, typeName }: OpenObject,
  method: string | undefined,
): 'here' | 'other' | 'unknown' {
  if (!library) return !method && isGlobalObject(file, object) ? 'here' : 'other';
  const owner = valueOf(file, object);
  if (isHolder(owner)) {
    const target = method === undefined ? owner.typeName : owner.type.open?.puts?.[method];
    return owner.library === library && target === typeName ? 'here' : 'other';
  }
  const isCalledSo = object.type === 'Identifier' && CALLED.test(object.name);
  return owner.kind === 'unknown' && isCalledSo && !method ? 'unknown' : 'other';
}

/** What a file declares that such an object has: `declare module 'fastify' { interface FastifyInstance { db: Pool } }`. */
function declaredOn(file: FileFacts, place: OpenObject, name: string): Put[] {
  return file.nodes.all('TSModuleDeclaration').flatMap((it) => {
    const { id, body } = it;
    if (id.type === 'Literal') {
      return libraryOf(String(id.value)) === place.library && place.library
        ? declaredInBlock(file, body, place, name, '')
        : [];
    }
    if (id.type !== 'Identifier') return [];
    if (id.name === 'global') return declaredInBlock(file, body, place, name, '');
    // A script's, outside of any other.
    return it.parent.type === 'Program'
      ? declaredInBlock(file, body, place, name, `${id.name}.`)
      : [];
  });
}

function declaredInBlock(
  file: FileFacts,
  block: TSESTree.TSModuleBlock | undefined,
  place: OpenObject,
  name: string,
  prefix: string,
): Put[] {
  return (block?.body ?? []).flatMap((whole) => {
    const it = whole.type === 'ExportNamedDeclaration' ? whole.declaration : whole;
    if (it?.type === 'TSModuleDeclaration') {
      return it.id.type === 'Identifier' && it.body
        ? declaredInBlock(file, it.body, place, name, `${prefix}${it.id.name}.`)
        : [];
    }
    if (it?.type === 'TSInterfaceDeclaration' && place.declaredIn.includes(prefix + it.id.name)) {
      return it.body.body.flatMap((member) =>
        member.type === 'TSPropertySignature' && propertyName(member) === name
          ? declaredAs(file, member, member.typeAnnotation)
          : [],
      );
    }
    if (it?.type !== 'VariableDeclaration' || place !== GLOBAL) return [];
    return it.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' && id.name === name ? declaredAs(file, id, id.typeAnnotation) : [],
    );
  });
}

function declaredAs(
  file: FileFacts,
  node: Node,
  annotation: TSESTree.TSTypeAnnotation | undefined,
): Put[] {
  return annotation
    ? [{ file, node, value: mutual.typeValue(file, annotation.typeAnnotation) }]
    : [];
}
