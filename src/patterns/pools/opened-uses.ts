import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  isNamed,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { awaited, type LibraryValue } from '../../analysis/file/value.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { makesRequestContext } from '../../analysis/contexts/request-contexts.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import type { Call } from '../../analysis/syntax/calls.ts';
import { isOneServer } from './one-server.ts';
import { isPool } from './opened-handles.ts';

/** The call with what gives the same around it: an `await`, a type, `createPool(…).promise()`, a function that runs it again. */
export function wholeOf(file: FileFacts, call: Call): Node {
  let it: Node = call;
  for (;;) {
    const next = around(file, it, call);
    if (!next) return it;
    it = next;
  }
}

function around(file: FileFacts, it: Node, call: Call): Node | undefined {
  const { parent } = it;
  if (!parent) return undefined;
  if (bare(parent) === bare(it) || parent.type === 'AwaitExpression') return parent;
  if (parent.type === 'MemberExpression' && parent.object === it) {
    const { parent: next } = parent;
    return next.type === 'CallExpression' && isSamePool(file, next) ? next : undefined;
  }
  return givenBack(file, it, call);
}

/** `withRetry(() => connect(url))`, which gives what the function that it runs has opened. */
function givenBack(file: FileFacts, it: Node, call: Call): Node | undefined {
  const fn = functionAround(it);
  const isResult = it.parent?.type === 'ReturnStatement' || it.parent === fn;
  const runner = isResult ? fn?.parent : undefined;
  // no veto: the shape of a call.
  if (runner?.type !== 'CallExpression' || !runner.arguments.some((own) => own === fn))
    return undefined;
  const given = awaited(valueOf(file, runner));
  return given.kind === 'library' && given.origin?.node === call ? runner : undefined;
}

function isSamePool(file: FileFacts, call: Call): boolean {
  const given = awaited(valueOf(file, call));
  const receiver = libraryCallOf(file, call)?.callee.receiver;
  return given.kind === 'library' && !!receiver && isPool(given) && isPool(receiver);
}

/** Made for this run alone: held by one local name, connected, never kept, and no session that has to be its own. */
export function isUsedUp(
  file: FileFacts,
  call: Call,
  handle: LibraryValue,
  name: number | undefined,
): boolean {
  const fn = functionAround(wholeOf(file, call));
  if (!fn) return false;
  // veto: the server may differ per run, the session must be separate, or the function is a one-off task
  if (!isOneServer(file, call, fn, { name }) || isDedicated(file, fn) || isOneShot(file, fn))
    return false;
  const uses = ownUsesOf(file, call, fn);
  return uses !== undefined && (isPool(handle) || uses.some((it) => isMethodCall(it)));
}

/** What is done with it in the run that makes it, by its one name or on the spot; undefined where other code owns it. */
export function ownUsesOf(
  file: FileFacts,
  call: Call,
  fn: FunctionNode,
): readonly Node[] | undefined {
  const variable = variableOf(file, call);
  if (!variable) return isUsedOnTheSpot(file, wholeOf(file, call), fn) ? [call] : undefined;
  // veto: the variable of the connection is outside of the function, so it outlives the run
  if (!isLocalTo(fn, variable)) return undefined;
  const uses = variable.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
  const isOwn = (it: Node) => isPassing(file, it, fn, variable) || isOfContext(file, it, fn);
  // veto: other code keeps or receives the connection, so the function is not its only owner
  return uses.every(isOwn) ? uses : undefined;
}

/** `getDb().query(…)`, `drizzle(new Pool())` that is used up itself, `return { db: new Pool() }` of a request's context. */
function isUsedOnTheSpot(file: FileFacts, made: Node, fn: FunctionNode): boolean {
  const { parent } = made;
  if (parent?.type === 'MemberExpression') return parent.object === made && isMethodCall(made);
  if (parent?.type === 'CallExpression' && parent.callee !== made) {
    const wrapper = valueOf(file, parent);
    return wrapper.kind === 'library' && ownUsesOf(file, parent, fn) !== undefined;
  }
  return isOfContext(file, made, fn);
}

/** What the context of a request is made of ends with that. */
function isOfContext(file: FileFacts, part: Node, fn: FunctionNode): boolean {
  const { parent } = part;
  const isReturned = parent?.type === 'Property' || parent?.type === 'ReturnStatement';
  return isReturned && makesRequestContext(file, fn);
}

/** The one name that the connection ever has. */
export function variableOf(file: FileFacts, call: Call): Variable | undefined {
  const { parent } = wholeOf(file, call);
  const name =
    parent?.type === 'VariableDeclarator'
      ? parent.id
      : parent?.type === 'AssignmentExpression' && parent.operator === '='
        ? parent.left
        : undefined;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  const writes = variable?.references.filter((ref) => {
    const value = ref.writeExpr;
    return ref.isWrite() && value?.type !== 'Literal' && !isNamed(value, 'undefined');
  });
  return writes?.length === 1 ? variable : undefined;
}

export function isLocalTo(fn: FunctionNode, variable: Variable): boolean {
  return variable.defs.every((it) => contains(fn, it.name as Node) && it.type === 'Variable');
}

/** Sessions that cannot be shared: notifications, blocking reads, consumers, locks, databases made and dropped. */
const DEDICATED =
  /\b(?:LISTEN\s+["'\w$]|pg_(?:try_)?advisory|GET_LOCK\s*\(|LOCK\s+TABLES|START_REPLICATION|(?:CREATE|DROP|ALTER)\s+(?:DATABASE|SCHEMA|ROLE|USER)\b|pg_terminate_backend)|['"](?:notification|message|pmessage)['"]|\.(?:[ps]?subscribe|[pS]Subscribe|b[lr]pop(?:lpush)?|b[lr]Pop|blmove|xread(?:group)?|xRead(?:Group)?|monitor|consume|watch|prefetch)\s*\(/i;

export function isDedicated(file: FileFacts, fn: Node): boolean {
  return DEDICATED.test(file.textOf(fn));
}

const TRYING =
  /\b(?:test|check|verify|validate|probe|ping|health|diagnos\w*|migrat\w*|seed|setup|install|backup|restore|dump)\b/;

/** The process ends with it, or the connection itself is what is tried. */
export function isOneShot(file: FileFacts, fn: FunctionNode): boolean {
  const name = nameOfFunction(fn)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return TRYING.test(name) || /\bprocess\.exit\s*\(/.test(file.textOf(fn));
}

/** The function goes on with it, hands it to another for a while, or runs what is called with it; no code keeps it. */
export function isPassing(
  file: FileFacts,
  use: Node,
  fn: FunctionNode,
  variable: Variable,
): boolean {
  for (let inner = functionAround(use); inner && inner !== fn; inner = functionAround(inner)) {
    // veto: a callback that may run at a different time uses the connection
    if (!isRunBy(file, inner, variable)) return false;
  }
  let node = use;
  while (node.parent && bare(node.parent) === use) node = node.parent;
  const { parent } = node;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node;
    case 'CallExpression':
      // Knex is a function.
      return parent.callee === node || isLent(file, parent);
    case 'IfStatement':
    case 'UnaryExpression':
    case 'LogicalExpression':
    case 'BinaryExpression':
      return parent.type !== 'LogicalExpression' || parent.parent.type === 'ExpressionStatement';
    case 'TaggedTemplateExpression':
      return true;
    default:
      return false;
  }
}

/** A function that runs while `fn` does: a callback of the connection, a link of a promise chain, an executor. */
function isRunBy(file: FileFacts, inner: FunctionNode, variable: Variable): boolean {
  const { parent } = inner;
  if (parent.type === 'NewExpression') return file.textOf(parent.callee) === 'Promise';
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  if (callee.type !== 'MemberExpression') return (callee as Node) === inner;
  if (/^(?:then|catch|finally|map|forEach)$/.test(propertyName(callee) ?? '')) return true;
  const name = propertyName(callee) ?? '';
  const isListener = /^(?:on|once|addListener)$/.test(name);
  const root = bare(callee.object);
  return !isListener && root.type === 'Identifier' && file.variableOf(root) === variable;
}

/** To a function of the project or the driver, or to the one that the caller has asked to be run with it. */
function isLent(file: FileFacts, call: Call): boolean {
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  const { kind } = valueOf(file, callee);
  if (kind === 'function' || kind === 'callable') return true;
  return callee.type === 'Identifier' && file.variableOf(callee)?.defs[0]?.type === 'Parameter';
}

function isMethodCall(use: Node): boolean {
  return use.parent?.type === 'MemberExpression' && use.parent.parent.type === 'CallExpression';
}
