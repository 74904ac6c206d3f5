import { bare, dottedName, isNamed, type Node } from '../../analysis/syntax/ast.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { keyOf } from '../../analysis/ownership/tests.ts';

/** A part of a test, and what it says: `kind === 2` says that `kind` is 2, `!found` that `found` is nothing. */
interface Claim {
  readonly of: string;
  /** undefined where it is only asked whether there is something. */
  readonly value: Compared | undefined;
  readonly holds: boolean;
}

/** What something is compared with: a literal, or a constant by its name. */
interface Compared {
  readonly spelled: string;
  /** undefined for a constant. */
  readonly isSomething: boolean | undefined;
}

interface PlacedNode {
  readonly node: Node;
  readonly statement: Node;
}

/** Whether two places are never both reached, by what is asked before each: `if (kind === 1) …; if (kind === 2) …;`. */
export function contradict(file: FileFacts, a: PlacedNode, b: PlacedNode): boolean {
  const others = claimsOn(file, b);
  return claimsOn(file, a).some((it) => others.some((other) => areContrary(it, other)));
}

function claimsOn(file: FileFacts, { node, statement }: PlacedNode): readonly Claim[] {
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
  }
  return [comparisonIn(file, it, holds) ?? { of: nameOf(file, it), value: undefined, holds }];
}

function comparisonIn(file: FileFacts, it: Node, holds: boolean): Claim | undefined {
  // no veto: another question.
  if (it.type !== 'BinaryExpression' || !/^[!=]==?$/.test(it.operator)) return undefined;
  const right = comparedWith(it.right);
  const value = right ?? comparedWith(it.left);
  const of = nameOf(file, right ? it.left : it.right);
  return value && { of, value, holds: holds === it.operator.startsWith('=') };
}

/** Two variables of one name are two. */
function nameOf(file: FileFacts, asked: Node): string {
  return keyOf(file, asked) ?? file.textOf(bare(asked));
}

/** `2`, `'open'`, `Kind.Open`, `OPEN`: names of constants begin with a capital. */
function comparedWith(node: Node): Compared | undefined {
  const it = bare(node);
  if (it.type === 'Literal') {
    return { spelled: `${typeof it.value} ${it.value}`, isSomething: Boolean(it.value) };
  }
  if (isNamed(it, 'undefined')) return { spelled: 'undefined', isSomething: false };
  const name = dottedName(it);
  return name !== undefined && /^[A-Z]/.test(name)
    ? { spelled: name, isSomething: undefined }
    : undefined;
}

function areContrary(a: Claim, b: Claim): boolean {
  if (a.of !== b.of) return false;
  if (a.value === undefined) return b.value ? isNeither(a, b) : a.holds !== b.holds;
  if (b.value === undefined) return isNeither(b, a);
  return a.value.spelled === b.value.spelled ? a.holds !== b.holds : a.holds && b.holds;
}

/** `!kind` beside `kind === 'all'`: what is nothing is no such thing. */
function isNeither(asked: Claim, { value, holds }: Claim): boolean {
  return holds && value?.isSomething === !asked.holds;
}
