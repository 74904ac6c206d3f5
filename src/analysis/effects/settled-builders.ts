import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  functionAround,
  isFunction,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { isCall, returnedExpressions } from '../syntax/calls.ts';
import { settlesGiven } from '../flow/awaited.ts';
import { builderEffect, type Effect } from './effects.ts';
import type { FileFacts } from '../file/file.ts';

/**
 * The effects of query builders that run at `node` without an `await` of their own: the elements of `Promise.all`, what an async
 * function returns, for which its own promise waits, and what a function of the project is given that awaits it.
 */
export function settledEffects(file: FileFacts, node: Node): readonly Effect[] {
  const settled = settledAt(file, node);
  // no veto: asked of every node, this spares an array for each.
  return settled.length === 0 ? NONE : settled.flatMap((it) => builderEffect(file, it) ?? []);
}

const NONE: readonly never[] = [];

function settledAt(file: FileFacts, node: Node): readonly Node[] {
  if (node.type === 'ReturnStatement') {
    return node.argument && functionAround(node)?.async ? [node.argument] : [];
  }
  const { parent } = node;
  const isBody = parent?.type === 'ArrowFunctionExpression' && bodyOf(parent) === node;
  const joined = node.type === 'CallExpression' ? joinedBy(file, node) : NONE;
  return isBody && parent.async && node.type !== 'BlockStatement' ? [node, ...joined] : joined;
}

function joinedBy(file: FileFacts, call: TSESTree.CallExpression): readonly Node[] {
  if (isJoin(call)) return elementsOf(call.arguments[0]);
  // no veto: a builder that has a name is settled where that is used.
  const built = call.arguments.filter((it) => isCall(bare(it)));
  return built.filter((it) => settlesGiven(file, call, it));
}

function isJoin({ callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  // no veto: the project's own are followed, and what others do is not known.
  if (it.type !== 'MemberExpression' || !isNamed(bare(it.object), 'Promise')) return false;
  return JOINS.has(propertyName(it) ?? '');
}

const JOINS: ReadonlySet<string> = new Set(['all', 'allSettled', 'any', 'race']);

/** `[a, b]`, or what each element of `rows.map((row) => …)` comes to. */
function elementsOf(list: Node | undefined): readonly Node[] {
  const it = list && bare(list);
  if (it?.type === 'ArrayExpression') return it.elements.filter((element) => element !== null);
  if (it?.type !== 'CallExpression') return [];
  const callee = bare(it.callee);
  const [fn] = it.arguments;
  const isMap = callee.type === 'MemberExpression' && propertyName(callee) === 'map';
  return isMap && isFunction(fn) && !fn.async ? returnedExpressions(fn) : [];
}
