import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../../src/analysis/file/file.ts';
import { heldIn, queriesIn } from '../held.ts';
import { type Mutations, type RuleMutations, removed, replaced, seedAt } from '../seed.ts';
import { mentionsOf } from '../syntax.ts';

const mutations: Mutations = {
  *'runs two statements of one connection at once'(file) {
    for (const held of heldIn(file)) {
      const queries = queriesIn(file, held);
      for (const [i, first] of queries.entries()) {
        const second = queries[i + 1];
        if (!second || isPipelined(file, first)) continue;
        const both = joined(file, first, second);
        if (both) yield seedAt(first, replaced(first, both), removed(second));
      }
    }
  },

  *'maps over one connection'(file) {
    for (const { block, handle } of heldIn(file)) {
      for (const loop of block.body) {
        if (loop.type !== 'ForOfStatement' || loop.body.type !== 'BlockStatement') continue;
        const [only, ...more] = loop.body.body;
        const call = only && awaitedIn(only);
        if (!call || more.length > 0 || mentionsOf(call, handle).length === 0) continue;
        const element = file.textOf(
          (loop.left as TSESTree.VariableDeclaration).declarations[0]!.id,
        );
        const each = `(${element}) => ${file.textOf(call)}`;
        yield seedAt(
          loop,
          replaced(loop, `await Promise.all(${file.textOf(loop.right)}.map(${each}));`),
        );
      }
    }
  },
};

export default { mutations } satisfies RuleMutations;

/** postgres.js sends the statements of a transaction ahead. */
function isPipelined(file: FileFacts, statement: TSESTree.Statement): boolean {
  return /await \w+`/.test(file.textOf(statement));
}

/** Both as one `Promise.all`; undefined where the second needs the first. */
function joined(
  file: FileFacts,
  first: TSESTree.Statement,
  second: TSESTree.Statement,
): string | undefined {
  const calls = [awaitedIn(first), awaitedIn(second)];
  if (!calls[0] || !calls[1] || first.type !== second.type) return undefined;
  const all = `await Promise.all([${calls.map((it) => file.textOf(it!)).join(', ')}]);`;
  if (first.type !== 'VariableDeclaration' || second.type !== 'VariableDeclaration') return all;
  const [a, b] = [first, second].map((it) => it.declarations[0]!.id);
  if (a!.type !== 'Identifier' || mentionsOf(second, a!.name).length > 0) return undefined;
  return `const [${file.textOf(a!)}, ${file.textOf(b!)}] = ${all}`;
}

/** The call in `await call;` and `const it = await call;`. */
function awaitedIn(statement: TSESTree.Statement): TSESTree.Expression | undefined {
  const expression =
    statement.type === 'ExpressionStatement'
      ? statement.expression
      : statement.type === 'VariableDeclaration'
        ? statement.declarations[0]?.init
        : undefined;
  return expression?.type === 'AwaitExpression' ? expression.argument : undefined;
}
