import { valueOf } from '../provenance/value-of.ts';
import { bare, type Node, propertyName, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Variable } from '../syntax/names.ts';

/** The query builders that a statement gives another part: `query.orderBy('total').limit(10)`. */
export function changedBuildersIn(file: FileFacts, statement: Node): readonly Variable[] {
  const found: Variable[] = [];
  walk(statement, (it) => {
    // no veto: only a call changes one.
    if (it.type !== 'CallExpression' || it.callee.type !== 'MemberExpression') return;
    const variable = builderNamed(file, it.callee.object);
    const step = variable && valueOf(file, it.callee);
    // What runs it, and what copies it, leaves it as it is.
    const isStep = step?.kind === 'callable' && !step.signature.effect && step.name !== COPIES;
    if (isStep) found.push(variable!);
  });
  return found;
}

/**
 * Whether the awaited value is a statement around one of these builders (`WITH page AS (…)`), and not around a copy: the
 * statement is assembled when it runs, with the present state of the builder.
 */
export function holdsBuilder(
  file: FileFacts,
  awaited: Node,
  changed: ReadonlySet<Variable>,
): boolean {
  // no veto: most are never changed.
  if (changed.size === 0) return false;
  let holds = false;
  walk(awaited, (it) => {
    const outer = builderNamed(file, it);
    const definition = outer?.defs[0];
    const init = definition?.type === 'Variable' ? definition.node.init : undefined;
    if (init) holds ||= isPassed(file, init, changed);
    return !holds;
  });
  return holds;
}

const COPIES = 'clone';

/** `query.clone()`: calls on the copy neither change `query` nor depend on its later changes. */
export function isCopied(builder: Node): boolean {
  const { parent } = builder;
  return (
    parent?.type === 'MemberExpression' &&
    parent.object === builder &&
    propertyName(parent) === COPIES
  );
}

/** As an argument on the way from the first call of a chain to its last. */
function isPassed(file: FileFacts, chain: Node, changed: ReadonlySet<Variable>): boolean {
  let found = false;
  walk(chain, (it) => {
    // no veto: nothing is passed there.
    if (it.type !== 'CallExpression') return;
    found ||= it.arguments.some((argument) => {
      const variable = builderNamed(file, argument);
      return variable !== undefined && changed.has(variable);
    });
  });
  return found;
}

/** The variable that a name stands for, where it holds a statement under construction. */
export function builderNamed(file: FileFacts, node: Node): Variable | undefined {
  const it = bare(node);
  // no veto: the shape of a name.
  if (it.type !== 'Identifier') return undefined;
  const value = valueOf(file, it);
  const isBuilder = value.kind === 'library' && value.type.role === 'builder';
  return isBuilder ? file.variableOf(it) : undefined;
}
