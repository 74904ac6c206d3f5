// vetoes of no-sequential-independent-awaits
import { bare, type Node } from './ast.ts';
import { conditionsOn } from './conditions.ts';
import type { FileFacts } from './file.ts';

/** A part of a test, and what it says: `kind === 2` says that `kind` is 2, `!found` that `found` is nothing. */
interface Claim {
  readonly of: string;
  readonly value: unknown;
  readonly holds: boolean;
}

interface Placed {
  readonly node: Node;
  readonly statement: Node;
}

/** Whether two places are never both reached, by what is asked before each: `if (kind === 1) …; if (kind === 2) …;`. */
export function contradict(file: FileFacts, a: Placed, b: Placed): boolean {
  const others = claimsOn(file, b);
  return claimsOn(file, a).some((it) => others.some((other) => areContrary(it, other)));
}

function claimsOn(file: FileFacts, { node, statement }: Placed): readonly Claim[] {
  return conditionsOn(node, statement).flatMap(({ test, holds }) =>
    test ? claimsIn(file, test, holds) : [],
  );
}

/** Those that are sure to hold, or not to, where the whole test comes out so. */
function claimsIn(file: FileFacts, test: Node, holds: boolean): readonly Claim[] {
  const it = bare(test);
  switch (it.type) {
    case 'LogicalExpression':
      return it.operator === (holds ? '&&' : '||')
        ? [it.left, it.right].flatMap((side) => claimsIn(file, side, holds))
        : [];
    case 'UnaryExpression':
      return it.operator === '!' ? claimsIn(file, it.argument, !holds) : [];
    case 'BinaryExpression':
      if (/^[!=]==?$/.test(it.operator) && it.right.type === 'Literal') {
        const isEqual = holds === it.operator.startsWith('=');
        return [{ of: file.textOf(it.left), value: it.right.value, holds: isEqual }];
      }
  }
  return [{ of: file.textOf(it), value: TRUTH, holds }];
}

const TRUTH = Symbol('something');

function areContrary(a: Claim, b: Claim): boolean {
  if (a.of !== b.of || (a.value === TRUTH) !== (b.value === TRUTH)) return false;
  return a.value === b.value ? a.holds !== b.holds : a.holds && b.holds;
}
