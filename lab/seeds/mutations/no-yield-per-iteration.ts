import { calledName } from '../../../src/analysis/syntax/ast.ts';
import type { Mutation, Mutations, RuleMutations } from '../seed.ts';
import { insertedIn, replaced } from '../seed.ts';
import { loopsIn, ownNodes } from '../syntax.ts';

const mutations: Mutations = {
  'gives up a turn for each item': afterEachItem(
    'await new Promise((resolve) => setImmediate(resolve));',
  ),
  'waits for a timer of 0 ms for each item': afterEachItem(
    'await new Promise((resolve) => setTimeout(resolve, 0));',
  ),
  'waits for the next tick for each item': afterEachItem(
    'await new Promise((resolve) => process.nextTick(resolve));',
  ),

  *'gives up a turn without counting'(file) {
    for (const loop of loopsIn(file)) {
      for (const branch of ownNodes(loop.body, 'IfStatement')) {
        if (!/%/.test(file.textOf(branch.test))) continue;
        yield { edits: [replaced(branch, file.textOf(branch.consequent))], within: loop };
      }
    }
  },
};

export default { mutations } satisfies RuleMutations;

/** In loops whose iterations only wait for queries: what else they call might hold the processor for long. */
function afterEachItem(statement: string): Mutation {
  return function* (file) {
    for (const loop of loopsIn(file)) {
      if (loop.type !== 'ForOfStatement') continue;
      const calls = ownNodes(loop.body, 'CallExpression');
      const isWaiting =
        calls.length > 0 && calls.every((it) => queries.has(calledName(it.callee) ?? ''));
      if (isWaiting) yield { edits: [insertedIn(loop.body, 'end', statement)], within: loop };
    }
  };
}

const queries = new Set([
  'query',
  'knex',
  'where',
  'update',
  'run',
  'findUnique',
  'findByPk',
  'push',
]);
