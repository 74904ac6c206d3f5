import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Definition } from '../syntax/scopes.ts';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  isNamed,
  isNullish,
  type Node,
  propertyName,
  undefaulted,
} from '../syntax/ast.ts';
import { formsOfMember } from '../provenance/abstract-members.ts';
import { type Call, calleeOf, passedBy, receiverOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { isAfterFailure } from '../syntax/conditions.ts';
import { isCopied } from './held-builders.ts';
import { variableKey } from '../syntax/bindings.ts';
import { mappingOf } from '../syntax/elements.ts';
import type { LibraryValue } from '../file/value.ts';
import { wholesOf } from './wholes.ts';

/**
 * A place in memory that outlives a call: a field of `this`, a variable declared outside, an argument's object.
 * Equal strings are the same place. Paths end at the first field: `this.cache.users` is `this.cache`;
 * those that are passed on start at a variable of the caller and go further: `body.filters`.
 */
export type Location = string;

export function variableLocation(file: FileFacts, variable: Variable): Location {
  return `${file.path}#${variableKey(variable)}`;
}

/** The changes of `node` itself that outlive a run of `scope`; undefined where it changes nothing, or only locals. */
export function writtenLocation(file: FileFacts, node: Node, scope: Node): Location | undefined {
  const target = writtenTarget(node);
  if (!target || isLazyInitialisation(file, node) || isFollowed(file, node, target))
    return undefined;
  // no veto: whoever comes next begins again, as the first did.
  if (isForgottenAgain(file, node)) return undefined;
  // no veto: who asks later begins with another of them, and gets the same answer.
  if (isNoteOfFailure(file, node)) return undefined;
  const location = locationOf(file, target, scope);
  if (location) return location;
  // `list.push(x)` changes the caller's list, `list = []` only the name.
  const object = changedObject(node, target);
  for (const whole of object ? wholesOf(file, object) : []) {
    // veto: the write sets a property of a global object, which all code shares anyway
    if (whole.type === 'Identifier' && !file.variableOf(whole)) continue;
    const found = locationOf(file, whole, scope) ?? parameterOf(file, whole, scope);
    if (found) return found;
  }
  return undefined;
}

/** The object that a write changes: `row` of `row.total = 1`, `rows` of `rows.push(row)`; undefined where it sets a name, or a field of `this`. */
export function changedObject(node: Node, target: Node): Node | undefined {
  if (node.type === 'CallExpression') return target;
  const it = bare(target);
  const object = it.type === 'MemberExpression' ? it.object : undefined;
  return object?.type === 'ThisExpression' ? undefined : object;
}

/** What `repository.delete(id)` changes is no memory, and a method of the project says itself what it changes. */
function isFollowed(file: FileFacts, node: Node, target: Node): boolean {
  if (isOfLibrary(file, node, target)) return true;
  if (node.type !== 'CallExpression') return false;
  const callee = valueOf(file, node.callee);
  // no veto: what the method changes is found where it is called.
  if (callee.kind === 'function') return true;
  // `await log.add(row)` of an interface: the same, in each class that has the method.
  return (
    callee.kind === 'declared' &&
    callee.member !== undefined &&
    formsOfMember(callee.member) !== undefined
  );
}

/** A step of a library's that only has the name of one of a list: `repository.delete(id)`, `books.find(of).sort(by)`. */
export function isOfLibrary(file: FileFacts, node: Node, target: Node): boolean {
  // no veto: what `Object.assign` changes is its argument, whatever its own name leads to.
  if (node.type !== 'CallExpression' || node.arguments[0] === target) return false;
  return valueOf(file, target).kind === 'library';
}

function parameterOf(file: FileFacts, object: Node, scope: Node): Location | undefined {
  const definition = object.type === 'Identifier' ? file.variableOf(object)?.defs[0] : undefined;
  // no veto: what other functions are given has another name here.
  if (definition?.type !== 'Parameter' || definition.node !== scope) return undefined;
  const index = parameterIndex(scope as FunctionNode, definition.name);
  return index === -1 ? undefined : `parameter ${index}`;
}

/** The place that `target` names, as seen from inside `scope`; undefined for locals of `scope` and unknown objects. */
export function locationOf(file: FileFacts, target: Node, scope: Node): Location | undefined {
  let it = bare(target);
  let field: string | undefined;
  while (it.type === 'MemberExpression' || it.type === 'CallExpression') {
    if (it.type === 'MemberExpression') field = propertyName(it) ?? '*';
    it = bare(it.type === 'MemberExpression' ? it.object : it.callee);
  }
  if (it.type === 'ThisExpression') {
    const self = valueOf(file, it);
    // A document, which its caller knows by a name of his own.
    if (self.kind === 'library' && self.equippedAt)
      return partOf('parameter this', field === undefined || field === '*' ? [] : [field]);
    const isKnown = self.kind === 'instance' || self.kind === 'class' || self.kind === 'object';
    const whole = isKnown ? `${self.file.path}:${self.file.idOf(self.node)}` : `${file.path}:this`;
    // By itself, or by a computed name, it is all of its fields.
    return field === undefined || field === '*' ? whole : `${whole}.${field}`;
  }
  if (it.type !== 'Identifier') return undefined;
  const variable = file.variableOf(it);
  const definition = variable?.defs[0];
  if (!variable || !definition) return field === undefined ? `global ${it.name}` : undefined;
  if (definition.type === 'Parameter' && definition.node === scope) {
    if (field === undefined) return undefined;
    const index = parameterIndex(scope as FunctionNode, definition.name);
    return index === -1 ? undefined : `parameter ${index}`;
  }
  return contains(scope, definition.name) ? undefined : variableLocation(file, variable);
}

function parameterIndex(fn: FunctionNode, name: Node): number {
  return fn.params.findIndex((it) => contains(it, name));
}

/** The location that a callee calls `parameter i` or `parameter this`, or a part of that, in the words of its caller. */
export function callerLocation(
  file: FileFacts,
  location: Location,
  { call, fn, scope }: { readonly call: Call; readonly fn: FunctionNode; readonly scope: Node },
): Location | undefined {
  // no veto: a place that every caller knows by the same name.
  if (!location.startsWith('parameter ')) return location;
  const [parameter, ...path] = location.split('.');
  const at = parameter!.slice('parameter '.length);
  const argument = at === 'this' ? receiverOf(call) : passedBy(call, fn)[Number(at)];
  return argument && partGiven(file, argument, path, scope);
}

function partGiven(
  file: FileFacts,
  argument: Node,
  path: readonly string[],
  scope: Node,
): Location | undefined {
  let it = bare(argument);
  let fields = path;
  while (it.type === 'MemberExpression') {
    const field = propertyName(it);
    // A field that is computed may be any.
    fields = field === undefined ? [] : [field, ...fields];
    it = bare(it.object);
  }
  const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
  const isOwn = variable?.defs.some((definition) => contains(scope, definition.name));
  // The part of an object of its own that is passed on: its fields are no longer only its own to change.
  return variable && isOwn
    ? placeIn(file, variable, fields, scope)
    : (locationOf(file, argument, scope) ?? (variable && variableLocation(file, variable)));
}

/** Fields of a variable of `scope`, where its callers know it by another name: `parameter 0`, `parameter 0.filters` of a pattern. */
function placeIn(
  file: FileFacts,
  variable: Variable,
  fields: readonly string[],
  scope: Node,
): Location {
  const [definition] = variable.defs;
  const own = partOf(variableLocation(file, variable), fields);
  if (definition?.type !== 'Parameter' || definition.node !== scope) return own;
  const index = parameterIndex(scope as FunctionNode, definition.name);
  if (index === -1) return own;
  const whole = `parameter ${index}`;
  const pattern = undefaulted((scope as FunctionNode).params[index]!);
  if (pattern === definition.name) return partOf(whole, fields);
  const property =
    pattern.type === 'ObjectPattern' &&
    pattern.properties.find(
      (it) => it.type === 'Property' && undefaulted(it.value) === definition.name,
    );
  const field = property && property.type === 'Property' ? propertyName(property) : undefined;
  // Deeper in the pattern, or the rest of it: any part.
  return field === undefined ? whole : partOf(whole, [field, ...fields]);
}

/** Path segments: docs/internals/rules.md, "Effects". */
const LONGEST_PATH = 5;

function partOf(root: Location, fields: readonly string[]): Location {
  return [root, ...fields.slice(0, LONGEST_PATH)].join('.');
}

/** The part of a variable's object that code names, as seen from inside `scope`: of `body.filters.push(x)`, `body.filters`. */
export function namedPart(
  file: FileFacts,
  name: TSESTree.Identifier,
  variable: Variable,
  scope: Node,
): Location {
  const fields: string[] = [];
  let it: Node = name;
  for (;;) {
    const parent: Node | undefined = it.parent;
    const field =
      parent?.type === 'MemberExpression' && parent.object === it
        ? propertyName(parent)
        : undefined;
    const isCalled = parent?.parent?.type === 'CallExpression' && parent.parent.callee === parent;
    if (!parent || field === undefined || isCalled) break;
    fields.push(field);
    it = parent;
  }
  return placeIn(file, variable, fields, scope);
}

/** The place of an object that this expression names in `scope`. */
export function placeOf(file: FileFacts, object: Node, scope: Node): Location | undefined {
  return partGiven(file, object, [], scope);
}

/** Whether a change of `a` is a change of `b`: they are the same, or one is part of the second. */
export function areOneAnother(a: Location, b: Location): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

export function isWithin(part: Location, whole: Location): boolean {
  return part === whole || part.startsWith(`${whole}.`);
}

const MUTATORS =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|append|assign|write|emit|next|enqueue|dequeue)$/;

/** The changes of `node` itself: assignments, `delete`, `++`, mutating methods. Callees are the caller's business. */
export function writtenTarget(node: Node): Node | undefined {
  switch (node.type) {
    case 'AssignmentExpression':
      return node.left;
    case 'UpdateExpression':
      return node.argument;
    case 'UnaryExpression':
      return node.operator === 'delete' ? node.argument : undefined;
    case 'CallExpression': {
      const callee = bare(node.callee);
      if (callee.type !== 'MemberExpression') return undefined;
      if (isNamed(callee.object, 'Object') && propertyName(callee) === 'assign') {
        return node.arguments[0];
      }
      return MUTATORS.test(propertyName(callee) ?? '') ? callee.object : undefined;
    }
    default:
      return undefined;
  }
}

/** `if (!this.pool) this.pool = createPool()`, `pool || (pool = …)` and `this.pool ??= …`: whoever comes first, all see the same. */
function isLazyInitialisation(file: FileFacts, node: Node): boolean {
  if (node.type !== 'AssignmentExpression') return false;
  if (node.operator === '??=' || node.operator === '||=') return true;
  const target = file.textOf(node.left);
  const { parent } = node;
  if (parent.type === 'LogicalExpression' && parent.operator !== '&&' && parent.right === node)
    return file.textOf(parent.left) === target;
  for (let it: Node | undefined = node.parent; it && !isFunction(it); it = it.parent) {
    if (it.type === 'IfStatement' && file.textOf(it.test).includes(target)) return true;
  }
  return false;
}

/** `connecting ??= connect().catch((error) => { connecting = undefined; throw error; })` */
function isForgottenAgain(file: FileFacts, node: Node): boolean {
  // no veto: the kind of the node.
  if (node.type !== 'AssignmentExpression') return false;
  if (!isNullish(node.right)) return false;
  const target = file.textOf(node.left);
  for (let it: Node | undefined = node.parent; it; it = it.parent) {
    if (it.type === 'AssignmentExpression' && file.textOf(it.left) === target)
      return isLazyInitialisation(file, it);
  }
  return false;
}

/** `isUp.set(url, false)` after one of several has failed that are tried one after the other, or all at once. */
function isNoteOfFailure(file: FileFacts, node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const [key, value, ...others] = node.arguments;
  const method = propertyName(node.callee);
  const isNote =
    (method === 'add' && value === undefined) ||
    (method === 'set' && value?.type === 'Literal' && others.length === 0);
  if (!isNote || key?.type !== 'Identifier' || !isAfterFailure(node)) return false;
  const definition = file.variableOf(key)?.defs[0];
  return definition !== undefined && isElement(definition);
}

/** Of `for (const url of urls)` or `urls.map((url) => …)`. */
function isElement({ type, node }: Definition): boolean {
  if (type === 'Variable') return node.parent?.parent?.type === 'ForOfStatement';
  const call = node.parent;
  return call?.type === 'CallExpression' && mappingOf(call)?.fn === node;
}

/** Builders collect calls on them: two chains on one variable are two changes of it. */
export function builderLocation(
  file: FileFacts,
  call: Call,
  receiver: LibraryValue | undefined,
): Location | undefined {
  const callee = bare(calleeOf(call));
  if (receiver?.type.role !== 'builder' || callee.type !== 'MemberExpression') return undefined;
  const object = bare(callee.object);
  const isOwn = object.type === 'Identifier' && !isCopied(object);
  const variable = isOwn ? file.variableOf(object) : undefined;
  return variable && variableLocation(file, variable);
}
