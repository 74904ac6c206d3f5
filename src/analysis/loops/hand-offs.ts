import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, walkOwn, type FunctionNode } from '../syntax/ast.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { givenFor, type Part, partNamed } from '../provenance/given-parts.ts';
import { awaitedBy, type Wait } from '../flow/given-waits.ts';
import { type Iteration, resultsOf } from './iteration-variables.ts';
import { mentions } from '../syntax/mentions.ts';
import type { FunctionValue } from '../file/value.ts';

/** Whether what an iteration awaits hands its answer on to an object of all iterations, which gets them in turn: `archive.append(body)`. */
export function handsOnInTurn(
  file: FileFacts,
  { own }: Iteration,
  awaits: readonly Wait[],
): boolean {
  return awaits.some((it) => {
    const call = bare(awaitedBy(it));
    // no veto: what the loop does itself is looked at there.
    if (call.type !== 'CallExpression') return false;
    const callee = valueOf(file, call.callee);
    if (callee.kind !== 'function') return false;
    return takersOf(callee).some((taker) =>
      mayBeGiven(call.arguments, taker).some(
        (it) => it.type === 'Identifier' && !mentions(file, it, own),
      ),
    );
  });
}

/** The parameters of a function to whose methods it passes what it has waited for. */
function takersOf({ file, node }: FunctionValue): readonly Part[] {
  return takersIn(file, node);
}

const takersIn = query(
  'takers',
  (file: FileFacts, node: FunctionNode): readonly Part[] => {
    const body = bodyOf(node);
    const found: Part[] = [];
    if (!body) return found;
    const results = resultsOf(file, { body });
    walkOwn(body, (it) => {
      if (it.type !== 'ExpressionStatement') return;
      const call = bare(it.expression);
      // no veto: the shape of a call of a method
      if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return;
      if (!call.arguments.some((each) => mentions(file, each, results))) return;
      const { object } = call.callee;
      // veto of an exclusion: the function only logs the result, and the order of log lines does not matter
      if (LOGS.test(propertyName(call.callee) ?? '')) return;
      const part = partNamed(file, bare(object), node);
      if (part) found.push(part);
    });
    return found;
  },
  { whileCyclic: [] },
);

/** Logs say when. */
const LOGS = /^(?:log|trace|debug|info|warn|error)$/;

/** What is given for it; where nobody can tell, what may be: behind a spread each of the arguments, and what is spread into an object. */
function mayBeGiven(
  args: readonly TSESTree.CallExpressionArgument[],
  taker: Part,
): readonly Node[] {
  const { index, member } = taker;
  const given = givenFor(args, taker);
  if (given) return [bare(given)];
  const places = isSpreadUpTo(args, index) ? args : args.slice(index, index + 1);
  return places.flatMap((it) => {
    const whole = bare(it.type === 'SpreadElement' ? it.argument : it);
    if (member === undefined || whole.type !== 'ObjectExpression') return [whole];
    return whole.properties.flatMap((part) => {
      if (part.type === 'SpreadElement') return [bare(part.argument)];
      return propertyName(part) === member ? [bare(part.value)] : [];
    });
  });
}
