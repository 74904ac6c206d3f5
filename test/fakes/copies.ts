import { factsOf } from '../../src/analysis/facts.ts';
import { isClass, isFunction, type Node } from '../../src/analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../../src/analysis/syntax/places.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';

/** How many of what a program has there are to be. */
export type Copied = 'functions' | 'everything';

interface Piece {
  readonly isOnce: boolean;
  textOf(copy: number): string;
}

/**
 * A program with so many copies of its functions, classes and calls in one file, each under names of its own: they share the
 * imports and, where only functions are copied, also pools and other values. `export default` stays with the first.
 */
export function copiesOf(program: string, path: string, copied: Copied): (count: number) => string {
  const source = sourceOf(program, path);
  if (isFailure(source)) throw new Error(`${path}: ${source.message}`);
  const file = factsOf(source);
  const isOnce = (it: Node) =>
    it.type === 'ImportDeclaration' || (copied === 'functions' && isValue(it));
  const edits: { at: number; name: string; isShort: boolean; end: number }[] = [];
  const own = new Set<string>();
  for (const it of source.ast.body) if (!isOnce(it)) for (const name of namesIn(it)) own.add(name);
  for (const it of file.nodes.all('Identifier', 'JSXIdentifier')) {
    if (!own.has(it.name)) continue;
    const variable = file.variableOf(it);
    if (variable?.scope !== source.ast) continue;
    const { parent } = it as { parent: Node };
    const isShort = parent.type === 'Property' && parent.shorthand;
    // A shorthand's key and value are two nodes of one place.
    if (isShort && parent.key === it) continue;
    if (
      parent.type === 'AssignmentPattern' &&
      parent.parent.type === 'Property' &&
      parent.parent.shorthand &&
      parent.left === it
    )
      continue;
    // A type annotation is inside of the name.
    edits.push({ at: startsAt(it), name: it.name, isShort, end: startsAt(it) + it.name.length });
  }
  const bodies: Piece[] = source.ast.body.map((it, i) => {
    const [start, end] = [i === 0 ? 0 : endsAt(source.ast.body[i - 1]!), endsAt(it)];
    const inside = edits.filter(({ at }) => start <= at && at < end);
    return { isOnce: isOnce(it), textOf: (copy) => renamed(start, end, inside, copy) };
  });
  return (count) =>
    Array.from({ length: count }, (_, copy) =>
      bodies.map((it) => (it.isOnce && copy > 0 ? '' : it.textOf(copy))).join(''),
    ).join('\n');

  function renamed(start: number, end: number, inside: typeof edits, copy: number): string {
    if (copy === 0) return program.slice(start, end);
    let text = '';
    let from = start;
    for (const { at, name, isShort, end: to } of inside) {
      text += program.slice(from, at) + (isShort ? `${name}: ` : '') + `${name}${copy}`;
      from = to;
    }
    return (text + program.slice(from, end)).replace('export default ', '');
  }
}

/** Declared once for all functions. */
function isValue(statement: Node): boolean {
  const it = declared(statement);
  if (it.type === 'VariableDeclaration') {
    return it.declarations.every(({ init }) => !isFunction(init));
  }
  return !isFunction(it) && !isClass(it) && it.type !== 'ExpressionStatement';
}

function declared(statement: Node): Node {
  return (
    (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : undefined) ?? statement
  );
}

function namesIn(statement: Node): readonly string[] {
  const it = declared(statement) as { id?: Node; declarations?: readonly { id: Node }[] };
  const patterns = it.declarations?.map(({ id }) => id) ?? (it.id ? [it.id] : []);
  const names = (pattern: Node): readonly string[] => {
    switch (pattern.type) {
      case 'Identifier':
        return [pattern.name];
      case 'ObjectPattern':
        return pattern.properties.flatMap((p) =>
          names(p.type === 'Property' ? p.value : p.argument),
        );
      case 'ArrayPattern':
        return pattern.elements.flatMap((e) => (e ? names(e) : []));
      case 'AssignmentPattern':
        return names(pattern.left);
      default:
        return [];
    }
  };
  return patterns.flatMap(names);
}
