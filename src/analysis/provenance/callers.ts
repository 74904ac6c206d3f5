import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  classAround,
  type ClassNode,
  type FunctionNode,
  isConstructor,
  isNamed,
  type Node,
  targetsIn,
} from '../syntax/ast.ts';
import { isExportTarget } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import { callsOfFolder } from './loaded-members.ts';
import { constructorOf, superCallIn } from '../syntax/constructors.ts';
import { startsAt } from '../syntax/places.ts';
import { groupedBy } from '../syntax/grouped.ts';

type Owner = FunctionNode | ClassNode;

/** A call of a function, or what makes an instance of a class. */
export interface Caller {
  readonly file: FileFacts;
  readonly call: TSESTree.CallExpression | TSESTree.NewExpression;
}

/**
 * All calls of a function that its file exports (`require('./berths')(pool)`), or of a class by its constructor, and of its
 * subclasses without one of their own. Undefined where it is not exported, where other code receives it as a value and may also
 * call it, and where a file is unresolved.
 */
export const callersOf = query(
  'callers',
  (file: FileFacts, fn: FunctionNode): readonly Caller[] | undefined => {
    const owner = isConstructor(fn) ? classAround(fn)?.node : fn;
    const own = owner && ownUses(file, owner);
    if (!own?.isExported) return undefined;
    const others = usesElsewhere(file, owner!);
    const inherited = others && callersOfSubclasses([...own.subclasses, ...others.subclasses]);
    return inherited && [...own.calls, ...others.calls, ...inherited, ...callsOfFolder(file, fn)];
  },
  { whileCyclic: undefined, tooDeep: () => undefined },
);

/** What is done with a function or a class. */
interface Uses {
  readonly calls: readonly Caller[];
  /** Those without a constructor of their own: what makes one makes what it inherits from. */
  readonly subclasses: readonly Subclass[];
}

interface Subclass {
  readonly file: FileFacts;
  readonly node: ClassNode;
}

/** What all files that may load its own do with it; undefined where one hands it to somebody. */
function usesElsewhere(file: FileFacts, owner: Owner): Uses | undefined {
  const found = loadersOf(file)?.map((it) => usesIn(it, file, owner));
  if (!found?.every((it) => it !== undefined)) return undefined;
  return {
    calls: found.flatMap((it) => it.calls),
    subclasses: found.flatMap((it) => it.subclasses),
  };
}

/** Undefined where one is not told. */
function callersOfSubclasses(subclasses: readonly Subclass[]): readonly Caller[] | undefined {
  const found = subclasses.map((it) => callersOfClass(it.file, it.node));
  return found.every((it) => it !== undefined) ? found.flat() : undefined;
}

const callersOfClass = query(
  'callers of a class',
  (file: FileFacts, node: ClassNode): readonly Caller[] | undefined => {
    const own = ownUses(file, node);
    const others = own?.isExported === false ? NO_USES : usesElsewhere(file, node);
    const inherited =
      own && others && callersOfSubclasses([...own.subclasses, ...others.subclasses]);
    return inherited && [...own!.calls, ...others!.calls, ...inherited];
  },
  { whileCyclic: undefined, tooDeep: () => undefined },
);

const NO_USES: Uses = { calls: [], subclasses: [] };

/** What its own file does with it; undefined where that hands it to somebody. */
function ownUses(
  file: FileFacts,
  owner: Owner,
): (Uses & { readonly isExported: boolean }) | undefined {
  const calls: Caller[] = [];
  const subclasses: Subclass[] = [];
  let isExported = isDeclaredExport(owner);
  for (const place of placesOf(file, owner)) {
    const { parent } = place;
    const call = callAt(parent, place);
    const subclass = subclassAt(parent, place);
    if (call) calls.push({ file, call });
    else if (subclass) subclasses.push({ file, node: subclass });
    else if (isExportOf(place)) isExported = true;
    else if (!isOnlyAsked(place)) return undefined;
  }
  return { isExported, calls, subclasses };
}

/** `export function`, `export class`, `export const make = …` */
function isDeclaredExport({ parent }: Owner): boolean {
  const declaration = parent.type === 'VariableDeclarator' ? parent.parent.parent : parent;
  return declaration.type.startsWith('Export');
}

/** Where its file names it, and where it stands itself as an expression. */
function placesOf(file: FileFacts, owner: Owner): readonly Node[] {
  const { id, parent } = owner;
  const declarator = parent.type === 'VariableDeclarator' ? parent : undefined;
  const names = [id, declarator?.id].flatMap((it) => (it?.type === 'Identifier' ? [it] : []));
  const isItself = !declarator && !owner.type.endsWith('Declaration');
  return names.reduce<Node[]>(
    (places, name) => {
      const declared = namesByDeclaration(file, file.ast, name.name);
      const same = [owner, declarator].flatMap((it) => (it && declared.get(it)) ?? []);
      return [...places, ...same.map((it) => it.place).filter((it) => it !== name)];
    },
    isItself ? [owner] : [],
  );
}

/** All that are spelled so, by what declares what they mean. */
const namesByDeclaration = query(
  'places of a name',
  (file: FileFacts, _: TSESTree.Program, name: string) => {
    const all = file.nodes.named(name).flatMap((place) => {
      const defs = file.variableOf(place)?.defs ?? [];
      return [...new Set(defs.map((it): Node => it.node))].map((node) => ({ place, node }));
    });
    return groupedBy(all, (it) => it.node);
  },
  { whileCyclic: new Map<Node, { place: TSESTree.Identifier; node: Node }[]>() },
);

type CallNode = TSESTree.CallExpression | TSESTree.NewExpression;

/** The call of what stands at a place, or that by which a subclass makes the part of its parent: `super(pool)`. */
function callAt(around: Node | undefined, place: Node): CallNode | undefined {
  switch (around?.type) {
    case 'CallExpression':
    case 'NewExpression':
      return around.callee === place ? around : undefined;
    case 'ClassDeclaration':
    case 'ClassExpression': {
      const fn = around.superClass === place ? constructorOf(around) : undefined;
      return fn && superCallIn(fn);
    }
    default:
      return undefined;
  }
}

/** `class Ships extends Rows {}`, which leaves it to its parent how it is made. */
function subclassAt(around: Node | undefined, place: Node): ClassNode | undefined {
  const isClass = around?.type === 'ClassDeclaration' || around?.type === 'ClassExpression';
  return isClass && around.superClass === place && !constructorOf(around) ? around : undefined;
}

/** `module.exports = makeBerths`, `exports.makeBerths = makeBerths`, `export { makeBerths }`, `module.exports = { makeBerths }`. */
function isExportOf(place: Node): boolean {
  const { parent } = place;
  if (parent?.type === 'ExportSpecifier') return true;
  const isMember = parent?.type === 'Property' && parent.value === place;
  const whole = isMember ? parent.parent : place;
  const holder = whole.parent;
  if (holder?.type === 'ExportDefaultDeclaration') return true;
  return holder?.type === 'AssignmentExpression' && holder.right === whole
    ? isExportTarget(holder.left) && holder.parent.type === 'ExpressionStatement'
    : false;
}

/** A type, a test, what is set on it: none of them calls it. */
function isOnlyAsked(place: Node): boolean {
  const { parent } = place;
  switch (parent?.type) {
    case 'TSTypeReference':
    case 'TSTypeQuery':
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
    case 'ExportDefaultDeclaration':
      return true;
    case 'BinaryExpression':
      return parent.operator === 'instanceof';
    case 'MemberExpression':
      return parent.object === place;
    default:
      return false;
  }
}

/** The files of the package that may load this one, by its name; undefined where they are too many. */
export function loadersOf(file: FileFacts): readonly FileFacts[] | undefined {
  const { modules, path } = file;
  const [name, folder] = path.split(/[\\/]/).reverse();
  const stem = name!.replace(/\.[cm]?[jt]sx?$/, '');
  const found = new Set<FileFacts>();
  for (const it of stem === 'index' && folder ? [stem, folder] : [stem]) {
    const files = modules?.filesNaming?.('load', it, path);
    if (!files) return undefined;
    for (const loader of files) if (loader.path !== path) found.add(loader);
  }
  return [...found];
}

/** What a file that may load `target` does with what that exports. */
function usesIn(file: FileFacts, target: FileFacts, owner: Owner): Uses | undefined {
  const loaded = loadedFrom(file, file.ast, target.path);
  if (!loaded) return undefined;
  const calls: Caller[] = [];
  const subclasses: Subclass[] = [];
  const open = loaded.flatMap((it) => (it.type === 'Identifier' ? referencesOf(file, it) : [it]));
  for (const place of open) {
    const next = followed(file, place, target, owner);
    if (!next) return undefined;
    open.push(...next.names);
    if (next.call) calls.push({ file, call: next.call });
    if (next.subclass) subclasses.push({ file, node: next.subclass });
  }
  return { calls, subclasses };
}

/** The names and the calls by which a file loads the one at `path`; undefined where it hands on what that exports. */
const loadedFrom = query(
  'loaded from',
  (file: FileFacts, _: TSESTree.Program, path: string): readonly Node[] | undefined => {
    const isTarget = (source: unknown) =>
      typeof source === 'string' && file.modules?.leadsTo(source, file.path, path) === true;
    for (const it of file.nodes.all('ExportNamedDeclaration', 'ExportAllDeclaration')) {
      // veto: a file exports the function again, under a name that further files may load
      if (it.source && it.exportKind !== 'type' && isTarget(it.source.value)) return undefined;
    }
    const names = file.nodes
      .all('ImportDeclaration')
      .filter((it) => it.importKind !== 'type' && isTarget(it.source.value))
      .flatMap((it) => it.specifiers.map(({ local }) => local));
    const calls = [...file.nodes.all('ImportExpression'), ...file.nodes.called('require')];
    const loading = calls.filter((it) => {
      const source = it.type === 'ImportExpression' ? it.source : requiredBy(it);
      return source?.type === 'Literal' && isTarget(source.value);
    });
    return [...names, ...loading];
  },
  { whileCyclic: undefined },
);

function requiredBy({ callee, arguments: args }: TSESTree.CallExpression): Node | undefined {
  return isNamed(callee, 'require') && args.length === 1 ? args[0] : undefined;
}

interface Followed {
  /** Where it is found next. */
  readonly names: readonly Node[];
  readonly call?: CallNode;
  readonly subclass?: ClassNode;
}

const NOTHING: Followed = { names: [] };

/** What is done with an expression that may be what is looked for, or have it; undefined where it is handed to somebody. */
function followed(
  file: FileFacts,
  place: Node,
  target: FileFacts,
  owner: Owner,
): Followed | undefined {
  let it = place;
  while (it.parent && (bare(it.parent) === bare(place) || it.parent.type === 'AwaitExpression')) {
    it = it.parent;
  }
  const { parent } = it;
  if (parent?.type === 'MemberExpression' && parent.object === it) {
    return isIt(file, parent, target, owner) ? { names: [parent] } : NOTHING;
  }
  const isOwner = isIt(file, it, target, owner);
  const call = callAt(parent, it);
  if (call) return isOwner ? { names: [], call } : NOTHING;
  const subclass = subclassAt(parent, it);
  if (subclass) return isOwner ? { names: [], subclass } : NOTHING;
  if (parent?.type === 'VariableDeclarator' && parent.init === it) {
    const names = targetsIn(parent.id).filter(
      (name) => name === parent.id || isIt(file, name, target, owner),
    );
    return { names: names.flatMap((name) => referencesOf(file, name)) };
  }
  const isWhole = !isOwner && isAllOf(file, it, target);
  return (isOwner || isWhole) && !isOnlyAsked(it) ? undefined : NOTHING;
}

/** By its place: a host that has parsed a file itself has other nodes of it than the files that load it. */
function isIt(file: FileFacts, node: Node, target: FileFacts, owner: Owner): boolean {
  const value = valueOf(file, node);
  if (value.kind !== 'function' && value.kind !== 'class') return false;
  return value.file.path === target.path && startsAt(value.node) === startsAt(owner);
}

/** All that a file exports, or an object that it has written out. */
function isAllOf(file: FileFacts, node: Node, target: FileFacts): boolean {
  const value = valueOf(file, node);
  return (value.kind === 'namespace' || value.kind === 'object') && value.file.path === target.path;
}

function referencesOf(file: FileFacts, name: Node): readonly Node[] {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  return (variable?.references ?? []).flatMap((it) => (it.init ? [] : [it.identifier as Node]));
}
