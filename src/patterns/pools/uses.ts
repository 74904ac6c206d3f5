import type { TSESTree } from '@typescript-eslint/utils';
import { functionAround, isNamed, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { pausesOf } from '../../analysis/loops/pauses.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import type { MadePool } from './made-pools.ts';
import { inlineCallOf } from '../../analysis/flow/waits.ts';
import { certainNumber } from '../../analysis/values/values.ts';
import { certainOf } from '../../analysis/values/quantity.ts';

/** What is read off a pool that has one name and never leaves its file; undefined where others may get at it. */
export function ownUsesOf(
  file: FileFacts,
  { call }: MadePool,
): readonly TSESTree.MemberExpression[] | undefined {
  const { parent } = call;
  if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  // veto: the file exports the pool, so other files can use it
  if (parent.parent.parent.type === 'ExportNamedDeclaration') return undefined;
  const variable = file.variableOf(parent.id);
  const uses: TSESTree.MemberExpression[] = [];
  for (const { identifier, init } of variable?.references ?? []) {
    if (init) continue;
    const around = (identifier as Node).parent;
    // veto: the code passes the pool on or replaces it, so other code can use it
    if (around?.type !== 'MemberExpression') return undefined;
    uses.push(around);
  }
  return uses;
}

/** A place that uses a pool once in so many milliseconds. */
export interface Poll {
  readonly node: Node;
  readonly everyMs: number;
}

/** Whether it acquires a connection. */
export function asks(use: TSESTree.MemberExpression): boolean {
  return /^(?:query|connect)$/.test(propertyName(use) ?? '');
}

/** The polls that alone ask the pool for connections; undefined where anything else does so, too. */
export function pollsOf(file: FileFacts, made: MadePool): readonly Poll[] | undefined {
  const polls: Poll[] = [];
  for (const use of ownUsesOf(file, made) ?? []) {
    if (!asks(use)) continue;
    const everyMs = intervalAround(file, use);
    // veto: a query of the pool runs outside of polls with a fixed interval
    if (everyMs === undefined) return undefined;
    polls.push({ node: use, everyMs });
  }
  return polls;
}

/** The time between two runs of the place, where the code says it and leaves it to nobody else. */
function intervalAround(file: FileFacts, node: Node): number | undefined {
  const loop = loopAround(file, node);
  if (loop?.kind === 'interval') return timeOf(file, loop.node);
  if (loop) {
    const pauses = pausesOf(file, loop).filter(({ conditions }) => conditions.length === 0);
    const times = pauses.map(({ pause }) => certainOf(pause.duration));
    return times.length === 1 ? times[0] : undefined;
  }
  let fn = functionAround(node);
  while (fn && inlineCallOf(fn)) fn = functionAround(fn);
  return fn?.type === 'FunctionDeclaration' && fn.id ? intervalOf(file, fn.id) : undefined;
}

/** `setInterval(poll, 60_000)`, and perhaps a first `poll()` beside it. */
function intervalOf(file: FileFacts, name: TSESTree.Identifier): number | undefined {
  let everyMs: number | undefined;
  for (const { identifier } of file.variableOf(name)?.references ?? []) {
    const use = identifier as Node;
    const { parent } = use;
    const isTimed =
      parent?.type === 'CallExpression' &&
      parent.arguments[0] === use &&
      isNamed(parent.callee, 'setInterval');
    if (isTimed) everyMs = timeOf(file, parent);
    // veto: code other than setInterval runs the function that queries the pool, or passes it on
    else if (parent?.type !== 'CallExpression' || functionAround(use)) return undefined;
  }
  return everyMs;
}

function timeOf(file: FileFacts, call: Node): number | undefined {
  const time = call.type === 'CallExpression' ? call.arguments[1] : undefined;
  return time && certainNumber(file, time);
}
