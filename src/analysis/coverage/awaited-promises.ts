import type { FileFacts } from '../file/file.ts';
import { bare, contains, isNamed, type Node, propertyName } from '../syntax/ast.ts';
import { isCall } from '../syntax/calls.ts';

/**
 * The promises that an expression waits for, as the expressions that started them: the elements of `Promise.all`, both branches of a
 * condition, `pool.query()` of `const early = pool.query()`. A promise of which the start is not found is there as its name.
 */
export function promisesOf(file: FileFacts, expression: Node): readonly Node[] {
  const it = bare(expression);
  switch (it.type) {
    case 'SequenceExpression':
      return promisesOf(file, it.expressions.at(-1)!);
    case 'ConditionalExpression':
      return [it.consequent, it.alternate].flatMap((branch) => promisesOf(file, branch));
    case 'LogicalExpression':
      // The left side is waited for where it is no promise: `cached ?? load()`.
      return promisesOf(file, it.right);
    case 'Identifier':
      return startsOf(file, it);
    case 'CallExpression': {
      const callee = bare(it.callee);
      if (callee.type !== 'MemberExpression') return [it];
      const name = propertyName(callee) ?? '';
      const [list] = it.arguments;
      if (list && isNamed(bare(callee.object), 'Promise') && COMBINES.has(name))
        return elementsOf(file, list) ?? [it];
      const [base] = CHAINS.has(name) ? promisesOf(file, callee.object) : [];
      return base && !contains(it, base) ? [base] : [it];
    }
    default:
      return PLAIN.has(it.type) ? [] : [it];
  }
}

const COMBINES: ReadonlySet<string> = new Set(['all', 'allSettled', 'any', 'race']);
const CHAINS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** Values that are no promises. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression'],
  ...['ArrowFunctionExpression', 'FunctionExpression', 'ClassExpression'],
  ...['AwaitExpression', 'BinaryExpression', 'UnaryExpression', 'UpdateExpression'],
]);

/** Undefined where the list is made by a call that is part of the expression: what that does is found there. */
function elementsOf(file: FileFacts, list: Node): readonly Node[] | undefined {
  const it = bare(list);
  if (it.type === 'Identifier') return startsOf(file, it);
  if (it.type !== 'ArrayExpression') return undefined;
  return it.elements.flatMap((element) => {
    if (!element) return [];
    return element.type === 'SpreadElement' ? [element] : promisesOf(file, element);
  });
}

/** The call that a constant holds the result of; a different value than a call is no promise. */
function startsOf(file: FileFacts, name: Extract<Node, { type: 'Identifier' }>): readonly Node[] {
  const variable = file.variableOf(name);
  const [definition, ...others] = variable?.defs ?? [];
  if (definition?.type !== 'Variable' || others.length > 0 || variable!.writes.length > 0)
    return name.name === 'undefined' ? [] : [name];
  const { id, init } = definition.node;
  const start = init && bare(init);
  if (!start || id.type !== 'Identifier') return [name];
  if (isCall(start)) return [start];
  // Promises may be pushed to an array later.
  return PLAIN.has(start.type) && start.type !== 'ArrayExpression' ? [] : [name];
}
