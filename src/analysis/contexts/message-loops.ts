import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { eventFunctions } from '../model/work-sources.ts';
import { importNameOf } from '../provenance/import-names.ts';
import { constantOf } from '../provenance/spelled-lists.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  type FunctionNode,
  isLoop,
  type Node,
  propertyName,
  walkOwn,
} from '../syntax/ast.ts';
import { isUntilStopped } from './one-shot.ts';

/**
 * What a `for await` is given one at a time, where it is work that comes in: messages, events, the turns of a timer. Undefined for
 * all else, such as rows, lines and chunks, which are parts of one piece of work.
 */
export function messagesOf(
  file: FileFacts,
  loop: TSESTree.ForOfStatement,
): 'job' | 'schedule' | undefined {
  // no veto: a measurement is no report; test/runtime/work-sources.test.ts has it.
  if (!loop.await) return undefined;
  const value = valueOf(file, loop.right);
  if (value.kind === 'library') {
    if (value.type.isPeriodic) return 'schedule';
    return value.type.isWorkSource ? 'job' : undefined;
  }
  return isOfEvents(file, loop.right) || isOfGenerator(file, loop.right) ? 'job' : undefined;
}

/** `on(queue, 'job')`, or a constant that is it. */
function isOfEvents(file: FileFacts, over: Node): boolean {
  const call = initialOf(file, bare(over));
  // no veto: a measurement is no report.
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  const name = callee.type === 'MemberExpression' ? bare(callee.object) : callee;
  const imported = name.type === 'Identifier' ? importNameOf(file, name) : undefined;
  // no veto: a measurement is no report.
  if (imported?.from === undefined) return false;
  const exported = callee.type === 'MemberExpression' ? propertyName(callee) : imported.name;
  return eventFunctions[imported.from]?.test(exported ?? '') === true;
}

function initialOf(file: FileFacts, node: Node): Node {
  const constant = node.type === 'Identifier' ? constantOf(file, node) : undefined;
  return constant?.file === file ? bare(constant.node) : node;
}

/** `for (;;) yield await queue.take();`: a function of the program that yields until it is stopped. */
function isOfGenerator(file: FileFacts, over: Node): boolean {
  const call = initialOf(file, bare(over));
  const callee = call.type === 'CallExpression' ? valueOf(file, call.callee) : undefined;
  // no veto: a measurement is no report.
  if (callee?.kind !== 'function' || !callee.node.generator) return false;
  return yieldsUntilStopped(callee.file, callee.node);
}

function yieldsUntilStopped(file: FileFacts, generator: FunctionNode): boolean {
  let found = false;
  walkOwn(bodyOf(generator)!, (it) => {
    found ||= isLoop(it) && isUntilStopped(file, it) && yieldsIn(it);
  });
  return found;
}

/** Whether an iteration hands something to the loop over the generator, whose code runs before it goes on. */
export function yieldsIn(loop: Node): boolean {
  let found = false;
  walkOwn(loop, (it) => {
    found ||= it.type === 'YieldExpression';
  });
  return found;
}
