import { bare, type Node, propertyName } from './ast.ts';
import type { FileFacts } from './file.ts';
import { libraryType } from './library-values.ts';
import { handleMembers, libraryOf } from './model/index.ts';
import type { CheckedType, Types } from './source.ts';
import { join, promiseOf, UNKNOWN, type Value } from './value.ts';

/**
 * What the type checker says of the expressions that are worth a question: receivers of calls named like a modelled
 * method, and what those are read off, of which nothing else is known.
 */
export function typedValues(
  file: FileFacts,
  types: Types,
  isUndecided: (node: Node) => boolean,
): ReadonlyMap<Node, Value> {
  const undecided = [...candidatesIn(file)].filter(isUndecided);
  if (undecided.length === 0) return new Map();
  const answers = types.typesOf(undecided);
  return new Map(undecided.map((node, i) => [node, checkedValue(answers[i])]));
}

/** The expressions of a file whose type would matter if nothing else told it. */
export function candidatesIn(file: FileFacts): ReadonlySet<Node> {
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
