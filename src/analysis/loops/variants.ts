import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  isFunction,
  type Node,
  propertyName,
  rootOf,
  walk,
  walkOwn,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import type { FileFacts } from '../file/file.ts';
import { holdsAwait } from '../flow/awaited.ts';
import { type Loop, wholeOf } from '../flow/loops.ts';
import { writtenTarget } from '../effects/memory.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';

/**
 * The variables that differ between iterations because the loop iterates over data: the loop variable, an index, a cursor, a
 * parameter that gets a different value in the next iteration, and what the body derives from them. Empty for a loop that only
 * polls (`while (running)`, a timer that runs the same function).
 */
export const variantsOf = query(
  'variants',
  (file: FileFacts, loop: Loop): ReadonlySet<Variable> =>
    derivedIn(file, loop.body, heads(file, loop)),
  { whileCyclic: new Set() },
);

function heads(file: FileFacts, loop: Loop): ReadonlySet<Variable> {
  const { node } = loop;
  switch (node.type) {
    case 'ForOfStatement':
    case 'ForInStatement':
      return declaredIn(file, node.left);
    case 'ForStatement':
      return node.init && node.update
        ? declaredIn(file, node.init)
        : carried(file, loop, node.test);
    case 'WhileStatement':
    case 'DoWhileStatement':
      return carried(file, loop, node.test);
    case 'CallExpression':
      return loop.kind === 'repeated' ? new Set() : parametersOf(file, loop);
    default:
      return passedOn(file, loop);
  }
}

function declaredIn(file: FileFacts, root: Node): ReadonlySet<Variable> {
  return new Set(
    variablesIn(file, root).filter((it) =>
      it.defs.some(({ name }) => contains(root, name as Node)),
    ),
  );
}

function parametersOf(file: FileFacts, loop: Loop): ReadonlySet<Variable> {
  const fn = loop.body.parent;
  const found = new Set<Variable>();
  if (isFunction(fn))
    for (const it of fn.params) for (const v of declaredIn(file, it)) found.add(v);
  return found;
}

/**
 * For a loop with a test: what `while ((row = rows.shift()))` takes, what `while (rows.length)` empties, and a cursor,
 * which the body sets, uses, and whose end ends the loop.
 */
function carried(file: FileFacts, loop: Loop, test: Node | null): ReadonlySet<Variable> {
  const set = new Set<Variable>();
  walkOwn(loop.node, (it) => {
    const target =
      it.type === 'AssignmentExpression'
        ? it.left
        : it.type === 'UpdateExpression'
          ? it.argument
          : undefined;
    if (!target) return;
    const variable = target.type === 'Identifier' ? file.variableOf(target) : undefined;
    if (variable && !variable.defs.some(({ name }) => contains(loop.body, name as Node)))
      set.add(variable);
  });
  const emptied = test ? emptiedBy(file, loop, test) : new Set<Variable>();
  const derived = derivedIn(file, loop.body, set);
  const ends = [...(test ? [test] : []), ...leavingTests(loop)];
  const isEnding = ends.some(
    (it) => mentions(file, it, derived) || mentions(file, it, resultsOf(file, loop)),
  );
  return new Set([...emptied, ...(isEnding ? set : [])]);
}

/** Variables that the body takes off a list which the test asks about. */
function emptiedBy(file: FileFacts, loop: Loop, test: Node): ReadonlySet<Variable> {
  const lists = new Set<string>();
  const found = new Set<Variable>();
  walk(test, (it) => {
    if (it.type !== 'MemberExpression') return;
    if (/^(?:length|size)$/.test(propertyName(it) ?? '')) lists.add(file.textOf(it.object));
  });
  walkOwn(loop.body, (it) => {
    if (it.type !== 'VariableDeclarator' || !it.init) return;
    const call = bare(it.init);
    const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
    if (callee?.type !== 'MemberExpression') return;
    if (!/^(?:shift|pop|splice)$/.test(propertyName(callee) ?? '')) return;
    if (lists.has(file.textOf(callee.object)))
      for (const v of declaredIn(file, it.id)) found.add(v);
  });
  return found;
}

function leavingTests(loop: Loop): readonly Node[] {
  const tests: Node[] = [];
  walkOwn(loop.body, (it) => {
    if (it.type !== 'IfStatement') return;
    let leaves = false;
    walkOwn(it.consequent, (inner) => {
      leaves ||= inner.type === 'BreakStatement' || inner.type === 'ReturnStatement';
    });
    if (leaves) tests.push(it.test);
  });
  return tests;
}

/** Parameters for which the next round gets another value than this one. */
function passedOn(file: FileFacts, loop: Loop): ReadonlySet<Variable> {
  const fn = loop.body.parent;
  if (!isFunction(fn)) return new Set();
  const parameters = parametersOf(file, loop);
  const calls = loop.rounds
    .map((it) => it.node.parent)
    .filter((it) => it?.type === 'CallExpression');
  if (calls.length === 0 || calls.some((it) => it.arguments.length === 0)) return new Set();
  const same = new Set<Variable>();
  for (const call of calls) {
    for (const argument of call.arguments) {
      for (const it of passedValues(argument)) {
        const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
        if (variable) same.add(variable);
      }
    }
  }
  return new Set([...parameters].filter((it) => !same.has(it)));
}

function passedValues(argument: Node): readonly Node[] {
  const it = bare(argument);
  return it.type === 'ObjectExpression'
    ? it.properties.flatMap((property) => (property.type === 'Property' ? [property.value] : []))
    : [it];
}

/** Those variables, and the ones that `body` derives from them: by declaring, iterating, assigning or filling. */
export function derivedIn(
  file: FileFacts,
  body: Node,
  from: ReadonlySet<Variable>,
): ReadonlySet<Variable> {
  const found = new Set(from);
  if (found.size === 0) return found;
  // Twice, because a declaration may use what is declared after it in an earlier iteration.
  for (let pass = 0; pass < 2; pass++) {
    walkOwn(body, (it) => {
      if (it.type === 'VariableDeclarator' && it.init && mentions(file, it.init, found)) {
        for (const variable of declaredIn(file, it.id)) found.add(variable);
      }
      if (it.type === 'ForOfStatement' && mentions(file, it.right, found)) {
        for (const variable of declaredIn(file, it.left)) found.add(variable);
      }
      if (
        it.type === 'AssignmentExpression' &&
        it.left.type === 'Identifier' &&
        mentions(file, it.right, found)
      ) {
        const variable = file.variableOf(it.left);
        if (variable) found.add(variable);
      }
      const filled = filledIn(file, body, it);
      if (filled && mentions(file, it, found)) found.add(filled);
    });
  }
  return found;
}

/** `const filter = {}; filter.id = id`, `values.push(id)`, `request.input('id', id)`: what the body makes, and what it puts something into. */
function filledIn(file: FileFacts, body: Node, node: Node): Variable | undefined {
  const target = writtenTarget(node) ?? builderTold(file, node);
  const root = target && rootOf(target);
  const variable = root?.type === 'Identifier' ? file.variableOf(root) : undefined;
  return variable?.defs.some(({ name }) => contains(body, name as Node)) ? variable : undefined;
}

/** The object of a library that a statement tells what it is to ask for. */
function builderTold(file: FileFacts, node: Node): Node | undefined {
  // no veto: what is done with the answer is seen elsewhere.
  if (node.type !== 'CallExpression' || node.parent.type !== 'ExpressionStatement')
    return undefined;
  const library = libraryCallOf(file, node);
  return library?.signature.returns === 'this' ? bare(node.callee) : undefined;
}

/** The variables with the result of an awaited call in the body, and those derived from it. */
export const resultsOf = query(
  'results',
  (file: FileFacts, loop: Loop): ReadonlySet<Variable> => {
    const found = new Set<Variable>();
    walkOwn(wholeOf(loop), (it) => {
      if (it.type === 'VariableDeclarator' && it.init && holdsAwait(it.init)) {
        for (const variable of declaredIn(file, it.id)) found.add(variable);
      }
      if (
        it.type === 'AssignmentExpression' &&
        it.left.type === 'Identifier' &&
        holdsAwait(it.right)
      ) {
        const variable = file.variableOf(it.left);
        if (variable) found.add(variable);
      }
      if (it.type === 'VariableDeclarator' && it.init && isTaken(it.init)) {
        for (const variable of declaredIn(file, it.id)) found.add(variable);
      }
    });
    return derivedIn(file, loop.body, found);
  },
  { whileCyclic: new Set() },
);

/** `queue.shift()`: taken from a list in memory. */
function isTaken(node: TSESTree.Expression): boolean {
  const call = bare(node);
  const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    /^(?:shift|pop|dequeue)$/.test(propertyName(callee) ?? '')
  );
}

/** The function around `node`, or the module: the scope of its behaviour. */
export function scopeAround(file: FileFacts, node: Node): Node {
  return functionAround(node) ?? file.ast;
}
