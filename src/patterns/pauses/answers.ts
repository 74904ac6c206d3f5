import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import {
  bare,
  type FunctionNode,
  type Node,
  propertyName,
  undefaulted,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { outcomeOf } from '../../analysis/flow/outcomes.ts';
import { type Pause, pauseInCall } from '../../analysis/flow/turns.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { completes, type Condition, conditionsOn } from '../../analysis/syntax/conditions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { memberQuantityOf } from '../../analysis/values/field-quantities.ts';
import { certainOf, type Quantity } from '../../analysis/values/quantity.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import { resultVariable } from './result-variable.ts';
import { awaitsIn } from './work.ts';
import { claimAt, provedSource } from './work-sources.ts';

/** A constant by which a step says how it went: `'settled'`, `1`, `true`. */
type Constant = string | number | boolean;

/** How many pieces of work a step has done, or a list of them: at least one, where it has done any. */
const SOME = Symbol('at least one');
const LIST = Symbol('a list of at least one');

type Answer = Constant | typeof SOME | typeof LIST;

/** What a step has answered, and the variable that holds it in a file. */
export interface Answered {
  readonly file: FileFacts;
  readonly variable: Variable;
  readonly answer: Answer;
  /** What a number is, where the caller of the function decides it. */
  readonly numberAt?: ((node: Node) => number | undefined) | undefined;
}

/** What the awaited step answers after it has done a piece of work; nothing where that has no name. */
export function answersOf(file: FileFacts, awaited: Node): readonly Answered[] {
  const variable = resultVariable(file, awaited);
  const call = bare(awaited.type === 'AwaitExpression' ? awaited.argument : awaited);
  const step = call.type === 'CallExpression' ? valueOf(file, call.callee) : undefined;
  const answers = step?.kind === 'function' ? answersOfStep(step) : [];
  // no veto: what has no name is tested nowhere.
  if (!variable) return [];
  const resolved: readonly Answer[] = answers.length > 0 ? answers : [LIST];
  return resolved.map((answer) => ({ file, variable, answer }));
}

/** Every constant with which a step can end once it has taken a piece of work and nothing has failed, or the number of pieces. */
export function answersOfStep({ file, node }: FunctionValue): readonly Answer[] {
  return afterWork(file, node) ?? [];
}

const afterWork = query(
  'answers after work',
  (file: FileFacts, fn: FunctionNode): readonly Answer[] | undefined => {
    const body = bodyOf(fn);
    if (body.type !== 'BlockStatement') return constantsAt(file, body);
    const results = new Set(awaitsIn(body).flatMap((it) => resultVariable(file, it) ?? []));
    const found: Answer[] = [];
    let isTold = true;
    walkOwn(body, (it) => {
      if (it.type !== 'ReturnStatement') return;
      const outcomes = conditionsOn(it, body).map((one) => outcomeOf(file, one, results));
      if (outcomes.includes('empty') || outcomes.includes('error')) return;
      const constants = it.argument ? constantsAt(file, it.argument) : undefined;
      if (constants) found.push(...constants);
      else if (it.argument && isCountOfWork(file, fn, it.argument)) found.push(SOME);
      else isTold = false;
    });
    // What comes out at the end answers nothing.
    return isTold && !completes(body) ? [...new Set(found)] : undefined;
  },
  { whileCyclic: undefined },
);

/** `letters.length`, where `letters` is what the step has taken. */
function isCountOfWork(file: FileFacts, fn: FunctionNode, node: Node): boolean {
  const it = bare(node);
  if (it.type === 'LogicalExpression') return isCountOfWork(file, fn, it.left);
  const list = listCounted(it);
  const variable = list?.type === 'Identifier' ? file.variableOf(list) : undefined;
  const taken = awaitsIn(bodyOf(fn)).find((one) => resultVariable(file, one) === variable);
  // no veto: the shape of a count.
  if (!variable || !taken) return false;
  const { effects } = behaviourOf(file, taken, fn);
  const around = () => effects;
  const asked = { file, node: taken, call: undefined, effects, body: bodyOf(fn), around };
  return (provedSource(asked) ?? claimAt(file, taken)) !== undefined;
}

/** `letters` of `letters.length`. */
function listCounted(node: Node): Node | undefined {
  return node.type === 'MemberExpression' && /^(?:length|size)$/.test(propertyName(node) ?? '')
    ? bare(node.object)
    : undefined;
}

function constantsAt(file: FileFacts, node: Node): readonly Answer[] | undefined {
  const it = bare(node);
  if (it.type === 'AwaitExpression') return constantsAt(file, it.argument);
  if (it.type === 'Literal') return isConstant(it.value) ? [it.value] : undefined;
  if (it.type !== 'CallExpression') return undefined;
  const callee = valueOf(file, it.callee);
  return callee.kind === 'function' ? afterWork(callee.file, callee.node) : undefined;
}

function isConstant(value: unknown): value is Constant {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether code under a condition runs after that answer; undefined where the condition is about something else. */
export function isMetBy(
  answered: Answered,
  { kind, test, holds, node }: Condition,
): boolean | undefined {
  if (kind === 'case') return isCaseOf(answered, node as TSESTree.SwitchCase);
  const result = test && testedBy(answered, test);
  return result === undefined ? undefined : result === holds;
}

/** With the empty cases before it, which lead to it. */
function isCaseOf(answered: Answered, own: TSESTree.SwitchCase): boolean | undefined {
  const { discriminant, cases } = own.parent as TSESTree.SwitchStatement;
  // no veto: a number of which only the least is resolved.
  if (typeof answered.answer === 'symbol') return undefined;
  if (!isNamedSo(answered, discriminant)) return undefined;
  const holds = (it: TSESTree.SwitchCase) =>
    it.test?.type === 'Literal' && it.test.value === answered.answer;
  if (!own.test) return !cases.some(holds);
  let first = cases.indexOf(own);
  while (first > 0 && cases[first - 1]!.consequent.length === 0) first--;
  return cases.slice(first, cases.indexOf(own) + 1).some(holds);
}

function testedBy(answered: Answered, test: Node): boolean | undefined {
  const it = bare(test);
  if (isNamedSo(answered, it)) return Boolean(answered.answer);
  if (it.type === 'UnaryExpression' && it.operator === '!') {
    const result = testedBy(answered, it.argument);
    return result === undefined ? undefined : !result;
  }
  if (it.type !== 'BinaryExpression') return undefined;
  const isLeft = isNamedSo(answered, it.left);
  const other = isLeft ? it.right : isNamedSo(answered, it.right) ? it.left : undefined;
  const constant = other && constantOf(answered, bare(other));
  if (constant === undefined) return undefined;
  const { answer } = answered;
  if (typeof answer === 'symbol') return isLeft ? comparedSome(it.operator, constant) : undefined;
  return isLeft ? compared(it.operator, answer, constant) : compared(it.operator, constant, answer);
}

/** A number that is at least one, compared with another. */
function comparedSome(operator: string, other: Constant): boolean | undefined {
  const isAtLeast = other === 1 && operator === '>=';
  if (isAtLeast || (other === 0 && /^(?:>=?|!==?)$/.test(operator))) return true;
  const isLess = other === 1 && operator === '<';
  return isLess || (other === 0 && /^(?:<=?|===?)$/.test(operator)) ? false : undefined;
}

function constantOf({ file, numberAt }: Answered, node: Node): Constant | undefined {
  if (node.type === 'Literal') return isConstant(node.value) ? node.value : undefined;
  return numberAt?.(node) ?? certainOf(quantityOf(file, node));
}

function compared(operator: string, left: Constant, right: Constant): boolean | undefined {
  switch (operator) {
    case '===':
    case '==':
      return left === right;
    case '!==':
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

function isNamedSo({ file, variable, answer }: Answered, node: Node): boolean {
  const it = answer === LIST ? listCounted(bare(node)) : bare(node);
  return it?.type === 'Identifier' && file.variableOf(it) === variable;
}

/** A time that depends on the answer: `restAfter(outcome)`, `RESTS[outcome]`, `outcome === 'idle' ? 1000 : 0`. */
export function timeAfter(answered: Answered, time: Node): Quantity | undefined {
  const { file } = answered;
  const it = bare(time);
  switch (it.type) {
    case 'ConditionalExpression': {
      const result = testedBy(answered, it.test);
      return result === undefined
        ? undefined
        : timeAfter(answered, result ? it.consequent : it.alternate);
    }
    case 'MemberExpression':
      return it.computed && typeof answered.answer !== 'symbol' && isNamedSo(answered, it.property)
        ? memberQuantityOf(file, it.object, String(answered.answer))
        : quantityOf(file, it);
    case 'CallExpression': {
      const inside = answeredIn(answered, it);
      const returned = inside && returnedAfter(inside);
      return returned ? timeAfter(inside, returned) : quantityOf(file, it);
    }
    default:
      return quantityOf(file, it);
  }
}

/** The same of a call of a method that a subclass has replaced: `this.nextDelay(handled)`. */
export function timeOfReplaced(
  answered: Answered,
  time: Node,
  method: FunctionValue,
): Quantity | undefined {
  const call = bare(time);
  const inside = call.type === 'CallExpression' ? answeredIn(answered, call, method) : undefined;
  const returned = inside && returnedAfter(inside);
  return returned && timeAfter(inside, returned);
}

interface AnsweredIn extends Answered {
  readonly callee: FunctionValue;
}

/** The answer as the function knows it that is given it. */
function answeredIn(
  answered: Answered,
  call: TSESTree.CallExpression,
  replacing?: FunctionValue,
): AnsweredIn | undefined {
  const index = call.arguments.findIndex((it) => isNamedSo(answered, it));
  const callee = index === -1 ? undefined : (replacing ?? valueOf(answered.file, call.callee));
  if (callee?.kind !== 'function') return undefined;
  const parameter = callee.node.params[index] && undefaulted(callee.node.params[index]);
  const variable = parameter?.type === 'Identifier' ? callee.file.variableOf(parameter) : undefined;
  const answer = answered.answer === LIST ? SOME : answered.answer;
  return variable && { file: callee.file, variable, answer, callee };
}

/** The one value that the function returns for the answer. */
function returnedAfter(inside: AnsweredIn): Node | undefined {
  const body = bodyOf(inside.callee.node);
  if (body.type !== 'BlockStatement') return body;
  const found: Node[] = [];
  let isTold = true;
  walkOwn(body, (it) => {
    if (it.type !== 'ReturnStatement' || !it.argument) return;
    const met = conditionsOn(it, body).map((one) => isMetBy(inside, one));
    if (met.includes(false)) return;
    isTold &&= !met.includes(undefined);
    found.push(it.argument);
  });
  return isTold && found.length === 1 ? found[0] : undefined;
}

/** `await this.pacing.after(outcome)`, where that function rests in more than one way: the rest after this answer. */
export function restAfter(answered: Answered, call: TSESTree.CallExpression): Pause | undefined {
  const inside = answeredIn(answered, call);
  if (!inside) return undefined;
  const { callee } = inside;
  const body = bodyOf(callee.node);
  const rests = awaitsIn(body).map((wait) => ({
    pause: pauseInCall(answered.file, call, callee, wait),
    met: conditionsOn(wait, body).map((one) => isMetBy(inside, one)),
  }));
  // veto: a test of something else than the result of the step decides which pause runs
  if (rests.some(({ met }) => !met.includes(false) && met.includes(undefined))) return undefined;
  const [rest, ...others] = rests.filter(({ met }) => !met.includes(false));
  return others.length === 0 && rest?.pause
    ? { ...rest.pause, node: call, through: [callee, ...rest.pause.through] }
    : undefined;
}
