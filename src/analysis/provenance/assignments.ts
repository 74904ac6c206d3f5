import { valueOf } from './value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

/** The assignments of a file to the properties of one object, by name. */
export type Properties = ReadonlyMap<string, readonly TSESTree.Expression[]>;

/**
 * The assignments to properties in a file. The object is named by what declares it: the identifier of a variable, the
 * class, function or object literal whose `this` it is, and the program for `module.exports`.
 */
export interface Assignments {
  /** Assigned to the object itself. */
  to(declaration: Node): Properties;
  /** Assigned to the class or function as such: `static x`, `Db.prototype.connect` under `prototype.connect`. */
  toStatic(declaration: Node): Properties;
  /** Assigned to properties of the object whose names are only resolved at run time: `db[model.name] = model`. */
  toAny(declaration: Node): readonly TSESTree.Expression[];
  /** Assigned to the global object. */
  readonly global: Properties;
}

const NONE: Properties = new Map();

export function assignmentsOf(file: FileFacts): Assignments {
  const { own, statics, any, global } = collectedIn(file);
  return {
    to: (node) => own.get(node) ?? NONE,
    toStatic: (node) => statics.get(node) ?? NONE,
    toAny: (node) => any.get(node) ?? [],
    global,
  };
}

/** By what is assigned to. */
interface Collected {
  readonly own: ReadonlyMap<Node, Properties>;
  readonly statics: ReadonlyMap<Node, Properties>;
  readonly any: ReadonlyMap<Node, readonly TSESTree.Expression[]>;
  readonly global: Properties;
}

const NOTHING: Collected = {
  own: new Map(),
  statics: new Map(),
  any: new Map(),
  global: NONE,
};

const collectedIn = queryOfFile('assignments', (file: FileFacts): Collected => collected(file), {
  whileCyclic: NOTHING,
});

type Found = Map<string, TSESTree.Expression[]>;

function collected(file: FileFacts): Collected {
  const own = new Map<Node, Found>();
  const statics = new Map<Node, Found>();
  const any = new Map<Node, TSESTree.Expression[]>();
  const global: Found = new Map();
  const add = (found: Found, name: string, value: TSESTree.Expression): void => {
    const known = found.get(name);
    if (known) known.push(value);
    else found.set(name, [value]);
  };
  for (const { left, right } of file.nodes.all('AssignmentExpression')) {
    if (left.type !== 'MemberExpression') continue;
    const name = propertyName(left);
    const object = bare(left.object);
    if (name !== undefined && isGlobalObject(file, object)) {
      add(global, name, right);
      continue;
    }
    const place = placeOf(file, object);
    if (!place) continue;
    if (name === undefined) {
      const known = any.get(place.node);
      if (known) known.push(right);
      else any.set(place.node, [right]);
      continue;
    }
    const target = place.isStatic ? statics : own;
    let found = target.get(place.node);
    if (!found) target.set(place.node, (found = new Map()));
    add(found, place.prefix + name, right);
  }
  return { own, statics, any, global };
}

interface AssignmentTarget {
  readonly node: Node;
  readonly prefix: string;
  readonly isStatic?: boolean;
}

function placeOf(file: FileFacts, object: Node): AssignmentTarget | undefined {
  if (object.type === 'Identifier') {
    const declared = file.variableOf(object)?.defs[0]?.name;
    if (declared) return { node: declared as Node, prefix: '' };
    return object.name === 'exports' ? { node: file.ast, prefix: '' } : undefined;
  }
  if (object.type === 'ThisExpression') {
    const self = valueOf(file, object);
    if (self.kind === 'class') return { node: self.node, prefix: '', isStatic: true };
    return self.kind === 'instance' || self.kind === 'constructed' || self.kind === 'object'
      ? { node: self.node, prefix: '' }
      : undefined;
  }
  if (object.type !== 'MemberExpression' || object.object.type !== 'Identifier') return undefined;
  const name = propertyName(object);
  const declared = file.variableOf(object.object)?.defs[0]?.name;
  if (name === 'prototype' && declared) return { node: declared as Node, prefix: 'prototype.' };
  return name === 'exports' && !declared && object.object.name === 'module'
    ? { node: file.ast, prefix: '' }
    : undefined;
}

const GLOBAL_NAMES = new Set(['globalThis', 'global']);

/** The global object, also through a constant: `const globalForPrisma = globalThis as …`. */
export function isGlobalObject(file: FileFacts, node: Node): boolean {
  if (node.type !== 'Identifier') return false;
  const variable = file.variableOf(node);
  if (!variable) return GLOBAL_NAMES.has(node.name);
  const [definition] = variable.defs;
  if (definition?.type !== 'Variable' || !definition.node.init) return false;
  const init = bare(definition.node.init);
  return init.type === 'Identifier' && GLOBAL_NAMES.has(init.name) && !file.variableOf(init);
}
