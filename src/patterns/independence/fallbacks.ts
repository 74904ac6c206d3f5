import { queryOfFile } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import { rootOf } from '../../analysis/syntax/ast.ts';
import type { AwaitShape } from './await-shapes.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';

interface Asked {
  readonly shape: AwaitShape;
  readonly effects: readonly Effect[];
}

type Fallback = TSESTree.LogicalExpression;

/** `cached ?? fresh`, `cached.rows[0] || fresh`: the second is asked for in case that the first has no answer. */
export function isFallbackOf(file: FileFacts, first: Asked, second: AwaitShape): boolean {
  const results = new Set(second.results);
  // `||` also joins two tests, both of which are wanted; after a cache it is what `??` is.
  const joins = first.effects.some((it) => it.env === 'redis') ? /^(?:\?\?|\|\|)$/ : /^\?\?$/;
  return first.shape.results.some((variable) =>
    fallbacksOf(file)
      .get(variable)
      ?.some(({ operator, right }) => joins.test(operator) && mentions(file, right, results)),
  );
}

/** The `a ?? b` and `a.rows[0] || b` of a file, by `a`: a name may have thousands of references. */
const fallbacksOf = queryOfFile(
  'fallbacks',
  (file: FileFacts): ReadonlyMap<Variable, readonly Fallback[]> => {
    const found = new Map<Variable, Fallback[]>();
    for (const node of file.nodes.all('LogicalExpression')) {
      const it = rootOf(node.left);
      const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
      // no veto: it is not the name of a variable.
      if (!variable) continue;
      const known = found.get(variable);
      // no veto: how a list is made.
      if (known) known.push(node);
      else found.set(variable, [node]);
    }
    return found;
  },
  { whileCyclic: new Map<Variable, Fallback[]>() },
);
