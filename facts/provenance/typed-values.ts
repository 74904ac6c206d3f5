import { bare, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file.ts';
import { libraryType } from './library-values.ts';
import { handleMembers, libraryOf } from '../model/index.ts';
import type { CheckedType, Types } from '../source.ts';
import { join, promiseOf, UNKNOWN, type Value } from './value.ts';

/**
 * What the type checker says of an expression that is worth a question: the receiver of a call named like a modelled
 * method, and what that is read off.
 */
export function typedValue(file: FileFacts, types: Types, node: Node): Value {
  return candidatesIn(file).has(node) ? checkedValue(types.typeOf(node)) : UNKNOWN;
}

/** The expressions of a file whose type would matter if nothing else told it. */
function candidatesIn(file: FileFacts): ReadonlySet<Node> {
  return file.remember(
    file.keyFor(file.ast, '=candidates'),
    () => {
      const found = new Set<Node>();
      for (const call of file.nodes.all('CallExpression')) {
        const callee = bare(call.callee);
        if (callee.type !== 'MemberExpression') continue;
        const name = propertyName(callee);
        // no veto: other methods are no rule's affair, and asking takes its time
        if (name === undefined || !handleMembers.has(name)) continue;
        const receiver = bare(callee.object);
        found.add(receiver);
        // `ctx.prisma.user.findMany()`: the model knows prisma, and what is read off it.
        if (receiver.type === 'MemberExpression') found.add(bare(receiver.object));
      }
      return found;
    },
    new Set<Node>(),
  );
}

function checkedValue(type: CheckedType | undefined): Value {
  switch (type?.kind) {
    case 'object':
      for (const module of type.modules) {
        const library = libraryOf(module);
        const value = library ? libraryType(library, type.name) : UNKNOWN;
        if (value.kind !== 'unknown') return value;
      }
      return UNKNOWN;
    case 'promise':
      return promiseOf(checkedValue(type.of));
    case 'array':
      return { kind: 'array', of: checkedValue(type.of) };
    case 'union':
      return join(type.of.map(checkedValue));
    default:
      return UNKNOWN;
  }
}
