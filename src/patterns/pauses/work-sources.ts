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
import { argumentsOf, type Call, isCall } from '../../analysis/syntax/calls.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import {
  certainOf,
  literalQuantity,
  type Quantity,
  unknownQuantity,
} from '../../analysis/values/quantity.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { isClaim } from './claims.ts';
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
  /** The variable that holds what was taken, where the loop itself sees it. */
  readonly result: Variable | undefined;
  /** The call that fetches it, at any place; undefined where only a name shows it. */
  readonly effect: Effect | undefined;
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
    for (const node of awaitsIn(loop.node)) {
      const call = calledIn(node.argument);
      const scope = scopeAround(file, node);
      const { effects } = behaviourOf(file, node, scope);
      const around = () => (whole ??= behaviourOf(file, loop.body, scope).effects);
      const source =
        provedSource(file, node, call, effects, around) ??
        (call && namedSource(file, loop, node, call, extra));
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
      return provedSource(file, call, call, behaviourOfFunction(callee).effects);
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

/** `around` gives the effects of all that runs with the call: a pass over a table may stand in the loop itself. */
function provedSource(
  file: FileFacts,
  node: Node,
  call: TSESTree.CallExpression | undefined,
  effects: readonly Effect[],
  around: () => readonly Effect[] = () => effects,
): WorkSource | undefined {
  const taking = effects.find((it) => it.work || isClaim(it));
  const pass = taking ? undefined : effects.find((it) => isPass(it, around));
  const effect = taking ?? pass;
  if (!effect) return undefined;
  const isCommand = effect.env === 'redis';
  const count = isCommand ? countOfCommand(effect) : countOfRequest(effect);
  // What a command of Redis is given beside its count are keys and times.
  const isOwn = effect.at.node === call;
  const passed = call && !(isCommand && (isOwn || !count)) ? passedBatch(file, call) : undefined;
  const size = [count, limitOf(effect), passed].find((it) => it?.value !== undefined);
  const several = size?.value;
  return {
    node,
    name: nameOfCall(call ?? node),
    isProved: taking !== undefined,
    isBatch: several !== undefined ? several > 1 : count !== undefined || isMany(effect),
    batch: size && certainOf(size),
    result: resultVariable(file, node),
    effect,
  };
}

/** At most so many rows, each of which the same run works off and writes: a worker's pass over a job table. */
function isPass(effect: Effect, around: () => readonly Effect[]): boolean {
  if (effect.env !== 'db' || (limitOf(effect)?.value ?? 0) <= 1) return false;
  const writes = around().filter((it) => it.env === 'db' && it.op === 'write');
  if (writes.length === 0) return false;
  // veto: the same rows in each round
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

/** `LIMIT 20`, `LIMIT $2`, and MySQL's `LIMIT 40, 20`, in which the offset comes first. */
const LIMIT = /\blimit\s+(?:(?:\d+|\$\d+|\?)\s*,\s*)?(?:(\d+)|\$(\d+)|\?)/i;

/** The number of rows or messages that a call asks for: `LIMIT 20`, `LIMIT $2`, `take: 20`. */
function limitOf(effect: Effect): Quantity | undefined {
  const text = sqlAt(effect) ?? '';
  const match = LIMIT.exec(text);
  if (match?.[1]) return literalQuantity(Number(match[1]));
  const { file, node } = effect.at;
  const call = node.type === 'AwaitExpression' ? calledIn(node.argument) : node;
  if (!call || !isCall(call)) return undefined;
  if (match) {
    const upTo = text.slice(0, match.index + match[0].length).split('?').length - 1;
    return boundLimit(file, call, Number(match[2] ?? upTo) - 1);
  }
  return passedBatch(file, call, { isOptionsOnly: true }) ?? chainedLimit(file, call);
}

/** What a placeholder of the statement stands for: `pool.query('… LIMIT $1', [BATCH])`. */
function boundLimit(file: FileFacts, call: Call, index: number): Quantity | undefined {
  const [, given] = argumentsOf(call);
  const values = given && bare(given);
  if (values?.type !== 'ArrayExpression') return undefined;
  const upTo = values.elements.slice(0, index + 1);
  if (upTo.some((it) => it?.type === 'SpreadElement')) return undefined;
  const value = values.elements[index];
  return value ? known(file, value) : undefined;
}

/** `.limit(50)` or `.take(50)` in the chain of a query builder. */
function chainedLimit(file: FileFacts, call: Node): Quantity | undefined {
  for (let it: Node = bare(call); it.type === 'CallExpression';) {
    const callee: Node = bare(it.callee);
    if (callee.type !== 'MemberExpression') return undefined;
    const [argument] = it.arguments;
    if (/^(?:limit|take)$/.test(propertyName(callee) ?? '') && argument) {
      return known(file, argument);
    }
    it = bare(callee.object);
  }
  return undefined;
}

/** `lpop(key, 50)`, `xread('COUNT', 50, …)`; undefined where the command takes one element. */
function countOfCommand({ at, method }: Effect): Quantity | undefined {
  const args = isCall(at.node) ? argumentsOf(at.node) : [];
  const isCounted = /^(?:[lrs]pop|zpop(?:min|max))$/i.test(method);
  const name = args.findIndex((it) => it.type === 'Literal' && /^count$/i.test(String(it.value)));
  const count = isCounted ? args[1] : name === -1 ? undefined : args[name + 1];
  return count && quantityOf(at.file, count);
}

/** How many messages a request takes: as many as its options say, one where they say nothing of it. */
function countOfRequest({ env, at }: Effect): Quantity | undefined {
  if (env !== 'http') return undefined;
  const [given] = chainOf(at.node).flatMap((it) => it.arguments);
  const command = given && bare(given);
  const options = command?.type === 'NewExpression' ? command.arguments[0] : command;
  const value = options && valueOf(at.file, options);
  if (value?.kind !== 'object') return unknownQuantity();
  const { properties } = value.node;
  const own = properties.find(
    (it) => it.type === 'Property' && propertyName(it) === 'MaxNumberOfMessages',
  );
  if (own?.type === 'Property') return quantityOf(value.file, own.value);
  return properties.some((it) => it.type === 'SpreadElement')
    ? unknownQuantity()
    : literalQuantity(1);
}

/** A number that the code tells, as a fact or by default. */
function known(file: FileFacts, node: Node): Quantity | undefined {
  const quantity = quantityOf(file, node);
  return quantity.value === undefined ? undefined : quantity;
}

const LIMITS =
  /^(?:take|limit|batchSize|batch_size|count|max|maxMessages|MaxNumberOfMessages|COUNT|size|n)$/;

function passedBatch(
  file: FileFacts,
  call: Call,
  { isOptionsOnly } = { isOptionsOnly: false },
): Quantity | undefined {
  for (const argument of argumentsOf(call)) {
    const it = bare(argument);
    if (it.type === 'ObjectExpression') {
      for (const property of it.properties) {
        if (property.type !== 'Property' || !LIMITS.test(propertyName(property) ?? '')) continue;
        const size = known(file, property.value);
        if (size) return size;
      }
    } else if (!isOptionsOnly) {
      const size = known(file, it);
      if (Number.isInteger(size?.value) && size!.value! > 1) return size;
    }
  }
  return undefined;
}

/** Of a statement that does not say how many rows it takes nobody knows it. */
function isMany(effect: Effect): boolean {
  const isStatement = effect.env === 'db' && sqlAt(effect) !== undefined;
  return isStatement || /many|batch|all|receive|messages|range|xread/i.test(effect.method);
}

/** The variable that the awaited value goes to. */
export function resultVariable(file: FileFacts, node: Node): Variable | undefined {
  for (let it: Node = node, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (parent.type === 'VariableDeclarator') {
      let name: Node = parent.id;
      if (name.type === 'ArrayPattern' && name.elements[0]) name = name.elements[0];
      if (name.type === 'ObjectPattern') {
        const [property] = name.properties;
        if (property?.type === 'Property') name = property.value;
      }
      return name.type === 'Identifier' ? file.variableOf(name) : undefined;
    }
    if (parent.type === 'AssignmentExpression') {
      return parent.left.type === 'Identifier' ? file.variableOf(parent.left) : undefined;
    }
    if (isFunction(parent)) return undefined;
  }
  return undefined;
}

/** `const job = await worker.getNextJob()`, where the loop then does something with the job. */
function namedSource(
  file: FileFacts,
  loop: Loop,
  node: TSESTree.AwaitExpression,
  call: TSESTree.CallExpression,
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
    result,
    effect: undefined,
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
        result,
        effect: undefined,
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
