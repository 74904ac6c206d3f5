import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from './names.ts';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  isNamed,
  type Node,
  propertyName,
} from './ast.ts';
import type { FileFacts } from './file.ts';

/**
 * A place in memory that outlives a call: a field of `this`, a variable declared outside, an argument's object.
 * Equal strings are the same place. Paths end at the first field: `this.cache.users` is `this.cache`.
 */
export type Location = string;

export function variableLocation(file: FileFacts, variable: Variable): Location {
  return `${file.path}#${variable.name}@${variable.defs[0]?.name.range[0] ?? 0}`;
}

/** What `node` itself changes that outlives a run of `scope`; undefined where it changes nothing, or only locals. */
export function writtenLocation(file: FileFacts, node: Node, scope: Node): Location | undefined {
  const target = writtenTarget(node);
  if (!target || isLazyInitialisation(file, node) || isFollowed(file, node, target))
    return undefined;
  const location = locationOf(file, target, scope);
  // `list.push(x)` changes the caller's list, `list = []` only the name.
  return location ?? (node.type === 'CallExpression' ? objectOf(file, target, scope) : undefined);
}

/** What `repository.delete(id)` changes is no memory, and a method of the project says itself what it changes. */
function isFollowed(file: FileFacts, node: Node, target: Node): boolean {
  // no veto: what `Object.assign` changes is its argument, whatever its own name leads to.
  if (node.type !== 'CallExpression' || node.arguments[0] === target) return false;
  if (file.valueOf(target).kind === 'library') return true;
  // no veto: what the method changes is found where it is called.
  return file.valueOf(node.callee).kind === 'function';
}

/** The object behind a parameter, or behind a local name for a part of one. */
function objectOf(file: FileFacts, target: Node, scope: Node): Location | undefined {
  const root = bare(target);
  const variable = root.type === 'Identifier' ? file.variableOf(root) : undefined;
  const definition = variable?.defs[0];
  if (definition?.type === 'Parameter' && definition.node === scope) {
    const index = parameterIndex(scope as FunctionNode, definition.name);
    return index === -1 ? undefined : `parameter ${index}`;
  }
  if (definition?.type !== 'Variable') return undefined;
  const { init } = definition.node;
  return init && /^(?:Identifier|MemberExpression)$/.test(init.type) && contains(scope, init)
    ? (locationOf(file, init, scope) ?? objectOf(file, init, scope))
    : undefined;
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
    const self = file.valueOf(it);
    return self.kind === 'instance' || self.kind === 'class' || self.kind === 'object'
      ? `${self.file.path}:${self.node.range[0]}.${field ?? '*'}`
      : `${file.path}:this.${field ?? '*'}`;
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

/** The location that a callee calls `parameter i`, in the words of its caller. */
export function argumentLocation(
  file: FileFacts,
  location: Location,
  args: readonly TSESTree.CallExpressionArgument[],
  scope: Node,
): Location | undefined {
  const index = /^parameter (\d+)$/.exec(location)?.[1];
  if (index === undefined) return location;
  const argument = args[Number(index)];
  if (!argument) return undefined;
  return locationOf(file, argument, scope) ?? localRoot(file, argument);
}

/** The local variable whose object is passed on: its fields are no longer only the caller's to change. */
function localRoot(file: FileFacts, node: Node): Location | undefined {
  let it = bare(node);
  while (it.type === 'MemberExpression') it = bare(it.object);
  const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
  return variable && variableLocation(file, variable);
}

const MUTATORS =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|append|assign|write|emit|next|enqueue|dequeue)$/;

/** What `node` itself changes: assignments, `delete`, `++`, mutating methods. Callees are the caller's business. */
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

/** `if (!this.pool) this.pool = createPool()` and `this.pool ??= …`: whoever comes first, all see the same. */
function isLazyInitialisation(file: FileFacts, node: Node): boolean {
  if (node.type !== 'AssignmentExpression') return false;
  if (node.operator === '??=' || node.operator === '||=') return true;
  const target = file.textOf(node.left);
  for (let it: Node | undefined = node.parent; it && !isFunction(it); it = it.parent) {
    if (it.type === 'IfStatement' && file.textOf(it.test).includes(target)) return true;
  }
  return false;
}
