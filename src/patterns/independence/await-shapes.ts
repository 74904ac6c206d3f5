import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import { bare, isFunction, type Node, walk } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { rootsOf } from '../../analysis/loops/iteration-variables.ts';
import { writtenTarget } from '../../analysis/effects/memory.ts';
import { variablesIn } from '../../analysis/syntax/mentions.ts';

/** One await of a statement, and where its result goes. */
export interface AwaitShape {
  readonly node: TSESTree.AwaitExpression;
  readonly statement: TSESTree.Statement;
  /** Local variables that the statement sets from the result. */
  readonly results: readonly Variable[];
  /** `const a = await f()` and nothing else: its await can move into `Promise.all`. */
  readonly declarator: TSESTree.VariableDeclarator | undefined;
  /** The test of `test ? await f() : other`, where that decides whether it runs. */
  readonly condition: Node | undefined;
  /** The code before it in that branch, from which its arguments may be computed. */
  readonly before: readonly Node[];
}

/**
 * The awaits that a statement always runs, in order. 'barrier' means that the statement is more than a list of reads:
 * a bare `await f()` (its purpose is its effect), an await behind `||`, in a nested block, or in a compound statement.
 */
export function awaitsIn(
  file: FileFacts,
  statement: TSESTree.Statement,
): readonly AwaitShape[] | 'barrier' {
  const awaits = ownAwaits(statement);
  if (awaits.length === 0) return [];
  if (statement.type === 'IfStatement') return awaitIn(file, statement, awaits);
  if (
    statement.type !== 'VariableDeclaration' &&
    statement.type !== 'ExpressionStatement' &&
    statement.type !== 'ReturnStatement'
  ) {
    return 'barrier';
  }
  const shapes: AwaitShape[] = [];
  for (const node of awaits) {
    const shape = shapeOf(file, node, statement);
    if (!shape) return 'barrier';
    shapes.push(shape);
  }
  return shapes;
}

/** `if (enabled) users = await list(); else users = [];`: one await, which only its test decides. */
function awaitIn(
  file: FileFacts,
  statement: TSESTree.IfStatement,
  awaits: readonly TSESTree.AwaitExpression[],
): readonly AwaitShape[] | 'barrier' {
  const [node] = awaits;
  const assignment = node?.parent;
  if (!node || awaits.length > 1 || assignment?.type !== 'AssignmentExpression') return 'barrier';
  if (assignment.left.type !== 'Identifier' || assignment.operator !== '=') return 'barrier';
  const written = assignment.parent;
  const block = written.parent;
  if (written.type !== 'ExpressionStatement') return 'barrier';
  const isDirect =
    block === statement || (block?.type === 'BlockStatement' && block.parent === statement);
  if (!isDirect) return 'barrier';
  const branch = block?.type === 'BlockStatement' ? block.body : [];
  return [
    {
      node,
      statement,
      results: variablesIn(file, assignment.left),
      declarator: undefined,
      condition: statement.test,
      before: branch.slice(0, branch.indexOf(written)),
    },
  ];
}

function ownAwaits(statement: Node): TSESTree.AwaitExpression[] {
  const found: TSESTree.AwaitExpression[] = [];
  walk(statement, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression') {
      found.push(node);
      // An await inside another's argument belongs to that one: `await f(await g())`.
      return false;
    }
    return true;
  });
  return found;
}

function shapeOf(
  file: FileFacts,
  node: TSESTree.AwaitExpression,
  statement: TSESTree.Statement,
): AwaitShape | undefined {
  let condition: Node | undefined;
  let declarator: TSESTree.VariableDeclarator | undefined;
  let target: Node | undefined;
  for (let it: Node = node; it !== statement; it = it.parent!) {
    const parent: Node = it.parent!;
    switch (parent.type) {
      case 'LogicalExpression':
        // veto: the await is on the right of `&&`, `||` or `??`, so the left side decides whether it runs
        if (parent.left !== it) return undefined;
        break;
      case 'ConditionalExpression':
        if (parent.test === it) break;
        // veto: the await is in nested `? :` expressions, or shares its `? :` with a second await
        if (condition || isDecidedByAwaits(parent, it)) return undefined;
        condition = parent.test;
        break;
      case 'AssignmentExpression':
        // veto: the await is in an assignment with `??=`, `||=` or `&&=`, which runs it only for some values
        if (/^(?:\|\||&&|\?\?)=$/.test(parent.operator)) return undefined;
        target = parent.left;
        break;
      case 'VariableDeclarator':
        declarator = parent;
        target = parent.id;
        break;
    }
  }
  // veto: the statement ignores the result of the await, so the purpose of the call is its effect
  if (statement.type === 'ExpressionStatement' && bare(statement.expression) === node)
    return undefined;
  const isWhole = declarator && bare(declarator.init!) === node;
  const results = target ? variablesIn(file, target) : [];
  return {
    ...{ node, statement, results, condition, before: [] },
    declarator: isWhole ? declarator : undefined,
  };
}

/** `test ? await a() : await b()` waits for one of them; `(await test()) ? await a() : b` asks first. */
function isDecidedByAwaits(node: TSESTree.ConditionalExpression, side: Node): boolean {
  const other = node.consequent === side ? node.alternate : node.consequent;
  // veto: the test or the second branch of the `? :` awaits, too, so not all of these awaits run
  return holdsAwait(other) || holdsAwait(node.test);
}

function holdsAwait(node: Node): boolean {
  return ownAwaits(node).length > 0;
}

/** `ids.push(await f())`, `Object.assign(target, await f())`: the target of the statement holds the result from then on. */
export function addReceivers(
  file: FileFacts,
  { shape, results }: { readonly shape: AwaitShape; readonly results: Set<Variable> },
  statement: Node,
): void {
  // no veto: it stands in another.
  if (shape.statement !== statement) return;
  for (let it: Node = shape.node; it !== statement; it = it.parent!) {
    const call: Node | undefined = it.parent;
    // no veto: it is handed to nobody here.
    if (call?.type !== 'CallExpression' || call.callee === it) continue;
    const callee = bare(call.callee);
    const receiver = callee.type === 'MemberExpression' ? callee.object : undefined;
    const target = writtenTarget(call) ?? receiver;
    for (const variable of target ? rootsOf(file, target) : []) results.add(variable);
  }
}

/** `answer = await fetch(next)`, where `answer` holds the earlier result: other code may still read that meanwhile. */
export function renews(
  file: FileFacts,
  { node }: AwaitShape,
  results: ReadonlySet<Variable>,
): boolean {
  const { parent } = bare(node);
  const left = parent?.type === 'AssignmentExpression' ? parent.left : undefined;
  const variable = left?.type === 'Identifier' ? file.variableOf(left) : undefined;
  return variable !== undefined && results.has(variable);
}
