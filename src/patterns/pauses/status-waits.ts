import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  contains,
  type Node,
  propertyName,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { scopeAround, variantsOf } from '../../analysis/loops/variants.ts';
import { mentions, mentionsSome, variablesIn } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/**
 * `while (state === 'pending') { await sleep(1000); state = (await api.job(id)).state; }`: whether the loop continues until a
 * different system reports that it is done. Each iteration sends the same request, and takes no work from a queue: without the
 * sleep it would only poll more often.
 */
export function isStatusWait(file: FileFacts, loop: Loop): boolean {
  const { node } = loop;
  const test = 'test' in node ? node.test : undefined;
  // no veto: goes on by itself.
  if (!test || (node.type === 'ForStatement' && node.update)) return false;
  return statusesIn(test as TSESTree.Expression).some((it) => isAskedEachRound(file, loop, it));
}

/** What a test compares with a word, looks up in a list of words, or is told by a word for it: `job.finished`. */
function statusesIn(test: Node): readonly Node[] {
  const it = bare(test);
  switch (it.type) {
    case 'LogicalExpression':
      return [...statusesIn(it.left), ...statusesIn(it.right)];
    case 'UnaryExpression':
      return statusesIn(it.argument);
    case 'BinaryExpression':
      return isWord(it.right) ? [it.left] : isWord(it.left) ? [it.right] : [];
    case 'CallExpression':
      return /^(?:includes|has)$/.test(calledName(it.callee) ?? '') ? it.arguments : [];
    case 'MemberExpression':
      return STATUS.test(wordsOf(propertyName(it) ?? '')) ? [it] : [];
    default:
      return [];
  }
}

const STATUS =
  /\b(?:done|finished|completed?|ready|running|pending|processing|queued|active|healthy|available|succeeded|failed|terminal)$/;

/** `'pending'`, `JobState.Pending`, `PENDING`. */
function isWord(node: Node): boolean {
  const it = bare(node);
  if (it.type === 'Literal') return typeof it.value === 'string' && it.value !== '';
  const name = it.type === 'MemberExpression' ? bare(it.object) : it;
  return name.type === 'Identifier' && /^[A-Z]/.test(name.name);
}

function isAskedEachRound(file: FileFacts, loop: Loop, status: Node): boolean {
  const sources = [status, ...sourcesOf(file, loop, status)];
  const asked = new Set<TSESTree.AwaitExpression>();
  for (const source of sources) {
    walkOwn(source, (it) => {
      if (it.type === 'AwaitExpression') asked.add(it);
    });
  }
  return asked.size > 0 && [...asked].every((it) => isQuestion(file, loop, it));
}

/** What the variables of the status are set to in a round, and those that it is derived from. */
function sourcesOf(file: FileFacts, { node: loop }: Loop, status: Node): readonly Node[] {
  const variables = new Set(variablesIn(file, status));
  const found = new Set<Node>();
  // Once more than `const { data } = await ask(); const job = data.job; state = job.state`.
  for (let pass = 0; pass < 3; pass++) {
    walkOwn(loop, (it) => {
      const step =
        it.type === 'VariableDeclarator' && it.init
          ? { target: it.id, value: it.init }
          : it.type === 'AssignmentExpression'
            ? { target: it.left, value: it.right }
            : undefined;
      if (!step || !mentions(file, step.target, variables)) return;
      found.add(step.value);
      for (const variable of variablesIn(file, step.value)) variables.add(variable);
    });
  }
  return [...found];
}

/** The same in each round, and takes nothing. */
function isQuestion(file: FileFacts, loop: Loop, node: TSESTree.AwaitExpression): boolean {
  const call = bare(node.argument);
  const name = call.type === 'CallExpression' ? (calledName(call.callee) ?? '') : '';
  // veto of an exclusion: the awaited call is named like one that fetches work (`claim`, `pop`, `next`)
  if (TAKES.test(wordsOf(name))) return false;
  const isCursor = (it: Variable, use: Node) => variants.has(it) && !isNameOfJob(use, node);
  const variants = variantsOf(file, loop);
  // veto of an exclusion: the awaited call continues where the previous iteration ended
  if (mentionsSome(file, node, isCursor)) return false;
  // veto: each iteration only asks for a status, and neither fetches work nor writes
  return !behaviourOf(file, node, scopeAround(file, node)).effects.some(isOwnWork);
}

/** `getNextJob`, `takeTask`; `getJob(id)` and `fetchTask(id)` ask about one. */
const TAKES =
  /^(?:shift|pop|dequeue|claim|receive|reserve|lease|pull|take|lock|acquire|pick)\b|\bnext\b/;

/** A request may ask by any method. */
function isOwnWork({ work, op, env }: Effect): boolean {
  return work === true || (op !== 'read' && env !== 'http');
}

/** `job.id`, `operation.name`: what is asked about, and is the same in each round. */
function isNameOfJob(use: Node, within: Node): boolean {
  let it = use;
  while (it.parent?.type === 'MemberExpression' && it.parent.object === it) it = it.parent;
  const name = it.type === 'MemberExpression' ? (propertyName(it) ?? '') : '';
  return contains(within, it) && /(?:id|arn|name|url|uri|hash)$/i.test(name);
}
