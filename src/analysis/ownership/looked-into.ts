import { query } from '../../engine/query.ts';
import { contains, isFunction, isLoop, type Node, propertyName } from '../syntax/ast.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import type { Variable } from '../syntax/names.ts';
import { startsAt } from '../syntax/places.ts';

/** Whether `row.id` precedes a test of `row` on every path to it: without a row, it would have thrown. */
export function isLookedInto(file: FileFacts, variable: Variable, test: Node): boolean {
  return isLookedIntoBefore(file, test, variable);
}

const isLookedIntoBefore = query(
  'looked into',
  (_: FileFacts, test: Node, { references }: Variable): boolean => {
    const before = references.filter(({ identifier: it }) => startsAt(it) < startsAt(test));
    const written = before.filter((it) => it.isWrite()).map((it) => startsAt(it.identifier));
    const last = Math.max(-1, ...written);
    return before.some(
      ({ identifier: it }) => startsAt(it) > last && looksInto(it) && isPassed(it, test),
    );
  },
  { whileCyclic: false, keyOf: () => '' },
);

/** Of text, which may be empty, the length and letters by their number are asked, and methods are called. */
function looksInto(name: Node): boolean {
  const { parent } = name;
  if (parent?.type !== 'MemberExpression' || parent.object !== name) return false;
  if (propertyName(parent) === 'length') return false;
  if (parent.property.type === 'Literal' && typeof parent.property.value === 'number') return false;
  return !(parent.parent.type === 'CallExpression' && parent.parent.callee === parent);
}

/** In a statement of a block around the test, under no condition of its own. */
function isPassed(name: Node, test: Node): boolean {
  let block = name.parent;
  while (block && !/^(?:BlockStatement|Program)$/.test(block.type)) {
    if (isFunction(block) || isLoop(block)) return false;
    block = block.parent;
  }
  return !!block && contains(block, test) && conditionsOn(name, block).length === 0;
}
