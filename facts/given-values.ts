// vetoes of no-sequential-independent-awaits
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, calledName, contains, type FunctionNode, type Node, propertyName } from './ast.ts';
import { type Call, passedBy } from './calls.ts';
import { conditionsOn } from './conditions.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from './file.ts';

/**
 * Whether the callee would do this only if it had not been given what this call gives it:
 * `const found = roles ?? (await load(user))` of a call with `{ roles: ['editor'] }`.
 */
export function isSparedBy(call: Call, callee: FunctionNode, { at }: Effect): boolean {
  // no veto: conditions further down are those of another call.
  if (!contains(callee, at.node)) return false;
  const given = passedBy(call);
  // no veto: what follows a spread may stand for any parameter, and only lists are sure to be there.
  if (given.some((it) => it.type === 'SpreadElement') || !given.some(holdsList)) return false;
  return conditionsOn(at.node, callee).some(({ test, holds, node }) => {
    const missing = test && missingIn(test, holds);
    if (!missing) return false;
    const part = givenAs(at.file, missing, callee, node);
    const value = part && valueGiven(given[part.index], part.member);
    return value !== undefined && isThere(value);
  });
}

/** The name that is not there where the test comes out so: `!roles`, `roles == null`, `!roles || !Array.isArray(roles)`. */
function missingIn(test: Node, holds: boolean): TSESTree.Identifier | undefined {
  const it = bare(test);
  if (it.type === 'UnaryExpression' && it.operator === '!') return missingIn(it.argument, !holds);
  if (it.type === 'Identifier') return holds ? undefined : it;
  if (it.type === 'CallExpression' && calledName(it.callee) === 'isArray') {
    const argument = it.arguments[0] && bare(it.arguments[0]);
    return !holds && argument?.type === 'Identifier' ? argument : undefined;
  }
  if (it.type === 'BinaryExpression' && holds && /^===?$/.test(it.operator)) {
    const isNothing =
      (it.right.type === 'Literal' && it.right.value === null) ||
      (it.right.type === 'Identifier' && it.right.name === 'undefined');
    return isNothing && it.left.type === 'Identifier' ? it.left : undefined;
  }
  if (it.type !== 'LogicalExpression') return undefined;
  const left = missingIn(it.left, holds);
  if (it.operator === '??') return !holds && it.left.type === 'Identifier' ? it.left : undefined;
  // Either of two signs has to be one of the same name.
  if ((it.operator === '||') !== holds) return left ?? missingIn(it.right, holds);
  const right = missingIn(it.right, holds);
  return left && right?.name === left.name ? left : undefined;
}

interface Given {
  readonly index: number;
  readonly member: string | undefined;
}

/** Which part of the arguments the name stands for, where nothing else is assigned to it but behind the test. */
function givenAs(
  file: FileFacts,
  name: TSESTree.Identifier,
  callee: FunctionNode,
  condition: Node,
): Given | undefined {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  if (!variable || !definition) return undefined;
  const isOverwritten = variable.references.some(
    (it) => it.isWrite() && !it.init && !contains(condition, it.identifier as Node),
  );
  if (isOverwritten) return undefined;
  const own = parameterAt(callee, (it) => it === definition.name);
  if (own) return own;
  // `const { roles } = options;`
  if (definition.type !== 'Variable' || definition.node.id.type !== 'ObjectPattern') {
    return undefined;
  }
  const { id, init } = definition.node;
  const from = init && bare(init);
  const whole = from?.type === 'Identifier' ? file.variableOf(from)?.defs[0] : undefined;
  const parameter = whole && parameterAt(callee, (it) => it === whole.name);
  const member = memberIn(id, (it) => it === definition.name);
  return parameter?.member === undefined && parameter && member !== undefined
    ? { index: parameter.index, member }
    : undefined;
}

function parameterAt(fn: FunctionNode, is: (it: Node) => boolean): Given | undefined {
  for (const [index, parameter] of fn.params.entries()) {
    if (is(parameter)) return { index, member: undefined };
    if (parameter.type !== 'ObjectPattern') continue;
    const member = memberIn(parameter, is);
    if (member !== undefined) return { index, member };
  }
  return undefined;
}

function memberIn(
  { properties }: TSESTree.ObjectPattern,
  is: (it: Node) => boolean,
): string | undefined {
  const found = properties.find((it) => it.type === 'Property' && is(it.value));
  return found?.type === 'Property' ? propertyName(found) : undefined;
}

function valueGiven(argument: Node | undefined, member: string | undefined): Node | undefined {
  if (!argument || member === undefined) return argument;
  const it = bare(argument);
  if (it.type !== 'ObjectExpression') return undefined;
  // What is spread after it may take it away again.
  const last = it.properties.findLast(
    (property) => property.type === 'SpreadElement' || propertyName(property) === member,
  );
  return last?.type === 'Property' ? last.value : undefined;
}

/** A list, or an object with one: spares the question what stands around everything that a callee does. */
function holdsList(argument: Node): boolean {
  const it = bare(argument);
  return it.type === 'ObjectExpression'
    ? it.properties.some((part) => part.type === 'Property' && isThere(part.value))
    : isThere(it);
}

/** What no test takes for missing. */
function isThere(node: Node): boolean {
  return bare(node).type === 'ArrayExpression';
}
