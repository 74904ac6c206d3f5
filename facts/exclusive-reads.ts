// vetoes of no-sequential-independent-awaits
import { bare, type Node, propertyName } from './ast.ts';
import type { AwaitShape } from './await-shapes.ts';
import { conditionsOn } from './conditions.ts';
import type { FileFacts } from './file.ts';
import { mentions } from './mentions.ts';
import type { Variable } from './names.ts';

/** Whether at most one of two reads runs, or only one of them counts: to start them together saves nothing. */
export function areExclusive(file: FileFacts, a: AwaitShape, b: AwaitShape): boolean {
  // no veto: both run, each sets the variable for what follows.
  if (!a.condition || !b.condition) return false;
  if (a.results.some((it) => b.results.includes(it))) return true;
  const asked = listAskedFor(file, a);
  const other = listAskedFor(file, b);
  if (!asked || !other || asked.isFilled === other.isFilled) return false;
  const [filled, empty] = asked.isFilled ? [asked, other] : [other, asked];
  // veto: what is made of nothing is empty, too
  return filled.list === empty.list || isMadeOf(file, filled.list, empty.list);
}

interface AskedList {
  readonly list: Variable;
  readonly isFilled: boolean;
}

/** `ids.length > 0 ? await load(ids) : []`: the list that has to hold something, or nothing. */
function listAskedFor(file: FileFacts, { node, statement }: AwaitShape): AskedList | undefined {
  const [condition] = conditionsOn(node, statement);
  return condition?.test && askedIn(file, condition.test, condition.holds);
}

function askedIn(file: FileFacts, test: Node, holds: boolean): AskedList | undefined {
  const it = bare(test);
  switch (it.type) {
    case 'UnaryExpression':
      return it.operator === '!' ? askedIn(file, it.argument, !holds) : undefined;
    case 'BinaryExpression': {
      // no veto: other numbers say less.
      if (it.right.type !== 'Literal' || it.right.value !== 0) return undefined;
      const asked = askedIn(file, it.left, holds);
      if (/^!==?$|^>$/.test(it.operator)) return asked;
      return asked && /^===?$/.test(it.operator)
        ? { ...asked, isFilled: !asked.isFilled }
        : undefined;
    }
    case 'MemberExpression': {
      const isLength = /^(?:length|size)$/.test(propertyName(it) ?? '');
      const list = it.object.type === 'Identifier' ? file.variableOf(it.object) : undefined;
      return isLength && list ? { list, isFilled: holds } : undefined;
    }
    case 'Identifier': {
      const init = initOf(file.variableOf(it));
      return init && askedIn(file, init, holds);
    }
    default:
      return undefined;
  }
}

function isMadeOf(file: FileFacts, made: Variable, list: Variable): boolean {
  const init = initOf(made);
  return init !== undefined && mentions(file, init, new Set([list]));
}

function initOf(variable: Variable | undefined): Node | undefined {
  const [definition] = variable?.defs ?? [];
  return definition?.type === 'Variable' ? (definition.node.init ?? undefined) : undefined;
}
