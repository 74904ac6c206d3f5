import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  isFunction,
  isLoop,
  type Node,
  propertyName,
  walk,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf, behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type Loop, wholeOf } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { certainOf } from '../../analysis/values/quantity.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import {
  countOfCommand,
  countOfRequest,
  isLimited,
  isMany,
  limitOf,
  passedBatch,
} from './batch-sizes.ts';
import { isClaim, isMarked } from './claims.ts';
import { resultVariable } from './result-variable.ts';
import { limitOnTheWay } from './limits-on-the-way.ts';
import { isTakenFrom } from './taken-rows.ts';
import { awaitsIn, nameOfCall } from './work.ts';

/** A step that fetches work from a queue, a table or a list: the poll of a polling loop. */
export interface WorkSource {
  readonly node: Node;
  readonly name: string;
  /** The effect of the call shows that it fetches work, not only its name. */
  readonly isProved: boolean;
  /** It fetches several at a time. */
  readonly isBatch: boolean;
  /** At most this many at a time, where the code contains the number and no caller sets it. */
  readonly batch: number | undefined;
  /** The same, also where a setting or a caller may change the number. */
  readonly most: number | undefined;
  /** The variable that holds what was taken, where the loop itself sees it. */
  readonly result: Variable | undefined;
  /** The call that fetches it, at any place; undefined where only a name shows it. */
  readonly effect: Effect | undefined;
  /** It asks a database, which wakes no worker. */
  readonly isTable: boolean;
}

/** Methods that acquire one unit of work, by name: docs/internals/rules.md, "Conditions of a hot sleep". */
const TAKING =
  /^(?:shift|pop|dequeue|claim|receive|reserve|lease)(?:$|[A-Z_])|^(?:get|fetch|take|find|pull|pick|acquire|lock)_?(?:and_?)?Next|^(?:pull|take|fetch|get|poll|lock)(?:Pending|Queued|Due|Available|Ready)?_?(?:Jobs?|Tasks?|Messages?|WorkItems?)$/;

/** The first step of a polling loop that takes work; `extra` are more names of such functions. */
export function sourceOf(
  file: FileFacts,
  loop: Loop,
  extra: readonly string[] = [],
): WorkSource | undefined {
  return sourceIn(file, loop, extra);
}

const sourceIn = query(
  'work source',
  (file: FileFacts, loop: Loop, extra: readonly string[]): WorkSource | undefined => {
    let whole: readonly Effect[] | undefined;
    for (const node of awaitsIn(wholeOf(loop))) {
      const call = calledIn(node.argument);
      const scope = scopeAround(file, node);
      const { effects } = behaviourOf(file, node, scope);
      const around = () => (whole ??= behaviourOf(file, loop.body, scope).effects);
      const source =
        provedSource({ file, node, call, effects, body: loop.body, around }) ??
        (call && namedSource({ file, loop, node, call, effects }, extra));
      if (source) return source;
    }
    return chainedSource(file, loop) ?? takenFromList(file, loop);
  },
  { whileCyclic: undefined, keyOf: (extra) => extra.join() },
);

/** `takeJob().then(…).finally(() => setTimeout(run, 100))`: a promise that nobody awaits, but that sets the timer. */
function chainedSource(file: FileFacts, loop: Loop): WorkSource | undefined {
  for (const round of loop.rounds) {
    for (let it: Node | undefined = round.node; it && it !== loop.body; it = it.parent) {
      if (it.type !== 'ExpressionStatement') continue;
      const call = rootOfChain(it.expression);
      const callee = call && valueOf(file, call.callee);
      if (!call || callee?.kind !== 'function') return undefined;
      const { effects } = behaviourOfFunction(callee);
      return provedSource({
        file,
        node: call,
        call,
        effects,
        body: loop.body,
        around: () => effects,
      });
    }
  }
  return undefined;
}

function rootOfChain(node: Node): TSESTree.CallExpression | undefined {
  let call = calledIn(node);
  for (;;) {
    const callee = call && bare(call.callee);
    if (callee?.type !== 'MemberExpression') return call;
    if (!/^(?:then|catch|finally)$/.test(propertyName(callee) ?? '')) return call;
    call = calledIn(callee.object);
  }
}

function calledIn(node: Node): TSESTree.CallExpression | undefined {
  const it = bare(node);
  return it.type === 'CallExpression' ? it : undefined;
}

interface Asked {
  readonly file: FileFacts;
  readonly node: Node;
  readonly call: TSESTree.CallExpression | undefined;
  readonly effects: readonly Effect[];
  /** One iteration. */
  readonly body: Node;
  /** The effects of all that runs with the call: a pass over a table may stand in the loop itself. */
  readonly around: () => readonly Effect[];
}

/** The source that effects prove, of one iteration. */
export function provedSource(asked: Asked): WorkSource | undefined {
  const { file, node, call, effects } = asked;
  const taken = () =>
    effects.find((it) => isTakenFrom({ file, node }, asked.body, it, isLimited(it)));
  const taking = effects.find((it) => it.work || isClaim(it) || isMarked(it, effects)) ?? taken();
  const pass = taking ? undefined : effects.find((it) => isPass(it, asked.around));
  const effect = taking ?? pass;
  if (!effect) return undefined;
  const result = resultVariable(file, node);
  const isCommand = effect.env === 'redis';
  const count = isCommand ? countOfCommand(effect) : countOfRequest(effect);
  // What a command of Redis is given beside its count are keys and times.
  const isOwn = effect.at.node === call;
  const passed = call && !(isCommand && (isOwn || !count)) ? passedBatch(file, call) : undefined;
  const size =
    [count, limitOf(effect), passed].find((it) => it?.value !== undefined) ??
    limitOnTheWay({ file, node }, effect);
  const several = size?.value;
  return {
    node,
    name: nameOfCall(call ?? node),
    isProved: taking !== undefined,
    isBatch: several !== undefined ? several > 1 : count !== undefined || isMany(effect, result),
    batch: size && certainOf(size),
    most: several,
    result,
    effect,
    isTable: effect.env === 'db',
  };
}

/** `const batch = await claimMails(20)`: by its name it takes work, by its effects it writes, and what it answers is kept. */
export function claimAt(file: FileFacts, node: TSESTree.AwaitExpression): WorkSource | undefined {
  const call = calledIn(node.argument);
  const result =
    call && TAKING.test(methodName(call) ?? '') ? resultVariable(file, node) : undefined;
  // no veto: its effects alone decide about what is named otherwise, or left alone.
  if (!call || !result) return undefined;
  const { effects } = behaviourOf(file, node, scopeAround(file, node));
  const effect = effects.find((it) => it.env === 'db' && it.op === 'write');
  const size = passedBatch(file, call);
  return (
    effect && {
      ...{ node, name: nameOfCall(call), isProved: true, result, effect, isTable: true },
      ...{ isBatch: size?.value !== 1, batch: size && certainOf(size), most: size?.value },
    }
  );
}

/** At most so many rows, each of which the same run works off and writes: a worker's pass over a job table. */
function isPass(effect: Effect, around: () => readonly Effect[]): boolean {
  if (effect.env !== 'db' || (limitOf(effect)?.value ?? 0) <= 1) return false;
  const writes = around().filter((it) => it.env === 'db' && it.op === 'write');
  if (writes.length === 0) return false;
  // veto: each iteration reads the same rows: the query has no condition, and no write goes to its table
  if (!tellsApart(effect) && !writes.some((it) => isMaybeOf(effect, it))) return false;
  const { file, node } = effect.at;
  const variable = resultVariable(file, node);
  const scope = functionAround(node);
  return variable !== undefined && scope !== undefined && isWorkedOff(file, scope, variable);
}

/** It asks for those that are left. */
function tellsApart(effect: Effect): boolean {
  const { file, node } = effect.at;
  return /where|cursor|skip|offset/i.test(sqlAt(effect) ?? file.textOf(node));
}

/** Of the same table, so that the next round finds others there. */
function isMaybeOf(read: Effect, write: Effect): boolean {
  if (read.keys.length === 0 || write.keys.length === 0) return true;
  return write.keys.some((it) => read.keys.includes(it));
}

/** `for (const row of rows) await …` or `rows.map(async (row) => …)`. */
function isWorkedOff(file: FileFacts, scope: Node, variable: Variable): boolean {
  const own = new Set([variable]);
  let found = false;
  walk(scope, (it) => {
    if (it.type === 'ForOfStatement' && mentions(file, it.right, own)) {
      found ||= awaitsIn(it.body).length > 0;
    }
    if (it.type !== 'CallExpression') return;
    const callee = bare(it.callee);
    const [callback] = it.arguments;
    if (callee.type !== 'MemberExpression' || !isFunction(callback)) return;
    found ||= mentions(file, callee.object, own) && callback.async;
  });
  return found;
}

interface Named {
  readonly file: FileFacts;
  readonly loop: Loop;
  readonly node: TSESTree.AwaitExpression;
  readonly call: TSESTree.CallExpression;
  readonly effects: readonly Effect[];
}

/** `const job = await worker.getNextJob()`, where the loop then does something with the job. */
function namedSource(
  { file, loop, node, call, effects }: Named,
  extra: readonly string[],
): WorkSource | undefined {
  const name = methodName(call);
  if (!name || !(TAKING.test(name) || extra.includes(name))) return undefined;
  const result = resultVariable(file, node);
  if (!result || !isHandled(file, loop, result, node)) return undefined;
  const size = passedBatch(file, call);
  return {
    node,
    name: nameOfCall(call),
    isProved: false,
    isBatch: size !== undefined || isIterated(file, loop, result),
    batch: size && certainOf(size),
    most: size?.value,
    result,
    effect: undefined,
    isTable: effects.some(({ env }) => env === 'db'),
  };
}

function methodName(call: TSESTree.CallExpression): string | undefined {
  const callee = bare(call.callee);
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
}

/** `const job = queue.shift()` in a loop that goes on when there is none. */
function takenFromList(file: FileFacts, loop: Loop): WorkSource | undefined {
  let found: WorkSource | undefined;
  walkOwn(loop.body, (it) => {
    // That loop takes it.
    if (isLoop(it)) return false;
    if (it.type !== 'CallExpression' || !/^(?:shift|pop|dequeue)$/.test(methodName(it) ?? ''))
      return true;
    const result = resultVariable(file, it);
    if (result && isHandled(file, loop, result, it)) {
      found ??= {
        node: it,
        name: nameOfCall(it),
        isProved: false,
        isBatch: false,
        batch: undefined,
        most: undefined,
        result,
        effect: undefined,
        isTable: false,
      };
    }
    return true;
  });
  return found;
}

/** What was taken goes into a call, or is gone through, inside the loop. */
function isHandled(file: FileFacts, loop: Loop, result: Variable, source: Node): boolean {
  const own = new Set([result]);
  let found = false;
  walk(loop.body, (it) => {
    if (contains(source, it)) return;
    if (it.type === 'ForOfStatement') found ||= mentions(file, it.right, own);
    if (it.type !== 'CallExpression' && it.type !== 'NewExpression') return;
    const callee = bare(it.callee);
    const onResult = callee.type === 'MemberExpression' && mentions(file, callee.object, own);
    found ||= onResult || it.arguments.some((argument) => mentions(file, argument, own));
  });
  return found;
}

function isIterated(file: FileFacts, loop: Loop, result: Variable): boolean {
  const own = new Set([result]);
  let found = false;
  walk(loop.body, (it) => {
    if (it.type === 'ForOfStatement') found ||= mentions(file, it.right, own);
    if (it.type === 'MemberExpression') {
      found ||=
        /^(?:map|forEach|length)$/.test(propertyName(it) ?? '') && mentions(file, it.object, own);
    }
  });
  return found;
}
