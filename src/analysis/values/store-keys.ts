import { bare, isFunction, type Node } from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import type { FileFacts } from '../file/file.ts';

/** The prefix of a key of a store, as far as the code contains it; or the parameter that it comes from. */
export type StoreKey =
  | { readonly kind: 'text'; readonly head: string; readonly isWhole: boolean }
  | { readonly kind: 'parameter'; readonly index: number; readonly fn: Node };

const MAX_DEPTH = 5;

/** undefined where it is unresolved. */
export function storeKeyOf(file: FileFacts, node: Node, depth = 0): StoreKey | undefined {
  // no veto: it bounds the time.
  if (depth > MAX_DEPTH) return undefined;
  const it = bare(node);
  const keyOf = (part: Node) => storeKeyOf(file, part, depth + 1);
  switch (it.type) {
    case 'Literal':
      return typeof it.value === 'string'
        ? { kind: 'text', head: it.value, isWhole: true }
        : undefined;
    case 'TemplateLiteral':
      return joined(
        it.quasis.flatMap((quasi, i) => [
          { kind: 'text', head: quasi.value.cooked ?? '', isWhole: true } as const,
          ...(it.expressions[i] ? [keyOf(it.expressions[i])] : []),
        ]),
      );
    case 'BinaryExpression':
      return it.operator === '+' ? joined([keyOf(it.left), keyOf(it.right)]) : undefined;
    case 'Identifier': {
      const variable = file.variableOf(it);
      const [definition] = variable?.defs ?? [];
      // veto: the variable that holds the key is unresolved, or code assigns it again
      if (!variable || writesTo(variable)?.length !== 0) return undefined;
      if (definition?.type === 'Parameter' && isFunction(definition.node)) {
        const index = definition.node.params.indexOf(definition.name as never);
        return index === -1 ? undefined : { kind: 'parameter', index, fn: definition.node };
      }
      return definition?.type === 'Variable' &&
        definition.node.id.type === 'Identifier' &&
        definition.node.init
        ? keyOf(definition.node.init)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The text up to the first part that only the run knows. */
function joined(parts: readonly (StoreKey | undefined)[]): StoreKey | undefined {
  let head = '';
  for (const part of parts) {
    if (part?.kind === 'text') head += part.head;
    if (part?.kind !== 'text' || !part.isWhole) return { kind: 'text', head, isWhole: false };
  }
  return { kind: 'text', head, isWhole: true };
}

/** Whether two keys of one store may be equal, as far as the code shows. */
export function mayBeSame(a: StoreKey | undefined, b: StoreKey | undefined): boolean {
  if (a?.kind !== 'text' || b?.kind !== 'text') return true;
  if (a.isWhole && b.isWhole) return a.head === b.head;
  // A part that only the run knows may hold the rest of the other's.
  return a.isWhole
    ? a.head.startsWith(b.head)
    : b.isWhole
      ? b.head.startsWith(a.head)
      : a.head.startsWith(b.head) || b.head.startsWith(a.head);
}
