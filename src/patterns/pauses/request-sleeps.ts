import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isSaidNear } from '../../analysis/contexts/comments.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { type Pause, pauseOf } from '../../analysis/flow/turns.ts';
import {
  bare,
  calledName,
  functionAround,
  type FunctionNode,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { conditionsOn, isChoice } from '../../analysis/syntax/conditions.ts';
import { functionNames } from '../../analysis/syntax/function-names.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { servedBy } from '../../analysis/contexts/served.ts';
import { intentionOf } from './pacing.ts';

/** A fixed pause that each request waits for. */
export interface RequestSleep {
  readonly node: TSESTree.AwaitExpression;
  readonly pause: Pause;
}

/** Shorter ones are turns of the event loop, or a person would not notice them. */
const LEAST_MS = 10;

/** All of the file, outside of loops: docs/internals/rules.md, "A sleep in a request". */
export function requestSleepsOf(file: FileFacts, options: Options): readonly RequestSleep[] {
  const words = { words: options.pacingWords, ignoresParameters: options.ignoreParameters };
  return file.nodes.all('AwaitExpression').flatMap((node) => {
    // no veto: spares the question, since a pause has a promise of its own or is given its time.
    if (!mayPause(bare(node.argument))) return [];
    const pause = pauseOf(file, node.argument);
    const fn = functionAround(node);
    // no veto: most awaits are no pauses.
    if (pause?.kind !== 'sleep' || !fn) return [];
    // veto: the pause is shorter than 10 ms, or its time is not in the code
    if ((pause.duration.value ?? 0) < Math.max(LEAST_MS, options.minMs)) return [];
    // no veto: other variants are about loops; fixtures/no-hot-path-sleep/ignores/request-with-attempts.ts has it.
    if ((loopAround(file, node)?.kind ?? 'consumer') !== 'consumer') return [];
    const body = bodyOf(fn)!;
    // veto: a name or a comment states what the pause is for, or the caller decides its time
    if (intentionOf(file, { pause, node, loop: { node: fn, body } }, words)) return [];
    // veto: a comment at the pause states what it waits for
    if (isSaidNear(file, node, STATED)) return [];
    // veto: the code measures something during the pause
    if (callsOne(body, MEASURES)) return [];
    // veto: only some requests wait for it, such as those that failed
    if (conditionsOn(node, body).some(isChoice)) return [];
    // veto: the answer is sent before, or nothing waits for the function
    if (isAnswered(body, node) || isDetached(fn)) return [];
    // veto: all attempts to log in take as long, so that their time tells nothing about the password
    if (functionNames(node).some((it) => SECRETS.test(wordsOf(it)))) return [];
    // veto: the process or a server ends after it, which takes its time
    if (callsOne(body, ENDS)) return [];
    // veto: no request runs the code
    if (servedBy(file, node) !== 'per-request') return [];
    return [{ node, pause }];
  });
}

interface Options {
  readonly pacingWords: readonly string[];
  readonly ignoreParameters: boolean;
  readonly minMs: number;
}

/** `res.end(); await sleep(5_000);` */
function isAnswered(body: Node, pause: Node): boolean {
  let isSent = false;
  walk(body, (it) => {
    if (startsAt(it) >= startsAt(pause) && it !== body) return false;
    isSent ||= it.type === 'CallExpression' && ANSWERS.test(calledName(it.callee) ?? '');
    return !isSent;
  });
  return isSent;
}

const ANSWERS = /^(?:end|send|sendStatus|json|redirect|render|reply)$/;

/** `void (async () => { … })()` */
function isDetached(fn: FunctionNode): boolean {
  const call = fn.parent;
  if (call.type !== 'CallExpression' || bare(call.callee) !== fn) return false;
  return call.parent.type !== 'AwaitExpression' && call.parent.type !== 'ReturnStatement';
}

function mayPause(it: Node): boolean {
  if (it.type === 'NewExpression') return true;
  return it.type === 'CallExpression' && it.arguments.some((own) => isTime(bare(own)));
}

/** `500`, `60 * SECOND`, `REST_MS`, `delays.short`. */
function isTime(it: Node): boolean {
  switch (it.type) {
    case 'Literal':
      return typeof it.value === 'number';
    case 'BinaryExpression':
      return true;
    case 'Identifier':
      return TIMES.test(it.name);
    case 'MemberExpression':
      // no veto: spares the question, too.
      return TIMES.test(propertyName(it) ?? '') || isTime(bare(it.object));
    default:
      return false;
  }
}

const TIMES = /^[A-Z\d_]+$|ms$|milli|second|delay|pause|sleep|wait|rest|time|interval|period/i;

const SECRETS = /\b(?:log ?in|sign ?in|auth\w*|passwords?|credentials?|otp|verify|reset)\b/i;

const STATED =
  /\b(?:waits?|give|lets?|allow|until|so that|because|before|after|ensure|make sure|needs?)\b/i;

/** The time of the process or of the system, before and after. */
const MEASURES =
  /^(?:cpuUsage|cpus|hrtime|now|memoryUsage|resourceUsage|eventLoopUtilization|bigint)$/;

function callsOne(body: Node, names: RegExp): boolean {
  let calls = false;
  walk(body, (it) => {
    calls ||= it.type === 'CallExpression' && names.test(calledName(it.callee) ?? '');
    return !calls;
  });
  return calls;
}

/** `process.exit()`, `server.close()`, `child.kill()`: others need the time to end. */
const ENDS =
  /^(?:exit|kill|abort|close|shutdown|restart|stop|reboot|terminate|disconnect|destroy)/i;
