import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type ClassNode, isClass, type Node, walk, walkStatements } from './ast.ts';
import { endsAt, rangeOf, startsAt } from './places.ts';

type Identifier = TSESTree.Identifier;

/** Everything that has parameters: functions, and what only declares one. */
export type ParametrisedNode =
  | TSESTree.FunctionLike
  | TSESTree.TSCallSignatureDeclaration
  | TSESTree.TSConstructorType
  | TSESTree.TSConstructSignatureDeclaration
  | TSESTree.TSFunctionType
  | TSESTree.TSMethodSignature;

/** How a name came to be: `node` is the innermost declaration around it. */
export type Definition = { readonly name: Identifier } & (
  | {
      readonly type: 'Variable';
      readonly node: TSESTree.VariableDeclarator;
      readonly parent: TSESTree.VariableDeclaration;
    }
  | { readonly type: 'Parameter'; readonly node: ParametrisedNode }
  | { readonly type: 'FunctionName'; readonly node: TSESTree.FunctionLike }
  | { readonly type: 'ClassName'; readonly node: ClassNode }
  | { readonly type: 'CatchClause'; readonly node: TSESTree.CatchClause }
  | {
      readonly type: 'ImportBinding';
      readonly node: TSESTree.ImportClause | TSESTree.TSImportEqualsDeclaration;
      readonly parent: TSESTree.ImportDeclaration | undefined;
    }
  | {
      readonly type: 'Type';
      readonly node:
        | TSESTree.TSInterfaceDeclaration
        | TSESTree.TSMappedType
        | TSESTree.TSTypeAliasDeclaration
        | TSESTree.TSTypeParameter;
    }
  | { readonly type: 'Enum'; readonly node: TSESTree.TSEnumDeclaration | TSESTree.TSEnumMember }
  | { readonly type: 'Namespace'; readonly node: TSESTree.TSModuleDeclaration }
);

/** The declarations of one scope under one name. */
export interface Declared {
  readonly name: string;
  readonly defs: readonly Definition[];
  readonly identifiers: readonly Identifier[];
}

/** The names of a node's own scope; built from its declarations alone, without visiting its content. */
export type Scope = ReadonlyMap<string, Declared>;

/** Nodes whose own names their content can see. The body of a function is no additional scope. */
export function isScope(node: Node): boolean {
  if (node.type === 'BlockStatement') return !isParametrised(node.parent);
  return SCOPES.has(node.type) || isParametrised(node);
}

const SCOPES: ReadonlySet<string> = new Set([
  ...['CatchClause', 'ClassDeclaration', 'ClassExpression', 'Program', 'StaticBlock'],
  ...['ForInStatement', 'ForOfStatement', 'ForStatement', 'SwitchStatement'],
  ...['TSConditionalType', 'TSEnumDeclaration', 'TSInterfaceDeclaration', 'TSMappedType'],
  ...['TSModuleDeclaration', 'TSTypeAliasDeclaration'],
]);

const PARAMETRISED: ReadonlySet<string> = new Set([
  ...['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression', 'TSDeclareFunction'],
  ...['TSCallSignatureDeclaration', 'TSConstructorType', 'TSConstructSignatureDeclaration'],
  ...['TSEmptyBodyFunctionExpression', 'TSFunctionType', 'TSMethodSignature'],
]);

export function isParametrised(node: Node): node is ParametrisedNode {
  return PARAMETRISED.has(node.type);
}

export function scopeOf(node: Node): Scope {
  const scope = new Map<string, Declared>();
  if (isParametrised(node)) {
    for (const it of node.params) {
      for (const name of namesIn(it)) declare(scope, { type: 'Parameter', name, node });
    }
    addTypeParameters(scope, node.typeParameters);
    const body = 'body' in node ? bodyOf(node) : undefined;
    if (body?.type === 'BlockStatement') addBody(scope, body.body);
    return scope;
  }
  switch (node.type) {
    case 'Program':
    case 'StaticBlock':
      addBody(scope, bodyOf(node));
      break;
    case 'TSModuleDeclaration':
      addBody(scope, (node.body as TSESTree.TSModuleBlock | undefined)?.body ?? []);
      break;
    case 'BlockStatement':
      for (const it of node.body) addStatement(scope, it);
      break;
    case 'SwitchStatement':
      for (const it of node.cases) for (const inner of it.consequent) addStatement(scope, inner);
      break;
    case 'ForStatement':
      if (node.init) addStatement(scope, node.init);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      addStatement(scope, node.left);
      break;
    case 'CatchClause':
      for (const name of node.param ? namesIn(node.param) : []) {
        declare(scope, { type: 'CatchClause', name, node });
      }
      break;
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.id) declare(scope, { type: 'ClassName', name: node.id, node });
      addTypeParameters(scope, node.typeParameters);
      break;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      addTypeParameters(scope, node.typeParameters);
      break;
    case 'TSMappedType':
      declare(scope, { type: 'Type', name: node.key, node });
      break;
    case 'TSConditionalType':
      walk(node.extendsType, (it) => {
        if (it.type === 'TSInferType') addTypeParameter(scope, it.typeParameter);
        return it.type !== 'TSConditionalType';
      });
      break;
    case 'TSEnumDeclaration':
      for (const it of node.body.members) {
        if (it.id.type === 'Identifier') declare(scope, { type: 'Enum', name: it.id, node: it });
      }
      break;
  }
  return scope;
}

/** The scope around a function's own that holds nothing but its name: `const run = function again() {}`. */
export function nameScopeOf(node: Node): Scope | undefined {
  if (node.type !== 'FunctionExpression' || !node.id) return undefined;
  const scope = new Map<string, Declared>();
  declare(scope, { type: 'FunctionName', name: node.id, node });
  return scope;
}

function declare(scope: Map<string, Declared>, definition: Definition): void {
  const { name } = definition;
  const known = scope.get(name.name);
  if (!known) {
    scope.set(name.name, { name: name.name, defs: [definition], identifiers: [name] });
    return;
  }
  (known.defs as Definition[]).push(definition);
  (known.identifiers as Identifier[]).push(name);
}

/** The statements of something that `var` does not leave. */
function addBody(scope: Map<string, Declared>, statements: readonly Node[]): void {
  for (const statement of statements) {
    addStatement(scope, statement);
    walkStatements(exported(statement), (it) => {
      if (it.type === 'VariableDeclaration') addVariables(scope, it, 'var');
      else if (it.type === 'ForStatement' && it.init) addVariables(scope, it.init, 'var');
      else if (it.type === 'ForInStatement' || it.type === 'ForOfStatement') {
        addVariables(scope, it.left, 'var');
      }
    });
  }
}

function addStatement(scope: Map<string, Declared>, statement: Node): void {
  const node = exported(statement);
  switch (node.type) {
    case 'VariableDeclaration':
      addVariables(scope, node, 'block');
      break;
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      if (node.id) declare(scope, { type: 'FunctionName', name: node.id, node });
      break;
    case 'ClassDeclaration':
      if (node.id) declare(scope, { type: 'ClassName', name: node.id, node });
      break;
    case 'ImportDeclaration':
      for (const it of node.specifiers) {
        declare(scope, { type: 'ImportBinding', name: it.local, node: it, parent: node });
      }
      break;
    case 'TSImportEqualsDeclaration':
      declare(scope, { type: 'ImportBinding', name: node.id, node, parent: undefined });
      break;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      declare(scope, { type: 'Type', name: node.id, node });
      break;
    case 'TSEnumDeclaration':
      declare(scope, { type: 'Enum', name: node.id, node });
      break;
    case 'TSModuleDeclaration':
      if (node.id.type === 'Identifier' && node.kind !== 'global') {
        declare(scope, { type: 'Namespace', name: node.id, node });
      }
      break;
    case 'LabeledStatement':
      addStatement(scope, node.body);
      break;
  }
}

function exported(statement: Node): Node {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  return (isExport ? statement.declaration : undefined) ?? statement;
}

function addVariables(scope: Map<string, Declared>, parent: Node, kind: 'block' | 'var'): void {
  if (parent.type !== 'VariableDeclaration' || (parent.kind === 'var') !== (kind === 'var')) return;
  for (const node of parent.declarations) {
    for (const name of namesIn(node.id)) declare(scope, { type: 'Variable', name, node, parent });
  }
}

function addTypeParameters(
  scope: Map<string, Declared>,
  parameters: TSESTree.TSTypeParameterDeclaration | null | undefined,
): void {
  for (const it of parameters?.params ?? []) addTypeParameter(scope, it);
}

function addTypeParameter(scope: Map<string, Declared>, node: TSESTree.TSTypeParameter): void {
  declare(scope, { type: 'Type', name: node.name, node });
}

/** The names that a declared pattern gives. */
function namesIn(pattern: Node): readonly Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((it) =>
        namesIn(it.type === 'Property' ? it.value : it.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((it) => (it ? namesIn(it) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'TSParameterProperty':
      return namesIn(pattern.parameter);
    default:
      return [];
  }
}

/** False for the places inside of a scope's node that do not see its names: they precede the declarations. */
export function sees(name: Node, scope: Node, { defs }: Declared): boolean {
  const [at] = rangeOf(name);
  if (isParametrised(scope)) {
    // A parameter's default does not see what the body declares.
    const body = 'body' in scope ? bodyOf(scope) : undefined;
    const start = body ? startsAt(body) : undefined;
    return start === undefined || at >= start || defs.some((it) => startsAt(it.name) < start);
  }
  if (isClass(scope)) {
    // Espree knows no decorators.
    const decorators = (scope as Partial<ClassNode>).decorators ?? [];
    return decorators.every((it) => at < startsAt(it) || endsAt(it) <= at);
  }
  if (scope.type === 'SwitchStatement') return at >= endsAt(scope.discriminant);
  // no veto: what a name means is compared with a scope analysis in test/names.test.ts.
  return scope.type !== 'TSConditionalType' || at < startsAt(scope.falseType);
}
