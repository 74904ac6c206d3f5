import { bodyOf } from '../../engine/tracked-tree.ts';
import type { Place } from '../file/place.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  classAround,
  importedName,
  isConstructor,
  isDecorated,
  type Node,
  programAround,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from './library-calls.ts';
import { argumentsOf, isCall } from '../syntax/calls.ts';
import type { Injection } from '../model/schema.ts';
import type { LibraryValue } from '../file/value.ts';

/** The name of the data source of which only one is made, unless somebody names others. */
const DEFAULT = 'default';

/**
 * Which data source of its application a container passes to a constructor (`@InjectRepository(User) users`,
 * `@InjectEntityManager('reports') manager`), or a package to its importers. Objects with equal names have one data source, in
 * all classes.
 */
export function injectedSourceOf({
  parameter,
  origin,
  library: { injection },
  typeName,
}: LibraryValue): string | undefined {
  const asked = origin && !parameter && askedSource(origin);
  if (asked) return asked;
  // veto: the caller of a method passes the value, and no container does
  if (!injection || !parameter || !isConstructor(parameter.fn)) return undefined;
  const decorators = decoratorsOf(parameter.fn.params[parameter.index]);
  if (decorators.length === 0) {
    const around = classAround(parameter.fn)?.node;
    return around && isDecorated(around) && injection.byType.includes(typeName)
      ? DEFAULT
      : undefined;
  }
  return namedAmong(decorators, injection);
}

/**
 * The same of a model, which is a class that others use, too: `this.users` after `@InjectModel(User) private users: typeof User`
 * in the constructor.
 */
export function injectedSourceOfModel(model: Node, injection: Injection): string | undefined {
  // no veto: the shape of a field
  if (model.type !== 'MemberExpression' || model.object.type !== 'ThisExpression') return undefined;
  const around = classAround(model);
  const members = around ? bodyOf(around.node.body) : [];
  const given = members
    .flatMap((it) => (it.type === 'MethodDefinition' && it.kind === 'constructor' ? it.value : []))
    .flatMap((it) => it.params)
    .find((it) => isFieldNamed(it, propertyName(model)));
  return namedAmong(decoratorsOf(given), injection);
}

/** `getRepository(User)` of what the package itself keeps. */
function askedSource({ file, node }: Place): string | undefined {
  const signature = isCall(node) ? libraryCallOf(file, node)?.signature : undefined;
  // no veto: says nothing of a data source
  if (!isCall(node) || signature?.sourceAt === undefined) return undefined;
  return nameIn(argumentsOf(node)[signature.sourceAt]);
}

/** Of the argument that may name a data source. */
function nameIn(argument: Node | undefined): string | undefined {
  if (!argument) return DEFAULT;
  // veto: the name of the data source is not a literal
  return argument.type === 'Literal' && typeof argument.value === 'string'
    ? argument.value
    : undefined;
}

function isFieldNamed(parameter: TSESTree.Parameter, name: string | undefined): boolean {
  return (
    parameter.type === 'TSParameterProperty' &&
    parameter.parameter.type === 'Identifier' &&
    parameter.parameter.name === name
  );
}

function decoratorsOf(parameter: TSESTree.Parameter | undefined): readonly TSESTree.Decorator[] {
  return parameter && 'decorators' in parameter ? (parameter.decorators ?? []) : [];
}

function namedAmong(
  decorators: readonly TSESTree.Decorator[],
  injection: Injection,
): string | undefined {
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
  // veto: the decorator comes from a different package than the container
  if (!imported || !modules.includes(imported.from)) return undefined;
  const at = decorators[imported.name ?? ''];
  // no veto: says nothing of a data source
  if (at === undefined) return undefined;
  return nameIn(call.arguments[at]);
}

interface Imported {
  readonly name: string | undefined;
  readonly from: string;
}

/** The import of a name of the file, in a tree whose names are not resolved yet. */
export function importedAs(node: Node, local: string): Imported | undefined {
  const program = programAround(node);
  for (const it of program.type === 'Program' ? bodyOf(program) : []) {
    if (it.type !== 'ImportDeclaration') continue;
    const specifier = it.specifiers.find((one) => one.local.name === local);
    if (specifier) return { name: importedName(specifier), from: it.source.value };
  }
  return undefined;
}
