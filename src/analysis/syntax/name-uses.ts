import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, walk } from './ast.ts';
import type { NodeIndex } from './node-index.ts';
import { isParametrised } from './scopes.ts';

export type Name = TSESTree.Identifier | TSESTree.JSXIdentifier;

/** The meaning of a name at its place; `none` for a word that is only spelled like a name: properties, labels. */
export type Space = 'none' | 'value' | 'type' | 'both';

/** A value that goes into a name. */
export interface Write {
  /** Null where nothing stands for it: `count++`. */
  readonly value: Node | null;
  /** With its declaration, or as its default. */
  readonly isInitial: boolean;
  readonly isRead: boolean;
}

/** Whether the place of the name can neither declare nor write it: most places cannot. */
export function isPlainUse({ parent }: Name): boolean {
  return PLAIN.has((parent as Node).type);
}

const PLAIN: ReadonlySet<string> = new Set([
  ...['ArrayExpression', 'AwaitExpression', 'BinaryExpression', 'CallExpression', 'IfStatement'],
  ...['ConditionalExpression', 'LogicalExpression', 'MemberExpression', 'NewExpression'],
  ...['ReturnStatement', 'SpreadElement', 'TSTypeReference', 'TemplateLiteral', 'UnaryExpression'],
]);

/** The whole of what a name is a part of where values are given to names: `{ a: [name = 1] }`. */
interface Target {
  readonly whole: Node;
  readonly defaults: readonly Node[];
}

const NO_DEFAULTS: readonly Node[] = [];

export function targetAround(name: Node): Target {
  let whole = name;
  let defaults = NO_DEFAULTS;
  for (;;) {
    const parent = whole.parent;
    switch (parent?.type) {
      case 'Property':
        if (parent.value !== whole || parent.parent.type !== 'ObjectPattern')
          return { whole, defaults };
        whole = parent.parent;
        continue;
      case 'AssignmentPattern':
        if (parent.left !== whole) return { whole, defaults };
        defaults = [...defaults, parent.right];
        break;
      case 'ArrayPattern':
      case 'ObjectPattern':
      case 'RestElement':
      case 'TSParameterProperty':
        break;
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
        if (parent.expression !== whole) return { whole, defaults };
        break;
      default:
        return { whole, defaults };
    }
    whole = parent;
  }
}

/** Whether the place of the name is its declaration. */
export function isDeclaring(name: Name, { whole }: Target): boolean {
  const parent = whole.parent;
  if (!parent) return false;
  if (isParametrised(parent)) {
    return (
      (parent.params as readonly Node[]).includes(whole) || ('id' in parent && parent.id === name)
    );
  }
  switch (parent.type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'TSImportEqualsDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSEnumMember':
    case 'TSModuleDeclaration':
      return parent.id === whole;
    case 'CatchClause':
      return parent.param === whole;
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return parent.local === name;
    case 'TSTypeParameter':
      return parent.name === name;
    case 'TSMappedType':
      return parent.key === name;
    default:
      return false;
  }
}

/** All values that the place of the name writes to it. */
export function writesAt({ whole, defaults }: Target): readonly Write[] {
  const parent = whole.parent;
  const written = (value: Node | null, isInitial: boolean, isRead = false): readonly Write[] => [
    ...defaults.map((it): Write => ({ value: it, isInitial, isRead: false })),
    ...(value || isRead ? [{ value, isInitial, isRead }] : []),
  ];
  switch (parent?.type) {
    case 'VariableDeclarator': {
      // no veto: what a name means and gets is compared with a scope analysis in test/names.test.ts.
      if (parent.id !== whole) return [];
      const loop = parent.parent.parent as Node | undefined;
      const isOfLoop = loop?.type === 'ForInStatement' || loop?.type === 'ForOfStatement';
      return written(isOfLoop && loop.left === parent.parent ? loop.right : parent.init, true);
    }
    case 'CatchClause':
      return parent.param === whole ? written(null, true) : [];
    case 'AssignmentExpression':
      return parent.left === whole ? written(parent.right, false, parent.operator !== '=') : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.left === whole ? written(parent.right, false) : [];
    case 'UpdateExpression':
      return written(null, false, true);
    default:
      return parent && isParametrised(parent) && (parent.params as readonly Node[]).includes(whole)
        ? written(null, true)
        : [];
  }
}

/** How the names are spelled to which something may be written after their declaration, or as a default. */
export function writtenNames(nodes: NodeIndex): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (target: Node): void => {
    // A member is no name, and what a loop declares gets its values with its declaration.
    // no veto: spares names that nothing is written to the question what is.
    if (/^(?:MemberExpression|VariableDeclaration)$/.test(bare(target).type)) return;
    walk(target, (it) => void (it.type === 'Identifier' && names.add(it.name)));
  };
  for (const it of nodes.all('AssignmentExpression')) add(it.left);
  for (const it of nodes.all('AssignmentPattern')) add(it.left);
  for (const it of nodes.all('ForInStatement')) add(it.left);
  for (const it of nodes.all('ForOfStatement')) add(it.left);
  for (const it of nodes.all('UpdateExpression')) add(it.argument);
  return names;
}

/** The value that a name reads whose place is no declaration. */
export function spaceOf(name: Name): Space {
  const parent = name.parent as Node;
  if (name.type === 'JSXIdentifier') return spaceOfElement(name, parent);
  switch (parent.type) {
    case 'MemberExpression':
      if (parent.property === name && !parent.computed) return 'none';
      return spaceOfMember(parent);
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractMethodDefinition':
    case 'TSAbstractPropertyDefinition':
    case 'TSAbstractAccessorProperty':
      return parent.key === name && parent.value !== name && !parent.computed ? 'none' : 'value';
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return parent.computed ? 'value' : 'none';
    case 'TSQualifiedName':
      return parent.left === name ? spaceOfQualified(parent) : 'none';
    case 'TSTypeReference':
    case 'TSClassImplements':
    case 'TSInterfaceHeritage':
      return 'type';
    case 'ExportSpecifier': {
      const { exportKind, source } = parent.parent as TSESTree.ExportNamedDeclaration;
      if (source || parent.local !== name) return 'none';
      return exportKind === 'type' || parent.exportKind === 'type' ? 'type' : 'both';
    }
    case 'ExportDefaultDeclaration':
    case 'TSExportAssignment':
      return 'both';
    case 'ImportSpecifier':
    case 'ExportAllDeclaration':
    case 'ImportAttribute':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'TSEnumMember':
    case 'TSImportType':
    case 'TSIndexSignature':
    case 'TSModuleDeclaration':
    case 'TSNamedTupleMember':
    case 'TSNamespaceExportDeclaration':
      return parent.type === 'TSEnumMember' && parent.initializer === name ? 'value' : 'none';
    default:
      return 'value';
  }
}

/** `<Report />` and `<reports.Daily />` name values, `<div />` names none. */
function spaceOfElement({ name }: TSESTree.JSXIdentifier, parent: Node): Space {
  if (parent.type === 'JSXMemberExpression') {
    const isObject = parent.object.type === 'JSXIdentifier' && parent.object.name === name;
    return isObject && name !== 'this' ? 'value' : 'none';
  }
  const isElement = parent.type === 'JSXOpeningElement' || parent.type === 'JSXClosingElement';
  return isElement && (name[0]!.toUpperCase() === name[0] || name === 'this') ? 'value' : 'none';
}

/** `implements stores.Store` */
function spaceOfMember(member: TSESTree.MemberExpression): Space {
  let whole: Node = member;
  while (whole.parent?.type === 'MemberExpression' && whole.parent.object === whole) {
    whole = whole.parent;
  }
  const type = whole.parent?.type;
  return type === 'TSClassImplements' || type === 'TSInterfaceHeritage' ? 'type' : 'value';
}

function spaceOfQualified(name: TSESTree.TSQualifiedName): Space {
  let whole: Node = name;
  while (whole.parent?.type === 'TSQualifiedName') {
    if (whole.parent.left !== whole) return 'none';
    whole = whole.parent;
  }
  switch (whole.parent?.type) {
    case 'TSTypeQuery':
    case 'TSImportEqualsDeclaration':
      return 'value';
    case 'TSImportType':
    case 'TSModuleDeclaration':
      return 'none';
    default:
      return 'type';
  }
}
