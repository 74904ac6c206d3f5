// vetoes of no-nested-checkout
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, classAround, programAround, importedName, isConstructor, type Node } from './ast.ts';
import type { Injection } from './model/schema.ts';
import type { LibraryValue } from './value.ts';

/** The name of the data source of which only one is made, unless somebody names others. */
const DEFAULT = 'default';

/**
 * Which data source of its application a container gives to a constructor: `@InjectRepository(User) users`,
 * `@InjectEntityManager('reports') manager`. Objects of equal names are of one data source, in whatever class they are.
 */
export function injectedSourceOf({
  parameter,
  library: { injection },
  typeName,
}: LibraryValue): string | undefined {
  // veto: what the caller of a method gives
  if (!injection || !parameter || !isConstructor(parameter.fn)) return undefined;
  const given = parameter.fn.params[parameter.index];
  const decorators = given && 'decorators' in given ? (given.decorators ?? []) : [];
  if (decorators.length === 0) {
    const isDecorated = (classAround(parameter.fn)?.node.decorators.length ?? 0) > 0;
    return isDecorated && injection.byType.includes(typeName) ? DEFAULT : undefined;
  }
  const [name] = decorators.flatMap((it) => namedBy(it, injection) ?? []);
  return name;
}

function namedBy(
  { expression }: TSESTree.Decorator,
  { modules, decorators }: Injection,
): string | undefined {
  const call = bare(expression);
  const name =
    call.type === 'CallExpression' && call.callee.type === 'Identifier' && call.callee.name;
  // no veto: the shape of what is asked for
  if (!name) return undefined;
  const imported = importedAs(call, name);
  // veto: decorators of something else
  if (!imported || !modules.includes(imported.from)) return undefined;
  const at = decorators[imported.name ?? ''];
  // no veto: says nothing of a data source
  if (at === undefined) return undefined;
  const argument = call.arguments[at];
  if (!argument) return DEFAULT;
  // veto: named by something that is not known here
  return argument.type === 'Literal' && typeof argument.value === 'string'
    ? argument.value
    : undefined;
}

interface Imported {
  readonly name: string | undefined;
  readonly from: string;
}

/** The import that a name of the file is from, in a tree whose names nobody has looked up. */
export function importedAs(node: Node, local: string): Imported | undefined {
  const program = programAround(node);
  for (const it of program.type === 'Program' ? program.body : []) {
    if (it.type !== 'ImportDeclaration') continue;
    const specifier = it.specifiers.find((one) => one.local.name === local);
    if (specifier) return { name: importedName(specifier), from: it.source.value };
  }
  return undefined;
}
