import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { bare, contains, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import { returnedExpressions } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import type { WorkSource } from './work-sources.ts';

/** The value that an iteration of a polling loop holds after it has polled for work. */
export interface WorkResult {
  /** 'item' is one piece of work, or a word whether there was any; 'count' is how many there were. */
  readonly kind: 'item' | 'list' | 'count';
  readonly variable: Variable;
  /** The code itself reckons with nothing in its place. */
  readonly isNullable: boolean;
}

/** Undefined where the round does not see what was taken, or the code does not show what that is. */
export function workResultOf(
  file: FileFacts,
  loop: Loop,
  source: WorkSource,
): WorkResult | undefined {
  const { result: variable } = source;
  if (!variable) return undefined;
  const uses = variable.references
    .filter((it) => it.isRead())
    .map((it) => it.identifier as Node)
    .filter((it) => contains(loop.body, it));
  // `result.rows`: the answer of a driver is there even where no row is.
  if (uses.some(isUseOfAnswer)) return undefined;
  const kind = uses.some(isUseOfList)
    ? 'list'
    : (returnedKind(file, source) ?? (source.isBatch ? undefined : 'item'));
  return kind && { kind, variable, isNullable: uses.some(isGuarded) };
}

function isUseOfAnswer({ parent }: Node): boolean {
  return (
    parent?.type === 'MemberExpression' &&
    /^(?:rows|rowCount|recordset|records)$/.test(propertyName(parent) ?? '')
  );
}

/** `for (const row of rows)`, `rows ?? []`, `rows[0]`, `rows.length`, `rows.map(…)`. */
function isUseOfList(use: Node): boolean {
  let it = use;
  while (it.parent?.type === 'LogicalExpression' && it.parent.left === it) it = it.parent;
  const { parent } = it;
  if (parent?.type === 'ForOfStatement') return parent.right === it;
  return (
    parent?.type === 'MemberExpression' &&
    parent.object === it &&
    (parent.computed ||
      /^(?:length|at|map|forEach|filter|flatMap|every|some)$/.test(propertyName(parent) ?? ''))
  );
}

/** `rows?.length`, `rows ?? []`, `if (rows)`, `!rows`. */
function isGuarded(use: Node): boolean {
  const { parent } = use;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.optional;
    case 'LogicalExpression':
      return true;
    case 'UnaryExpression':
      return parent.operator === '!';
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === use;
    default:
      return false;
  }
}

/** What the function of the project that takes the work gives back, where all of its returns say the same. */
function returnedKind(file: FileFacts, { node }: WorkSource): 'item' | 'count' | undefined {
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  const callee = call.type === 'CallExpression' ? valueOf(file, call.callee) : undefined;
  if (callee?.kind !== 'function') return undefined;
  const kinds = new Set(returnedExpressions(callee.node).map((it) => kindOf(callee.file, it)));
  const [kind, ...others] = kinds;
  return others.length === 0 ? kind : undefined;
}

function kindOf(file: FileFacts, node: Node): 'item' | 'count' | undefined {
  const it = bare(node);
  switch (it.type) {
    case 'Literal':
      if (typeof it.value === 'number') return 'count';
      return typeof it.value === 'boolean' ? 'item' : undefined;
    case 'BinaryExpression':
      return /^[<>!=]/.test(it.operator) ? 'item' : undefined;
    case 'UnaryExpression':
      return it.operator === '!' ? 'item' : undefined;
    case 'LogicalExpression':
      return it.operator === '&&' ? undefined : kindOf(file, it.right);
    case 'MemberExpression':
      return /^(?:length|size|rowCount|count|affectedRows)$/.test(propertyName(it) ?? '')
        ? 'count'
        : undefined;
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0]?.node;
      return definition?.type === 'VariableDeclarator' && definition.init
        ? kindOf(file, definition.init)
        : undefined;
    }
    default:
      return undefined;
  }
}
