import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  functionAround,
  isFunction,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { flowOf } from '../flow/flow.ts';
import { isLogging } from '../flow/failures.ts';
import { leadsTo, type Step } from '../flow/graph.ts';
import { implementationsOf } from '../provenance/implementations.ts';
import type { Signature } from '../model/schema.ts';
import { isOneOf } from '../provenance/named-calls.ts';
import { isHandle, isResponse, memberOnHandle } from './handle.ts';
import type { Failure, State, Tour } from './state.ts';

/**
 * How certain the exception of a step is: a rejected wait and a `throw` are certain; a call that could throw as any call could
 * is not, a reader would not call that a path.
 */
export function failureOf(tour: Tour, state: State, step: Step): Failure {
  const node = step.node!;
  if (node.type === 'ThrowStatement') return tour.depth === 0 ? 'rejection' : 'control';
  // What fails between a response and its reader is seldom worth a `finally`.
  if (isResponse(tour)) return 'none';
  if (node.type === 'ForOfStatement') return 'rejection';
  const waited =
    step.kind === 'settle'
      ? node
      : node.type === 'AwaitExpression'
        ? bare(node.argument)
        : undefined;
  // Where the promise of the connection is rejected there is none.
  if (!waited || isHandle(tour, state, waited)) return 'none';
  return rejectionOf(tour.file, waited, { tour, state });
}

/** The same of a promise that a function hands back, which rejects for the caller. */
export function returnedRejection(tour: Tour, state: State, { value }: Step): Failure {
  const returned = value && bare(value);
  if (returned?.type !== 'CallExpression' || isResponse(tour)) return 'none';
  const path = { tour, state };
  const isKnown = memberUnder(returned, path) ?? isKnownCall(tour.file, returned);
  return isKnown ? rejectionOf(tour.file, returned, path) : 'none';
}

/** Not so in `const saving = save(client)` and `Promise.allSettled([save(client)])`: that is thrown elsewhere, or nowhere. */
export function isThrownOn(call: Node): boolean {
  for (let it = call; it.parent; it = it.parent) {
    const { parent } = it;
    if (/^(?:Await|Yield|ArrowFunction)Expression$|Statement$/.test(parent.type)) return true;
    if (parent.type === 'VariableDeclarator') return false;
    const isGiven = parent.type === 'CallExpression' && parent.callee !== it;
    if (isGiven && !PASSES_ON.test(dottedName(parent.callee) ?? '')) return false;
  }
  return true;
}

const PASSES_ON = /^Promise\.(?:all|race|resolve)$/;

interface OnPath {
  readonly tour: Tour;
  readonly state: State;
}

/** Whether what is waited for may reject. */
function rejectionOf(file: FileFacts, node: Node, path?: OnPath): Failure {
  switch (node.type) {
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return callRejection(file, node, path);
    case 'NewExpression': {
      // A promise whose executor has no name for `reject` can only resolve.
      const [executor] = node.arguments;
      return executor && isFunction(executor) && executor.params.length < 2 ? 'none' : 'rejection';
    }
    case 'ArrayExpression':
      return worst(node.elements.flatMap((it) => (it ? [rejectionOf(file, bare(it), path)] : [])));
    case 'Identifier':
    case 'MemberExpression':
      return valueOf(file, node).kind === 'promise' ? 'rejection' : 'none';
    case 'ConditionalExpression':
      return worst(
        [node.consequent, node.alternate].map((it) => rejectionOf(file, bare(it), path)),
      );
    case 'LogicalExpression':
      return rejectionOf(file, bare(node.right), path);
    default:
      return 'none';
  }
}

function callRejection(
  file: FileFacts,
  node: Exclude<Call, TSESTree.NewExpression>,
  path: OnPath | undefined,
): Failure {
  if (path && (path.tour.followed.has(node) || isOneOf(node, path.tour.terms.safe))) return 'none';
  const name = dottedName(calleeOf(node)) ?? '';
  if (/^Promise\.(?:allSettled|resolve)$/.test(name)) return 'none';
  if (node.type === 'CallExpression' && isLogging(node)) return 'none';
  const [first] = argumentsOf(node);
  if (name === 'Promise.all' && first) {
    const each = bare(first);
    const promises = each.type === 'ArrayExpression' ? each : mappedTo(each);
    if (promises) return rejectionOf(file, promises, path);
  }
  // What a handler that stands elsewhere throws nobody sees.
  if (first && isCatch(node)) {
    const handler = bare(first);
    return isFunction(handler) ? rejectionOfFunction(file, handler) : 'none';
  }
  const signature = libraryCallOf(file, node)?.signature ?? memberUnder(node, path);
  if (signature) return signatureRejection(node, signature);
  if (node.type === 'CallExpression') {
    const callees = implementationsOf(file, node);
    if (callees) return best(callees.map((it) => rejectionOfFunction(it.file, it.node)));
  }
  return 'rejection';
}

function isCatch(node: Call): boolean {
  const callee = bare(calleeOf(node));
  return callee.type === 'MemberExpression' && propertyName(callee) === 'catch';
}

/** `ask(client, it)` of `all.map((it) => ask(client, it))`. */
function mappedTo(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const [each] = node.arguments;
  // no veto: the shape of a call
  if (propertyName(node.callee) !== 'map' || !isFunction(each)) return undefined;
  const body = bodyOf(each);
  return body && body.type !== 'BlockStatement' ? bare(body) : undefined;
}

function memberUnder(node: Call, path: OnPath | undefined): Signature | undefined {
  const callee = bare(calleeOf(node));
  return path &&
    callee.type === 'MemberExpression' &&
    isHandle(path.tour, path.state, callee.object)
    ? memberOnHandle(path.tour, propertyName(callee))
    : undefined;
}

// veto: the method controls a transaction or connects, and fails mostly on a dead connection
const CONTROL_METHOD = /^(?:begin|start|commit|rollback|abort|connect|savepoint)(?![a-z])/;
// veto: the SQL statement controls a transaction or a session, and fails mostly on a dead connection
const CONTROL_SQL =
  /^\s*(?:begin|start\s+transaction|commit|rollback|savepoint|release\s+savepoint|set\s+(?:session|transaction|local)|unlisten)\b/i;

function signatureRejection(node: Call, signature: Signature): Failure {
  if (signature.sleep || signature.yield || signature.releases !== undefined) return 'none';
  const callee = bare(calleeOf(node));
  const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
  // Where taking it has failed nothing is held.
  if (signature.begins && /^(?:connect|prepare|begin)$/.test(name ?? '')) return 'none';
  if (name !== undefined && CONTROL_METHOD.test(name)) return 'control';
  const sql = literalText(argumentsOf(node)[0]);
  return sql !== undefined && CONTROL_SQL.test(sql) ? 'control' : 'rejection';
}

function literalText(node: Node | undefined): string | undefined {
  const it = node && bare(node);
  if (it?.type === 'Literal' && typeof it.value === 'string') return it.value;
  if (it?.type === 'TemplateLiteral') return it.quasis[0]?.value.raw;
  return undefined;
}

/** Whether a call of the function may reject for a reason outside of the program; its own guards are `control`. */
const rejectionOfFunction = query(
  'rejects',
  (file: FileFacts, node: Parameters<typeof flowOf>[1]): Failure => {
    const flow = flowOf(file, node);
    if (!flow) return 'rejection';
    const failures = new Map<Step, Failure>();
    const of = (step: Step): Failure => {
      const known = failures.get(step);
      if (known) return known;
      const failure = stepRejection(file, step, node);
      failures.set(step, failure);
      return failure;
    };
    for (const wanted of ['rejection', 'control'] as const) {
      // A path out through exceptions of this kind alone, and what their handlers throw on purpose.
      for (const step of flow.steps) {
        if (of(step) !== wanted) continue;
        if (step.kind === 'return') return wanted;
        const start = step.edges.find((it) => it.kind === 'throw');
        // no veto: what cannot throw leads nowhere by exceptions.
        if (!start) continue;
        const leads =
          start.to === flow.thrown ||
          leadsTo(
            start.to,
            (it) => it === flow.thrown,
            (it) => it.kind !== 'throw' || isThrow(flow.steps, it),
          );
        if (leads) return wanted;
      }
    }
    return 'none';
  },
  { whileCyclic: 'control' as Failure },
);

function isThrow(steps: readonly Step[], edge: Step['edges'][number]): boolean {
  return steps.some((it) => it.node?.type === 'ThrowStatement' && it.edges.includes(edge));
}

function stepRejection(file: FileFacts, step: Step, root: Node): Failure {
  const { node } = step;
  if (!node) return 'none';
  if (node.type === 'ThrowStatement') return 'control';
  if (node.type === 'AwaitExpression') return rejectionOf(file, bare(node.argument));
  if (step.kind === 'settle' && !step.value) return rejectionOf(file, node);
  // A returned promise rejects for the caller, whatever handlers stand around the `return`.
  const returned = step.kind === 'return' && step.value ? bare(step.value) : undefined;
  if (returned?.type !== 'CallExpression' || functionAround(returned) !== root) return 'none';
  return isKnownCall(file, returned) ? rejectionOf(file, returned) : 'none';
}

function isKnownCall(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const given = valueOf(file, call);
  // veto: the call returns an object of a library without a wait, so it does not reject
  if (given.kind === 'library' && !given.type.awaited) return false;
  return (libraryCallOf(file, call) ?? implementationsOf(file, call)) !== undefined;
}

function worst(failures: readonly Failure[]): Failure {
  if (failures.includes('rejection')) return 'rejection';
  return failures.includes('control') ? 'control' : 'none';
}

function best(failures: readonly Failure[]): Failure {
  if (failures.includes('none')) return 'none';
  return failures.includes('control') ? 'control' : 'rejection';
}
