import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import type { AwaitShape } from './await-shapes.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import { contradict } from './contradictions.ts';
import { copiedBy, mappingOf } from '../../analysis/syntax/elements.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { constantOf } from '../../analysis/provenance/spelled-lists.ts';

/** Whether at most one of two reads runs, or only one of them counts: to start them together saves nothing. */
export function areExclusive(file: FileFacts, a: AwaitShape, b: AwaitShape): boolean {
  // no veto: both run, each sets the variable for what follows.
  if (!a.condition && !b.condition) return false;
  if (contradict(file, a, b)) return true;
  const asked = listAskedFor(file, a);
  const other = listAskedFor(file, b);
  if (!asked || !other || asked.isFilled === other.isFilled) return false;
  const [filled, empty] = asked.isFilled ? [asked, other] : [other, asked];
  // veto: one read needs a filled list and its partner an empty one, so at most one of them runs
  return filled.list === empty.list || isMadeOf(file, filled.list, empty.list);
}

interface AskedList {
  readonly list: Variable;
  readonly isFilled: boolean;
}

/** `ids.length > 0 ? await load(ids) : []`: the list that has to hold something, or nothing. */
function listAskedFor(file: FileFacts, { node, statement }: AwaitShape): AskedList | undefined {
  const [condition] = conditionsOn(node, statement);
  return condition?.test && askedIn(file, condition.test, condition.holds, new Set());
}

function askedIn(
  file: FileFacts,
  test: Node,
  holds: boolean,
  seen: Set<Node>,
): AskedList | undefined {
  const it = bare(test);
  switch (it.type) {
    case 'UnaryExpression':
      return it.operator === '!' ? askedIn(file, it.argument, !holds, seen) : undefined;
    case 'BinaryExpression': {
      // no veto: other numbers say less.
      if (it.right.type !== 'Literal' || it.right.value !== 0) return undefined;
      const asked = askedIn(file, it.left, holds, seen);
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
      const init = constantInit(file, it);
      // Two constants may stand for each other.
      return init && !seen.has(init) ? askedIn(file, init, holds, seen.add(init)) : undefined;
    }
    default:
      return undefined;
  }
}

/** `const made = [...new Set(list.map(…))]`, to which nothing is added. */
function isMadeOf(file: FileFacts, made: Variable, list: Variable): boolean {
  const [definition] = made.defs;
  const init = definition?.name.type === 'Identifier' && constantInit(file, definition.name);
  let source = init ? sourceOf(init) : undefined;
  for (let next = source; next; next = sourceOf(next)) source = next;
  return source?.type === 'Identifier' && file.variableOf(source) === list;
}

/** What another list is taken from, and is empty with it: `list.map(…)`, `[...list]`, `new Set(list)`. */
function sourceOf(node: Node): Node | undefined {
  const it = bare(node);
  const copied = copiedBy(it);
  if (copied) return bare(copied);
  if (it.type === 'NewExpression') {
    return isNamed(it.callee, 'Set') && it.arguments[0] ? bare(it.arguments[0]) : undefined;
  }
  if (it.type !== 'CallExpression') return undefined;
  const callee = bare(it.callee);
  const isFilter = callee.type === 'MemberExpression' && propertyName(callee) === 'filter';
  const over = isFilter ? callee.object : mappingOf(it)?.over;
  return over && bare(over);
}

function constantInit(file: FileFacts, name: TSESTree.Identifier): Node | undefined {
  const constant = constantOf(file, name);
  return constant?.file === file ? constant.node : undefined;
}
