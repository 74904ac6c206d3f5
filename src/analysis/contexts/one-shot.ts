import { valueOf } from '../provenance/value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  isFunction,
  type Node,
  propertyName,
  rootOf,
  targetsIn,
  walk,
} from '../syntax/ast.ts';
import { isProcessExit } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { isWithin, writtenTarget } from '../effects/memory.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import { exportsOf } from '../provenance/exports.ts';

const CLOSING = String.raw`(?:\$?disconnect|close|destroy|end|quit)`;
const CLOSES = new RegExp(`^${CLOSING}$`);

/**
 * Whether the file is a program for one task: it calls its main function itself, and ends the process, or the connections that
 * keep it alive, as soon as that is done. A person or a timer starts it, and no user waits for it. A program that runs until it
 * is stopped is none.
 */
export function isOneShot(file: FileFacts): boolean {
  return bodyOf(file.ast).some((it) => endsProcess(file, it)) && !goesOn(file);
}

/** The same with other work running, and also where that is done only if the file itself is started. */
export function endsWithItsWork(file: FileFacts): boolean {
  return bodyOf(file.ast)
    .flatMap(unconditional)
    .some((it) => endsProcess(file, it));
}

/** `if (require.main === module) run();` */
function unconditional(statement: TSESTree.Statement): readonly TSESTree.Statement[] {
  if (statement.type !== 'IfStatement') return [statement];
  const { consequent } = statement;
  return consequent.type === 'BlockStatement' ? consequent.body : [consequent];
}

/** `run().then(() => process.exit())`, or `run()` whose last step that is. */
function endsProcess(file: FileFacts, statement: TSESTree.Node): boolean {
  if (statement.type !== 'ExpressionStatement') return false;
  let it: Node = started(statement.expression);
  while (it.type === 'CallExpression') {
    const callee = bare(it.callee);
    const isStep =
      callee.type === 'MemberExpression' && /^(?:then|finally)$/.test(propertyName(callee) ?? '');
    if (isStep && it.arguments.slice(0, 1).some((step) => exitsAtTheEnd(file, step))) return true;
    if (callee.type !== 'MemberExpression') return exitsAtTheEnd(file, callee);
    it = bare(callee.object);
  }
  return false;
}

/** Of `await run()` and `void run()`, the call. */
function started(expression: Node): Node {
  const it = bare(expression);
  if (it.type === 'AwaitExpression') return started(it.argument);
  return it.type === 'UnaryExpression' && it.operator === 'void' ? started(it.argument) : it;
}

function exitsAtTheEnd(file: FileFacts, callee: Node): boolean {
  const it = bare(callee);
  const value = isFunction(it) ? undefined : valueOf(file, it);
  const fn = value?.kind === 'function' ? value.node : it;
  if (!isFunction(fn)) return false;
  const body = bodyOf(fn);
  const owner = value?.kind === 'function' ? value.file : file;
  if (body?.type === 'BlockStatement') return holdsExit(owner, body, true);
  return !!body && (isProcessExit(body) || isClosing(owner, body));
}

/** Whatever the function has met on its way, not in a branch or in a `catch`; what is closed before more is done is not all that it has. */
function holdsExit(file: FileFacts, { body }: TSESTree.BlockStatement, isLast: boolean): boolean {
  return body.some((it, i) => {
    const isEnd = isLast && body.slice(i + 1).every(isTold);
    if (it.type === 'ExpressionStatement')
      return isProcessExit(it.expression) || (isEnd && isClosing(file, it.expression));
    if (it.type === 'IfStatement') return isEnd && closesWhatIsOpen(file, it);
    return (
      it.type === 'TryStatement' &&
      [it.block, it.finalizer].some((part) => part !== null && holdsExit(file, part, isEnd))
    );
  });
}

/** `if (source.isInitialized) await source.destroy()`: what has not been opened needs no closing. */
function closesWhatIsOpen(file: FileFacts, it: TSESTree.IfStatement): boolean {
  const { test, consequent } = it;
  const steps = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  const [last] = steps.filter((step) => !isTold(step)).slice(-1);
  if (last?.type !== 'ExpressionStatement' || !isClosing(file, last.expression)) return false;
  // veto: the program closes its connection only under a condition about something else
  return mentions(file, test, new Set(variablesIn(file, last.expression)));
}

/** `console.log('done')` */
function isTold(statement: Node): boolean {
  const it = statement.type === 'ExpressionStatement' ? bare(statement.expression) : statement;
  return it.type === 'CallExpression' && /^console\./.test(dottedName(it.callee) ?? '');
}

/** `await pool.end()`, `prisma.$disconnect()`, after which nothing of the file's is open, and no other file may use it. */
function isClosing(file: FileFacts, node: Node): boolean {
  const call = started(node);
  const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    CLOSES.test(propertyName(callee) ?? '') &&
    /^(?:library|module)$/.test(valueOf(file, callee.object).kind) &&
    // veto: the file exports names, so other files may use the connection that it closes
    exportsOf(file).names.length + exportsOf(file).everythingFrom.length === 0 &&
    !leavesSomethingOpen(file)
  );
}

const leavesSomethingOpen = queryOfFile(
  'leaves something open',
  (file: FileFacts): boolean =>
    bodyOf(file.ast)
      .flatMap(namesOf)
      .some((it) => isLeftOpen(file, it)),
  { whileCyclic: false },
);

/** The names that a statement of the program declares or imports. */
function namesOf(statement: TSESTree.ProgramStatement): readonly TSESTree.Identifier[] {
  if (statement.type === 'ImportDeclaration') return statement.specifiers.map(({ local }) => local);
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id] : []));
}

/** A pool, client or connection that nothing in the file closes. */
function isLeftOpen(file: FileFacts, name: TSESTree.Identifier): boolean {
  const value = valueOf(file, name);
  const isOpen =
    value.kind === 'library' && /^(?:pool|client|connection|orm)$/.test(value.type.role ?? '');
  return (
    isOpen && !file.variableOf(name)?.references.some(({ identifier }) => isClosed(identifier))
  );
}

function isClosed({ parent }: Node): boolean {
  return parent?.type === 'MemberExpression' && CLOSES.test(propertyName(parent) ?? '');
}

const SIGNAL = /['"`]SIG(?:INT|TERM)['"`]/;

/** It is told to stop from outside, or makes rounds without an end of their own: a worker. */
function goesOn(file: FileFacts): boolean {
  return (
    file.says(SIGNAL) ||
    file.nodes
      .all('WhileStatement', 'DoWhileStatement', 'ForStatement')
      .some((it) => isUntilStopped(file, it))
  );
}

type Rounds = TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement;

/** `while (true)`, `for (;;)`, `while (!this.stopped)`; a loop that changes its own condition ends by itself. */
export function isUntilStopped(file: FileFacts, loop: Node): boolean {
  if (!/^(?:While|DoWhile|For)Statement$/.test(loop.type)) return false;
  const rounds = loop as Rounds;
  let it = rounds.test && bare(rounds.test);
  while (it?.type === 'UnaryExpression') it = bare(it.argument);
  const isFlag = /^(?:Literal|Identifier|MemberExpression|)$/.test(it?.type ?? '');
  return isFlag && !(it && isChangedIn(file, rounds, it));
}

function isChangedIn(file: FileFacts, { body, ...loop }: Rounds, asked: Node): boolean {
  const parts = 'update' in loop && loop.update ? [body, loop.update] : [body];
  let isChanged = false;
  for (const part of parts) {
    walk(part, (it) => {
      isChanged ||= changes(file, it, asked);
    });
  }
  return isChanged;
}

/** `left--`, `({ left } = await step())`; of `rows.length`, also `rows.pop()`. */
function changes(file: FileFacts, node: Node, asked: Node): boolean {
  const target = writtenTarget(node);
  // no veto: it changes nothing.
  if (!target) return false;
  if (node.type !== 'CallExpression')
    return targetsIn(target).some((it) => isPartOf(file, asked, it));
  const isSize =
    asked.type === 'MemberExpression' && /^(?:length|size)$/.test(propertyName(asked) ?? '');
  return isSize && isPartOf(file, asked.object, target);
}

/** `state.isDone` is a part of `state`, and the whole of itself. */
function isPartOf(file: FileFacts, asked: Node, target: Node): boolean {
  const [part, whole] = [dottedName(asked), dottedName(target)];
  return (
    part !== undefined &&
    whole !== undefined &&
    isWithin(part, whole) &&
    variableIn(file, asked) === variableIn(file, target)
  );
}

function variableIn(file: FileFacts, node: Node): Variable | undefined {
  const it = rootOf(node);
  return it.type === 'Identifier' ? file.variableOf(it) : undefined;
}
