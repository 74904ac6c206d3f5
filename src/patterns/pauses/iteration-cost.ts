import { heavyWork } from '../../analysis/words/work.ts';
import { patternOf } from '../../analysis/words/word-list.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  dottedName,
  isFunction,
  isLoop,
  type Node,
  propertyName,
  walk,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop, LoopAwait } from '../../analysis/flow/loops.ts';
import { onlyWaitOf } from '../../analysis/flow/only-waits.ts';
import { type Pause, pauseOf } from '../../analysis/flow/turns.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { nameOfCall } from './work.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/** The work of one iteration besides yielding: waits for real I/O, or computes a little in memory. */
export interface IterationCost {
  readonly kind: 'async' | 'memory';
  /** The first step that waits, or that works in memory. */
  readonly step: string;
  /** Calls in the body, without those of the yield. */
  readonly calls: number;
}

/** Words in the names of functions that hold the processor for long. */
const HEAVY = patternOf(heavyWork, { flags: '' });

/** Methods of built-in objects that are done in no time. */
const LIGHT_METHODS = new Set(
  (
    'push pop shift unshift set get has add delete clear at slice concat join includes indexOf keys values entries ' +
    'toString toFixed toUpperCase toLowerCase trim split startsWith endsWith padStart padEnd substring charAt charCodeAt ' +
    'trimStart trimEnd replace replaceAll isNaN isFinite isInteger isArray assign ' +
    'getTime toISOString now log info debug warn error trace increment inc emit ' +
    'max min floor ceil round trunc abs sign sqrt cbrt hypot pow exp log2 log10 sin cos tan asin acos atan atan2 ' +
    'freeze from of then catch finally next done observe labels'
  ).split(' '),
);

/** Synchronous database drivers answer in microseconds. */
function isLightLibraryCall(file: FileFacts, call: TSESTree.CallExpression): boolean {
  const library = libraryCallOf(file, call);
  return library?.signature.effect?.env === 'db' && library.signature.effect.sync === true;
}

/** So many waits for I/O separate an iteration's computations anyway: one more turn adds nothing. */
const SEVERAL = 3;

/** The body of `loop` when it is light, apart from the yield; undefined when that is not proved. */
export function iterationCost(
  file: FileFacts,
  loop: Loop,
  { node: turn, through }: Pick<Pause, 'node' | 'through'>,
  { maxCalls }: { readonly maxCalls: number },
): IterationCost | undefined {
  const behind = workBehind({ through });
  // veto: the function that yields also does heavy or unresolved work
  if (!behind.every(({ file: at, node }) => isLightStep(at, node))) return undefined;
  const all = callsIn(loop.body).filter((it) => !contains(turn, it));
  const calls = all.filter((it) => !isTrivial(it));
  if (calls.length > maxCalls) return undefined;
  const awaited = loop.awaits.filter((it) => !contains(turn, it.node) && !contains(it.node, turn));
  const io = awaited.filter(({ node }) => isIo(file, node));
  const first = io[0]?.node;
  const isSeparated = io.length >= SEVERAL && !calls.some((it) => isHeavyForSure(it));
  if (!isSeparated && !isLightBody(file, loop, { all, awaited, io })) return undefined;
  if (isSeparated && hasInnerStatementLoop(loop)) return undefined;
  if (first?.type === 'AwaitExpression') {
    return { kind: 'async', step: nameOfCall(first.argument), calls: calls.length };
  }
  const [step] = all.filter((call) => !awaited.some(({ node }) => contains(node, call)));
  const name = step ? nameOfCall(step) : (sumIn(loop.body) ?? nameOfStep(behind[0]));
  return name !== undefined && loop.over && loop.kind !== 'for-await'
    ? { kind: 'memory', step: name, calls: calls.length }
    : undefined;
}

/** What the functions around a yield do besides: `push` of `async add(row) { this.rows.push(row); await turn(); }`. */
export function workBehind({ through }: Pick<Pause, 'through'>): readonly Place[] {
  return through.flatMap((it) => {
    const body = bodyOf(it.node);
    const wait = onlyWaitOf(it);
    const steps = [...callsIn(body), ...sumsIn(body)];
    return steps
      .filter((step) => !(wait && contains(wait, step)) && !isAside(step))
      .map((node) => ({ file: it.file, node }));
  });
}

function isAside(step: Node): boolean {
  const isCall = step.type === 'CallExpression' || step.type === 'NewExpression';
  return isCall && isTrivial(step);
}

function isLightStep(file: FileFacts, node: Node): boolean {
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  return !isCall || (isLight(file, node) && !isHeavyName(file, node));
}

function nameOfStep(step: Place | undefined): string | undefined {
  const node = step?.node;
  if (!node) return undefined;
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  return isCall ? nameOfCall(node) : dottedName(node);
}

/** `total += row.amount`: what a loop that calls nothing computes. */
function sumIn(body: Node): string | undefined {
  const [target] = sumsIn(body);
  return target && dottedName(target);
}

function sumsIn(body: Node): readonly Node[] {
  const targets: Node[] = [];
  walkOwn(body, (it) => {
    if (it.type === 'AssignmentExpression' && it.operator !== '=') targets.push(it.left);
    if (it.type === 'UpdateExpression') targets.push(it.argument);
  });
  return targets;
}

interface Parts {
  readonly all: readonly AnyCall[];
  readonly awaited: readonly LoopAwait[];
  readonly io: readonly LoopAwait[];
}

/** Everything in the body is known, and nothing of it takes long. */
function isLightBody(file: FileFacts, loop: Loop, { all, awaited, io }: Parts): boolean {
  if (hasInnerLoop(loop)) return false;
  if (awaited.some((it) => !io.includes(it) && !isPause(file, it.node))) return false;
  const others = all.filter((call) => !awaited.some(({ node }) => contains(node, call)));
  return (
    others.every((call) => isLight(file, call)) && !all.some((call) => isHeavyName(file, call))
  );
}

function hasInnerStatementLoop(loop: Loop): boolean {
  let found = false;
  walk(loop.body, (node) => {
    found ||= node !== loop.body && isLoop(node);
  });
  return found;
}

/** Logging, dates and conversions, which no budget needs to count. */
function isTrivial(call: AnyCall): boolean {
  const name = lastName(call.callee);
  return (
    /^(?:log|debug|info|warn|error|trace|Date|Number|String|Boolean|BigInt|toString|getTime|toISOString|now)$/.test(
      name,
    ) || isErrorName(name)
  );
}

function isErrorName(name: string): boolean {
  return name.endsWith('Error');
}

function lastName(node: Node): string {
  const callee = bare(node);
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
}

/** Work whose name leaves no doubt. */
function isHeavyForSure(call: AnyCall): boolean {
  return /^(?:stringify|structuredClone|\w+Sync)$|\b(?:verify|hash|sign|encrypt|decrypt|compress|decompress|render|transpile|compile|serialize|deserialize|process (?:block|slots?|epoch)|state transition|resize|classify|tokenize|embed)\b/.test(
    `${lastName(call.callee)} ${wordsOf(lastName(call.callee))}`,
  );
}

function hasInnerLoop(loop: Loop): boolean {
  let found = false;
  walk(loop.body, (node) => {
    found ||= node !== loop.body && isLoop(node);
    if (node.type === 'CallExpression' && node.arguments.some((it) => isFunction(it))) {
      const callee = bare(node.callee);
      found ||=
        callee.type === 'MemberExpression' &&
        /^(?:map|forEach|filter|reduce|flatMap|sort|some|every|find)$/.test(
          propertyName(callee) ?? '',
        );
    }
  });
  return found;
}

type AnyCall = TSESTree.CallExpression | TSESTree.NewExpression;

function callsIn(body: Node): readonly AnyCall[] {
  const found: AnyCall[] = [];
  walkOwn(body, (node) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') found.push(node);
  });
  return found;
}

function isPause(file: FileFacts, node: Node): boolean {
  return node.type === 'AwaitExpression' && pauseOf(file, node.argument) !== undefined;
}

/** The await leaves the process: what it calls is known, and nothing in it is unknown or heavy. */
function isIo(file: FileFacts, node: Node): boolean {
  const { effects } = behaviourOf(file, node, scopeAround(file, node));
  return effects.some((it) => it.env !== 'timer' && it.env !== 'console' && !it.memo);
}

/** Calls of the project's own functions are followed this far. */
const DEEPEST = 4;

function isLight(file: FileFacts, call: AnyCall, depth = 0): boolean {
  if (call.type === 'NewExpression') {
    return (
      call.callee.type === 'Identifier' &&
      /^(?:Map|Set|Date|Error|Array|URL)$/.test(call.callee.name)
    );
  }
  if (isLightLibraryCall(file, call)) return true;
  const callee = bare(call.callee);
  const value = valueOf(file, call.callee);
  if (value.kind === 'function') return isLightFunction(value, depth + 1);
  if (callee.type === 'Identifier')
    return /^(?:Number|String|Boolean|BigInt|isNaN|parseInt|parseFloat)$/.test(callee.name);
  return callee.type === 'MemberExpression' && LIGHT_METHODS.has(propertyName(callee) ?? '');
}

/** A function without loops that calls light functions only; what calls itself ends nobody knows when. */
function isLightFunction({ file, node: fn }: FunctionValue, depth: number): boolean {
  let isHeavy = depth > DEEPEST;
  walk(bodyOf(fn), (node) => {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    isHeavy ||= isLoop(node) || node.type === 'AwaitExpression';
    isHeavy ||= isCall && !isLight(file, node, depth);
    return !isHeavy;
  });
  return !isHeavy;
}

function isHeavyName(file: FileFacts, call: AnyCall): boolean {
  if (libraryCallOf(file, call)) return false;
  return HEAVY.test(wordsOf(lastName(call.callee)));
}
