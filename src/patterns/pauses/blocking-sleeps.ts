import { intendedLoad } from '../../analysis/words/work.ts';
import { patternOf } from '../../analysis/words/word-list.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  dottedName,
  functionAround,
  hasPause,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { busyLoopOf, type Spinning } from './busy-loops.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf } from '../../analysis/syntax/calls.ts';
import { isSaidNear } from '../../analysis/contexts/comments.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { blockingNames } from '../../analysis/model/names.ts';
import { functionNames } from '../../analysis/syntax/function-names.ts';
import { sqlTextOf as textOf } from '../../analysis/provenance/sql-text.ts';
import { certainNumber } from '../../analysis/values/values.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/** A pause during which the thread does nothing else: no timer, no callback, no request. */
export interface BlockingSleep {
  readonly node: TSESTree.CallExpression | Spinning;
  readonly how: 'Atomics.wait' | 'busy loop' | 'execSync' | 'sleepSync';
  /** Milliseconds, where the code contains them. */
  readonly ms: number | undefined;
  /** An expression of the milliseconds that can be written elsewhere, in a function inside of this one, too. */
  readonly msText: string | undefined;
}

type Time = Pick<BlockingSleep, 'ms' | 'msText'>;

/** A call that sleeps is spelled so, or what it runs is. */
const CALLS = /\bAtomics\b|sleep|\btimeout\b/i;

/** Every one of the file: first the calls, then the loops. */
export function blockingSleepsOf(file: FileFacts): readonly BlockingSleep[] {
  // Most files with a clock have no such call, and need not be asked what each of their calls is.
  const asked = file.says(CALLS) ? file.nodes.all('CallExpression') : [];
  const calls = asked.filter(mayBlock).flatMap((it) => callSleep(file, it) ?? []);
  const loops = file.nodes
    .all('WhileStatement', 'DoWhileStatement', 'ForStatement')
    .flatMap((it) => loopSleep(file, it) ?? []);
  return [...calls, ...loops];
}

/** Methods of other names cannot, and what they are called on may take a long way to find. */
function mayBlock({ callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  const name = it.type === 'MemberExpression' ? propertyName(it) : undefined;
  // no veto: spares the question.
  return name === undefined || name === 'wait' || blockingNames.has(name);
}

function loopSleep(file: FileFacts, node: Spinning): BlockingSleep | undefined {
  const loop = busyLoopOf(file, node);
  return loop && { node, how: 'busy loop', ...timeOf(file, loop.time) };
}

function callSleep(file: FileFacts, node: TSESTree.CallExpression): BlockingSleep | undefined {
  const callee = valueOf(file, node.callee);
  if (callee.kind === 'global' && callee.name === 'Atomics.wait') {
    const [memory, , , time] = node.arguments;
    // veto: `Atomics.wait` has no time-out, or a different thread can end the wait through its memory
    if (!memory || !time || !isOwnMemory(file, memory)) return undefined;
    return { node, how: 'Atomics.wait', ...timeOf(file, time) };
  }
  const library = libraryCallOf(file, node);
  if (!library?.signature.effect?.sync) return undefined;
  const { sleep, effect } = library.signature;
  if (sleep?.argument !== undefined) {
    const factor = { s: 1_000, ms: 1, us: 0.001 }[sleep.unit];
    return { node, how: 'sleepSync', ...timeOf(file, argumentsOf(node)[sleep.argument], factor) };
  }
  const time = effect.env === 'proc' ? commandTime(file, node) : undefined;
  return time && { node, how: 'execSync', ...time };
}

function timeOf(file: FileFacts, node: Node | undefined, factor = 1): Time {
  const value = node && certainNumber(file, node);
  const ms = value === undefined ? undefined : value * factor;
  const isMovable = node && factor === 1 && !hasPause(node);
  return { ms, msText: isMovable ? file.textOf(node) : ms?.toString() };
}

const COMMAND =
  /^\s*(?:sleep\s+|timeout\s+\/t\s+)(\d+(?:\.\d+)?|\.\d+|\0)(ms|[smhd])?(?:\s+\/nobreak)?\s*$/i;
const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 };

/** How long a process runs that only sleeps: `execSync('sleep 1')`, `spawnSync('sleep', ['1'])`. */
function commandTime(file: FileFacts, call: TSESTree.CallExpression): Time | undefined {
  const [command, list] = call.arguments;
  const elements = list?.type === 'ArrayExpression' ? list.elements : [];
  const words = [command, ...elements].map((it) => {
    const text = it ? textOf(file, it) : undefined;
    return text?.kind === 'text' ? text.text : '\0';
  });
  const [, amount, unit = 's'] = COMMAND.exec(words.join(' ')) ?? [];
  if (amount === undefined) return undefined;
  const ms = amount === '\0' ? undefined : Number(amount) * UNITS[unit.toLowerCase()]!;
  return { ms, msText: ms?.toString() };
}

/** `new Int32Array(new SharedArrayBuffer(4))` that nobody else is given: nobody can end the wait. */
function isOwnMemory(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'Identifier': {
      const init = constantFor(file, file.variableOf(it));
      return init !== undefined && isOwnMemory(file, init);
    }
    case 'NewExpression': {
      const callee = valueOf(file, it.callee);
      if (callee.kind === 'global' && callee.name === 'SharedArrayBuffer') return true;
      const [buffer] = it.arguments;
      return buffer !== undefined && isOwnMemory(file, buffer);
    }
    default:
      return false;
  }
}

/** What a variable is that is set once and used for waiting only. */
function constantFor(
  file: FileFacts,
  variable: Variable | undefined,
): TSESTree.Expression | undefined {
  const [definition] = variable?.defs ?? [];
  if (definition?.type !== 'Variable') return undefined;
  return isForWaits(file, variable!) ? (definition.node.init ?? undefined) : undefined;
}

const isForWaits = query(
  'for waits',
  (_: FileFacts, { references }: Variable): boolean =>
    references.every((it) => it.init || isPartOfWait(it.identifier)),
  { whileCyclic: false },
);

function isPartOfWait({ parent }: Node): boolean {
  if (parent?.type === 'NewExpression') return true;
  return parent?.type === 'CallExpression' && dottedName(parent.callee) === 'Atomics.wait';
}

/** Whether the process serves no requests yet, because the module is being loaded, or no longer, because the process ends. */
export function isBesideService({ node }: BlockingSleep): boolean {
  return !functionAround(node) || isAtExit(node);
}

/** In a handler of the process's `exit`, which nothing can be awaited in. */
function isAtExit(node: Node): boolean {
  for (let it = functionAround(node); it; it = functionAround(it)) {
    const call = it.parent;
    if (
      call.type !== 'CallExpression' ||
      !/^process\.on(?:ce)?$/.test(dottedName(call.callee) ?? '')
    )
      continue;
    const [event] = call.arguments;
    if (event?.type === 'Literal' && event.value === 'exit') return true;
  }
  return false;
}

const LOAD = patternOf(intendedLoad);

/** Whether a name or a comment declares that the code exists to keep the thread busy. */
export function isMeantLoad(file: FileFacts, { node }: BlockingSleep): boolean {
  return functionNames(node).some((it) => LOAD.test(wordsOf(it))) || isSaidNear(file, node, LOAD);
}
