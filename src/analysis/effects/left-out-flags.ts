import type { TSESTree } from '@typescript-eslint/utils';
import { bare, calledName, childrenOf, type Node } from '../syntax/ast.ts';
import { type Call, calleeOf, isSpreadUpTo, passedBy } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Variable } from '../syntax/names.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import type { FunctionValue } from '../file/value.ts';

/** Parameters that are false in one call of a function, or are proved to be strings. */
export type Flags = ReadonlyMap<Variable, 'false' | 'text'>;

const NO_FLAGS: Flags = new Map();

export function keyOfFlags(flags = NO_FLAGS): string {
  return [...flags].map(([{ name }, is]) => ` ${is} ${name}`).join('');
}

/**
 * Those that a call leaves out, or passes as false, where the function asks: `refresh` of `run(text)` for
 * `async run(text, refresh = false)`; and those that it passes as text: `query('SELECT 1')`, where that asks for `typeof text`.
 */
export function flagsLeftOut(call: Call, { file, node }: FunctionValue): Flags {
  // veto: the call and the function have different names, so arguments may already be bound
  if (calledName(calleeOf(call)) !== nameOfFunction(node)) return NO_FLAGS;
  const given = passedBy(call, node);
  const flags = node.params.flatMap((parameter, i): readonly [Variable, 'false' | 'text'][] => {
    const argument = given[i];
    const is = argument && isText(argument) ? 'text' : 'false';
    // Passed, or perhaps among what is spread.
    if (isSpreadUpTo(given, i) || (argument && is === 'false' && !isFalse(argument))) return [];
    const [name, fallback] =
      parameter.type === 'AssignmentPattern' ? [parameter.left, parameter.right] : [parameter];
    // veto: the parameter is destructured, or its default is not false
    if (name.type !== 'Identifier' || (is === 'false' && fallback && !isFalse(fallback))) return [];
    const flag = file.variableOf(name);
    return flag && isFlag(flag, is) ? [[flag, is]] : [];
  });
  return flags.length > 0 ? new Map(flags) : NO_FLAGS;
}

function isText(node: Node): boolean {
  const it = bare(node);
  return (
    it.type === 'TemplateLiteral' ||
    (it.type === 'Literal' && typeof it.value === 'string' && it.value !== '')
  );
}

function isFalse(node: Node): boolean {
  const it = bare(node);
  return it.type === 'Literal' ? !it.value : it.type === 'Identifier' && it.name === 'undefined';
}

/** Tested, and what it is told is what it stays. */
function isFlag({ references }: Variable, is: 'false' | 'text'): boolean {
  const uses = references.filter((it) => !it.init);
  const isAsked = is === 'text' ? isAskedForItsType : isTested;
  return uses.every((it) => !it.isWrite()) && uses.some((it) => isAsked(it.identifier as Node));
}

function isAskedForItsType({ parent }: Node): boolean {
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof';
}

function isTested({ parent }: Node): boolean {
  return (
    parent?.type === 'IfStatement' ||
    parent?.type === 'ConditionalExpression' ||
    parent?.type === 'LogicalExpression' ||
    (parent?.type === 'UnaryExpression' && parent.operator === '!')
  );
}

/** The children of a node that run where these are false. */
export function childrenThatRun(file: FileFacts, node: Node, flags = NO_FLAGS): readonly Node[] {
  // no veto: nothing is known of any
  if (flags.size === 0) return childrenOf(node);
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const holds = outcomeOf(file, node.test, flags);
    if (holds === undefined) return childrenOf(node);
    const side = holds ? node.consequent : node.alternate;
    return side ? [node.test, side] : [node.test];
  }
  const isEnd = node.type === 'LogicalExpression' && outcomeOf(file, node.left, flags) === false;
  return isEnd && node.operator === '&&' ? [node.left] : childrenOf(node);
}

function outcomeOf(file: FileFacts, test: Node, flags: Flags): boolean | undefined {
  const it = bare(test);
  if (it.type === 'Identifier') {
    const variable = file.variableOf(it);
    return variable && flags.get(variable) === 'false' ? false : undefined;
  }
  if (it.type === 'BinaryExpression') return outcomeOfType(file, it, flags);
  if (it.type === 'UnaryExpression' && it.operator === '!') {
    const inner = outcomeOf(file, it.argument, flags);
    return inner === undefined ? undefined : !inner;
  }
  // One that is false decides an `&&`, and one that is true an `||`.
  if (it.type !== 'LogicalExpression' || it.operator === '??') return undefined;
  const sides = [it.left, it.right].map((side) => outcomeOf(file, side, flags));
  const deciding = it.operator === '||';
  if (sides.includes(deciding)) return deciding;
  return sides.includes(undefined) ? undefined : !deciding;
}

/** `typeof text === 'object'`, of what is text. */
function outcomeOfType(
  file: FileFacts,
  { left, right, operator }: TSESTree.BinaryExpression,
  flags: Flags,
): boolean | undefined {
  const asked =
    left.type === 'UnaryExpression' && isAskedForItsType(left.argument) ? left.argument : undefined;
  const variable = asked?.type === 'Identifier' ? file.variableOf(asked) : undefined;
  const isKnown = variable !== undefined && flags.get(variable) === 'text';
  // no veto: which of two types comes first, nobody asks.
  if (!/^[=!]==?$/.test(operator)) return undefined;
  // veto: the test does not compare the type of a parameter that is resolved as text
  if (!isKnown || right.type !== 'Literal') return undefined;
  return (right.value === 'string') === operator.startsWith('=');
}
