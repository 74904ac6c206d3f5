import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isLoop, isNamed, type Node, programAround, propertyName, walkOwn } from './ast.ts';
import { firstIndex, startsAt } from './places.ts';

/** A condition for a statement to run. */
export interface Condition {
  /** 'branch': the node is in it; 'exit': the other branch has returned before; 'catch' and 'case' as in the source. */
  readonly kind: 'branch' | 'exit' | 'catch' | 'case';
  /** The `if`, conditional, logical expression, `case` or `catch` that decides. */
  readonly node: Node;
  readonly test: TSESTree.Expression | undefined;
  /** Whether the test was true. */
  readonly holds: boolean;
  /** For 'exit': how the other branch leaves. */
  readonly leaves: readonly Exit[];
}

export type Exit = 'return' | 'throw' | 'break' | 'continue';

/**
 * The conditions on the way from `root` to `node`, outermost first: branches around it, and guards before it whose
 * other side has left (`if (!job) continue;`). The tests of loops are no conditions here.
 */
export function conditionsOn(node: Node, root: Node): readonly Condition[] {
  const found: Condition[] = [];
  let child = node;
  for (let parent = child.parent; parent && child !== root; child = parent, parent = child.parent) {
    const branch = branchOf(parent, child);
    if (branch) found.push(branch);
    found.push(...guardsBefore(parent, child).toReversed());
  }
  return found.reverse();
}

/**
 * Whether it picks the cases in which the node runs, out of others in which the rest goes on without it. A check that
 * throws leaves no others, and what runs after an error was not picked.
 */
export function isChoice({ kind, leaves }: Condition): boolean {
  return kind !== 'catch' && !(kind === 'exit' && leaves.every((it) => it === 'throw'));
}

/** Whether it runs only once something has failed, in its function or one around it, as far as `within`. What follows `try { return … } catch {}` does not count: the two are ways to one answer. */
export function isAfterFailure(node: Node, within = programAround(node)): boolean {
  return conditionsOn(node, within).some((it) => it.kind === 'catch' && it.leaves.length === 0);
}

function branchOf(parent: Node, child: Node): Condition | undefined {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      if (child === parent.test) return undefined;
      return branch(parent, parent.test, child === parent.consequent);
    case 'LogicalExpression':
      if (child === parent.left) return undefined;
      return branch(parent, parent.left, parent.operator === '&&');
    case 'SwitchCase':
      return {
        kind: 'case',
        node: parent,
        test: parent.test ?? undefined,
        holds: true,
        leaves: [],
      };
    case 'CatchClause':
      return { kind: 'catch', node: parent, test: undefined, holds: true, leaves: [] };
    case 'CallExpression':
      // What a promise's `catch` runs, it runs after an error.
      return isRejectionHandler(parent, child)
        ? { kind: 'catch', node: parent, test: undefined, holds: true, leaves: [] }
        : undefined;
    default:
      return undefined;
  }
}

function isRejectionHandler(call: TSESTree.CallExpression, child: Node): boolean {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  const index = call.arguments.indexOf(child as TSESTree.CallExpressionArgument);
  const { name } = callee.property;
  return (name === 'catch' && index === 0) || (name === 'then' && index === 1);
}

function branch(node: Node, test: TSESTree.Expression, holds: boolean): Condition {
  return { kind: 'branch', node, test, holds, leaves: [] };
}

/** Guards among the statements before `child` in the same list. */
function guardsBefore(parent: Node, child: Node): readonly Condition[] {
  const statements: readonly Node[] =
    parent.type === 'BlockStatement' || parent.type === 'Program'
      ? bodyOf(parent)
      : parent.type === 'SwitchCase' && child !== parent.test
        ? parent.consequent
        : [];
  const guards = guardsIn(statements);
  const count = firstIndex(guards.length, (i) => startsAt(guards[i]!.node) >= startsAt(child));
  return guards.slice(0, count);
}

/** By the list of statements, which an edit does not change but replaces: what follows asks all of it for each place. */
const knownGuards = new WeakMap<readonly Node[], readonly Condition[]>();

function guardsIn(statements: readonly Node[]): readonly Condition[] {
  let guards = knownGuards.get(statements);
  if (!guards) {
    guards = statements.flatMap((it) =>
      it.type === 'IfStatement'
        ? (guardOf(it) ?? [])
        : it.type === 'TryStatement'
          ? guardsOfTry(it)
          : [],
    );
    knownGuards.set(statements, guards);
  }
  return guards;
}

/** `try { …; if (isFull) continue; } catch { …; continue; }`: what follows runs only where the guards of the block let pass. */
function guardsOfTry(statement: TSESTree.TryStatement): readonly Condition[] {
  const own = guardOf(statement);
  if (own) return [own];
  const { block, handler } = statement;
  return handler && completes(handler.body) ? [] : guardsIn(block.body);
}

function guardOf(statement: TSESTree.IfStatement | TSESTree.TryStatement): Condition | undefined {
  if (statement.type === 'TryStatement') {
    // What follows a try that always leaves runs after an error only.
    return statement.handler && !completes(statement.block) && completes(statement.handler.body)
      ? {
          kind: 'catch',
          node: statement.handler,
          test: undefined,
          holds: true,
          leaves: exitsOf(statement.block),
        }
      : undefined;
  }
  const { test, consequent, alternate } = statement;
  if (!completes(consequent)) {
    return { kind: 'exit', node: statement, test, holds: false, leaves: exitsOf(consequent) };
  }
  if (alternate && !completes(alternate)) {
    return { kind: 'exit', node: statement, test, holds: true, leaves: exitsOf(alternate) };
  }
  return undefined;
}

/** Whether control can come out at the end of `statement`. */
export function completes(statement: Node): boolean {
  switch (statement.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return false;
    case 'BlockStatement':
      return statement.body.every((it) => completes(it));
    case 'LabeledStatement':
      return completes(statement.body);
    case 'IfStatement':
      return (
        !statement.alternate || completes(statement.consequent) || completes(statement.alternate)
      );
    case 'TryStatement':
      if (statement.finalizer && !completes(statement.finalizer)) return false;
      return (
        completes(statement.block) ||
        (statement.handler !== null && completes(statement.handler.body))
      );
    case 'ExpressionStatement':
      return !isProcessExit(statement.expression);
    default:
      return true;
  }
}

/** `process.exit()` and `process.abort()`: nothing runs after them. */
export function isProcessExit(node: Node): boolean {
  const call = bare(node);
  const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    isNamed(bare(callee.object), 'process') &&
    /^(?:exit|abort)$/.test(propertyName(callee) ?? '')
  );
}

/** The handlers within `root` that may get what `node` throws, the innermost first. */
export function handlersAround(node: Node, root: Node): readonly TSESTree.CatchClause[] {
  const found: TSESTree.CatchClause[] = [];
  for (let it = node; it !== root && it.parent; it = it.parent) {
    const { parent } = it;
    if (parent.type !== 'TryStatement' || parent.block !== it) continue;
    if (parent.handler) found.push(parent.handler);
  }
  return found;
}

/** The exits of `root` other than its end; those of loops inside it are their own. */
export function exitsOf(root: Node): readonly Exit[] {
  const found = new Set<Exit>();
  walkOwn(root, (node) => {
    switch (node.type) {
      case 'ReturnStatement':
        found.add('return');
        break;
      case 'ThrowStatement':
        found.add('throw');
        break;
      case 'BreakStatement':
        if (!isInsideOwn(node, root, { includesSwitch: true })) found.add('break');
        break;
      case 'ContinueStatement':
        if (!isInsideOwn(node, root, { includesSwitch: false })) found.add('continue');
        break;
      case 'CallExpression':
        if (isProcessExit(node)) found.add('throw');
        break;
    }
  });
  return [...found];
}

/** Whether a jump stays inside `root`: a loop or switch between the two is what it leaves. */
function isInsideOwn(
  jump: TSESTree.BreakStatement | TSESTree.ContinueStatement,
  root: Node,
  { includesSwitch }: { includesSwitch: boolean },
): boolean {
  if (jump.label) return false;
  for (let it: Node | undefined = jump; it && it !== root; it = it.parent) {
    if (isLoop(it) || (includesSwitch && it.type === 'SwitchStatement')) return true;
  }
  return false;
}
