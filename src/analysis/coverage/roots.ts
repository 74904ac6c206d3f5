import type { TSESTree } from '@typescript-eslint/utils';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { unresolvedInFunction } from '../behaviour/behaviour.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { isKnown, type Value } from '../file/value.ts';
import { libraryNamed, libraryOf, packageOf } from '../model/index.ts';
import { formsOfMember } from '../provenance/abstract-members.ts';
import { describe } from '../provenance/describe.ts';
import { exportsOf } from '../provenance/exports.ts';
import { parameterAt } from '../provenance/given-parts.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  chainStart,
  type ClassNode,
  classAround,
  dottedName,
  importedName,
  isFunction,
  type Node,
  propertyName,
  undefaulted,
} from '../syntax/ast.ts';
import { type Call, calleeOf, isCall, returnedExpressions } from '../syntax/calls.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import type { Definition } from '../syntax/scopes.ts';

/**
 * Why a call is not resolved. `package`: a package without a model, or a part without one. `member`: a member that the model of
 * a package lacks. `module`: a file of the project that is not found. `parameter`: an argument without a type, which any caller decides.
 * `type`: a type whose implementations are not found. `field`: a field of a class. `result`: what a function of the project
 * returns. `global`: a name that no file declares. `promise`: a promise that other code has started. `iteration`: `for await`
 * and `yield`. `subclass`: a method that a subclass replaces. `other`: any expression besides.
 */
export type RootCause =
  | 'package'
  | 'member'
  | 'module'
  | 'parameter'
  | 'type'
  | 'field'
  | 'result'
  | 'global'
  | 'promise'
  | 'iteration'
  | 'subclass'
  | 'other';

/** The innermost thing that is not resolved: once it is, so is all that hangs on it. */
export interface Root {
  readonly cause: RootCause;
  /** As the code calls it: a package, a type, `Store.client`. */
  readonly name: string;
  /** Where it is declared; for a package, the call. */
  readonly at: Place;
  /** The package has a model, which lacks this part. */
  readonly isPart?: true;
  /** Of a package without a model: what of it is called. */
  readonly part?: PackagePart;
}

export interface PackagePart {
  /** As the import has it: `@acme/rates/client`. */
  readonly specifier: string;
  /** `createClient.rates.latest`: members of what it exports, constructs and returns. */
  readonly name: string;
}

/** Names and calls are followed this far. */
const FARTHEST = 12;

/** What keeps an unresolved call, or another unresolved place of a behaviour, from being understood. */
export function rootOf(place: Place, distance = 0): Root {
  const { file, node } = place;
  switch (node.type) {
    case 'AwaitExpression':
      return followed({ file, node: node.argument }, 'promise');
    case 'ForOfStatement':
      return { cause: 'iteration', name: nameAt({ file, node: node.right }), at: place };
    case 'YieldExpression':
      return { cause: 'iteration', name: nameAt(place), at: place };
    default:
      return isCall(node)
        ? rootOfCall(file, node, distance)
        : { cause: 'other', name: nameAt(place), at: place };
  }
}

function rootOfCall(file: FileFacts, call: Call, distance: number): Root {
  const callee = calleeOf(call);
  const value = valueOf(file, callee);
  const within = distance < FARTHEST ? unresolvedForm(value) : undefined;
  if (within) return rootOf(within, distance + 1);
  if (value.kind === 'function' && !parameterAt(file, bare(callee)))
    return {
      cause: 'subclass',
      name: nameOfFunction(value.node),
      at: { file: value.file, node: value.node },
    };
  return followed({ file, node: callee }, 'other');
}

/** Of the methods that a call through an interface or an abstract class may run, what is not resolved in the first that is not. */
function unresolvedForm(callee: Value): Place | undefined {
  if (callee.kind !== 'declared' || !callee.member) return undefined;
  for (const it of formsOfMember(callee.member)?.of ?? []) {
    const place = unresolvedInFunction(it);
    if (place) return place;
  }
  return undefined;
}

/** `fallback` is the cause where the expression itself is as far as one can see. */
function followed(place: Place, fallback: RootCause, distance = 0): Root {
  const { file } = place;
  const node = bare(place.node);
  const end = (cause: RootCause = fallback): Root => ({
    cause,
    name: nameAt({ file, node }),
    at: { file, node },
  });
  if (distance > FARTHEST) return end();
  const further = (it: Node, cause: RootCause) => followed({ file, node: it }, cause, distance + 1);
  switch (node.type) {
    case 'Identifier':
      return rootOfName(file, node, distance, fallback) ?? end();
    case 'MemberExpression': {
      const object = valueOf(file, node.object);
      if (!isModelled(object)) return memberOf(further(node.object, 'other'), propertyName(node));
      if (object.kind === 'global') return end('global');
      return rootOfMember(object, propertyName(node), distance) ?? end('member');
    }
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression': {
      const callee = calleeOf(node);
      const value = valueOf(file, callee);
      if (value.kind === 'global') return { ...end('global'), name: value.name };
      if (value.kind !== 'function')
        return isModelled(value) ? end('result') : further(callee, 'result');
      const [returned, ...others] = returnedExpressions(value.node);
      const within = { file: value.file, node: value.node };
      return returned && others.length === 0
        ? followed({ file: value.file, node: returned }, 'result', distance + 1)
        : { cause: 'result', name: nameOfFunction(value.node), at: within };
    }
    case 'AwaitExpression':
      return further(node.argument, fallback);
    case 'LogicalExpression':
      return further(isKnown(valueOf(file, node.left)) ? node.right : node.left, fallback);
    case 'ConditionalExpression':
      return further(
        isKnown(valueOf(file, node.consequent)) ? node.alternate : node.consequent,
        fallback,
      );
    default:
      return end();
  }
}

/** Of a package without a model, declarations state parts one by one: those that they leave out belong to the package. */
function isModelled(value: Value): boolean {
  return (
    isKnown(value) && !('library' in value && libraryNamed(value.library.name) !== value.library)
  );
}

function memberOf(root: Root, name: string | undefined): Root {
  const { part, ...rest } = root;
  if (!part || name === undefined) return rest;
  return { ...rest, part: { ...part, name: part.name === '*' ? name : `${part.name}.${name}` } };
}

function rootOfName(
  file: FileFacts,
  name: TSESTree.Identifier,
  distance: number,
  fallback: RootCause,
): Root | undefined {
  const definition = file.variableOf(name)?.defs.find((it) => it.type !== 'Type');
  if (!definition) return { cause: 'global', name: name.name, at: { file, node: name } };
  switch (definition.type) {
    case 'ImportBinding':
      return rootOfImport(file, definition, name, distance);
    case 'Parameter': {
      const type = annotationOf(definition.name);
      return (
        (type && rootOfType(file, type, distance)) ?? {
          cause: 'parameter',
          name: name.name,
          at: { file, node: definition.name },
        }
      );
    }
    case 'Variable': {
      const type = annotationOf(definition.name);
      const { init } = definition.node;
      if (type) return rootOfType(file, type, distance);
      if (!init) return { cause: fallback, name: name.name, at: { file, node: definition.name } };
      const value = valueOf(file, init);
      if (isKnown(value) && definition.node.id !== definition.name)
        return rootOfMember(value, name.name, distance);
      return followed({ file, node: init }, 'other', distance + 1);
    }
    default:
      return undefined;
  }
}

function rootOfImport(
  file: FileFacts,
  definition: Extract<Definition, { type: 'ImportBinding' }>,
  name: Node,
  distance: number,
): Root | undefined {
  const source = definition.parent?.source.value;
  if (source === undefined) return undefined;
  return rootOfExport(
    file,
    source,
    importedName(definition.node) ?? '*',
    { file, node: name },
    distance,
  );
}

function rootOfExport(
  file: FileFacts,
  source: string,
  name: string,
  at: Place,
  distance: number,
): Root | undefined {
  const target = file.modules?.resolve(source, file.path);
  // no veto: two files that hand on each other's names.
  if (distance > FARTHEST) return undefined;
  if (!target && isOfProject(source)) return { cause: 'module', name: source, at };
  if (!target) {
    // Of a supported package, it is the part without a model.
    return libraryOf(source)
      ? { cause: 'package', name: `${source}, ${name}`, at, isPart: true }
      : { cause: 'package', name: packageOf(source), at, part: { specifier: source, name } };
  }
  const found = exportsOf(target).get(name);
  if (found?.kind === 'reexport')
    return rootOfExport(target, found.source, found.name, at, distance + 1);
  if (!found) {
    const [everything, ...others] = exportsOf(target).everythingFrom;
    return everything && others.length === 0
      ? rootOfExport(target, everything, name, at, distance + 1)
      : undefined;
  }
  const node = bare(found.node);
  return isTypeDeclaration(node)
    ? { cause: 'type', name, at: { file: target, node } }
    : followed({ file: target, node }, 'other', distance + 1);
}

function isTypeDeclaration({ type }: Node): boolean {
  return (
    type === 'TSInterfaceDeclaration' ||
    type === 'TSTypeAliasDeclaration' ||
    type === 'ClassDeclaration'
  );
}

/** `./db`, `@/db`, `~/db`, `#db`: no package can be called so. */
function isOfProject(source: string): boolean {
  return /^(?:\.|\/|[@~]\/|#|src\/)/.test(source);
}

function rootOfMember(object: Value, name: string | undefined, distance: number): Root | undefined {
  if (name === undefined) return undefined;
  switch (object.kind) {
    case 'instance':
    case 'class':
      return rootOfField(object.file, object.node, name, distance);
    case 'interface': {
      const at = { file: object.file, node: object.node };
      return { cause: 'type', name: describe(object), at };
    }
    case 'namespace': {
      const found = exportsOf(object.file).get(name);
      if (found?.kind === 'local')
        return followed({ file: object.file, node: found.node }, 'other', distance + 1);
      const at = { file: object.file, node: object.file.ast };
      return found && rootOfExport(object.file, found.source, found.name, at, distance + 1);
    }
    default:
      return undefined;
  }
}

function rootOfField(file: FileFacts, owner: ClassNode, name: string, distance: number): Root {
  const declared = fieldOf(owner, name);
  const { type, value } = declared ?? {};
  const root = type
    ? rootOfType(file, type, distance)
    : value && followed({ file, node: value }, 'field', distance + 1);
  const label = `${owner.id?.name ?? 'class'}.${name}`;
  return root ?? { cause: 'field', name: label, at: { file, node: declared?.node ?? owner } };
}

interface Field {
  readonly node: Node;
  readonly type: TSESTree.TypeNode | undefined;
  readonly value?: Node | undefined;
}

/** Where a class declares a field: by itself, or as a parameter of its constructor. */
function fieldOf({ body }: ClassNode, name: string): Field | undefined {
  const fields = bodyOf(body).flatMap((it): Field[] => {
    if (it.type === 'PropertyDefinition')
      return propertyName(it) === name
        ? [{ node: it, type: it.typeAnnotation?.typeAnnotation, value: it.value ?? undefined }]
        : [];
    const parameters = it.type === 'MethodDefinition' ? it.value.params : [];
    return parameters.flatMap((parameter): Field[] => {
      const target =
        parameter.type === 'TSParameterProperty' ? undefaulted(parameter.parameter) : undefined;
      return target?.type === 'Identifier' && target.name === name
        ? [{ node: parameter, type: annotationOf(target) }]
        : [];
    });
  });
  return fields[0];
}

function annotationOf(name: Node): TSESTree.TypeNode | undefined {
  return name.type === 'Identifier' ? name.typeAnnotation?.typeAnnotation : undefined;
}

function rootOfType(file: FileFacts, type: TSESTree.TypeNode, distance: number): Root {
  const shown = file.textOf(type).replace(/\s+/g, ' ').slice(0, 60);
  const own: Root = { cause: 'type', name: shown, at: { file, node: type } };
  if (distance > FARTHEST) return own;
  switch (type.type) {
    case 'TSUnionType': {
      const [first] = type.types.filter((it) => !/^TS(?:Null|Undefined)Keyword$/.test(it.type));
      return first ? rootOfType(file, first, distance + 1) : own;
    }
    case 'TSTypeReference': {
      const start = entityStart(type.typeName);
      const definition = start && file.variableOf(start)?.defs[0];
      if (!definition) {
        const [inner] = type.typeArguments?.params ?? [];
        return inner && start && WRAPPING.test(start.name)
          ? rootOfType(file, inner, distance + 1)
          : own;
      }
      if (definition.type === 'ImportBinding')
        return rootOfImport(file, definition, start, distance + 1) ?? own;
      return { ...own, at: { file, node: definition.node } };
    }
    case 'TSTypeQuery': {
      const start = type.exprName.type === 'TSImportType' ? undefined : entityStart(type.exprName);
      return start ? (rootOfName(file, start, distance + 1, 'type') ?? own) : own;
    }
    default:
      return own;
  }
}

const WRAPPING = /^(?:Awaited|InstanceType|Partial|Promise|Readonly|Required|ReturnType)$/;

function entityStart(name: TSESTree.EntityName): TSESTree.Identifier | undefined {
  if (name.type === 'Identifier') return name;
  return name.type === 'TSQualifiedName' ? entityStart(name.left) : undefined;
}

function nameAt({ file, node }: Place): string {
  const it = isFunction(node) ? undefined : dottedName(node);
  if (it) return it;
  const start = chainStart(node);
  const around = isFunction(node) ? nameOfFunction(node) : classAround(node)?.node.id?.name;
  return (
    (start === node ? undefined : dottedName(start)) ?? around ?? file.textOf(node).slice(0, 40)
  );
}
