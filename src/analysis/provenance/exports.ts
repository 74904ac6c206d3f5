import { valueOf } from './value-of.ts';
import { valueQuery } from '../file/value-query.ts';
import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type FunctionNode,
  isNamed,
  type Node,
  propertyName,
  targetsIn,
} from '../syntax/ast.ts';
import { assignmentsOf, type Properties } from './assignments.ts';
import type { FileFacts } from '../file/file.ts';
import { firstAnswer, isSame, join, UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

export type Export =
  | { readonly kind: 'local'; readonly node: Node }
  | { readonly kind: 'reexport'; readonly source: string; readonly name: string };

/** The exports of a file, ESM and CommonJS alike; `module.exports = x` is the name `require`. */
export interface Exports {
  get(name: string): Export | undefined;
  readonly names: readonly string[];
  /** Sources of `export * from`. */
  readonly everythingFrom: readonly string[];
}

const NO_EXPORTS: Exports = { get: () => undefined, names: [], everythingFrom: [] };

export const exportsOf = queryOfFile('exports', (file: FileFacts): Exports => collected(file.ast), {
  whileCyclic: NO_EXPORTS,
});

function collected(program: TSESTree.Program): Exports {
  const found = new Map<string, Export>();
  const everythingFrom: string[] = [];
  for (const statement of bodyOf(program)) {
    switch (statement.type) {
      case 'ExportAllDeclaration':
        if (!statement.exported) everythingFrom.push(statement.source.value);
        else {
          found.set(statement.exported.name, {
            kind: 'reexport',
            source: statement.source.value,
            name: '*',
          });
        }
        break;
      case 'ExportDefaultDeclaration':
        found.set('default', { kind: 'local', node: statement.declaration });
        break;
      case 'ExportNamedDeclaration':
        for (const [name, entry] of namedExports(statement))
          // `export const Order = object({ … })` beside `export type Order = …`: the name of the value leads to both.
          if (!found.has(name) || !isOnlyType(statement.declaration)) found.set(name, entry);
        break;
      case 'TSExportAssignment':
        found.set('require', { kind: 'local', node: statement.expression });
        break;
      case 'ExpressionStatement':
        for (const [name, node] of assignedExports(statement.expression)) {
          found.set(name, { kind: 'local', node });
        }
        break;
      case 'VariableDeclaration':
        // `const db = (module.exports = {})`
        for (const { init } of statement.declarations) {
          for (const [name, node] of init ? assignedExports(init) : []) {
            found.set(name, { kind: 'local', node });
          }
        }
        break;
    }
  }
  return { get: (name) => found.get(name), names: [...found.keys()], everythingFrom };
}

function isOnlyType(declaration: Node | null): boolean {
  return declaration !== null && ONLY_TYPES.has(declaration.type);
}

const ONLY_TYPES: ReadonlySet<string> = new Set([
  ...['TSInterfaceDeclaration', 'TSModuleDeclaration', 'TSTypeAliasDeclaration'],
]);

/** Whether a function is exported where it is declared, which no use of its name shows. */
export function isExported({ parent }: FunctionNode): boolean {
  const declaration = parent.type === 'VariableDeclarator' ? parent.parent.parent : parent;
  return declaration.type.startsWith('Export');
}

function namedExports(statement: TSESTree.ExportNamedDeclaration): [string, Export][] {
  const { declaration, source } = statement;
  if (declaration) {
    const nodes: Node[] =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.flatMap((it) => targetsIn(it.id))
        : [declaration];
    return nodes.flatMap((node): [string, Export][] => {
      const name =
        node.type === 'Identifier' ? node : 'id' in node ? (node.id as Node | null) : undefined;
      return name?.type === 'Identifier' ? [[name.name, { kind: 'local', node }]] : [];
    });
  }
  return statement.specifiers.map((it) => {
    const exported = nameOf(it.exported);
    return source
      ? [exported, { kind: 'reexport', source: source.value, name: nameOf(it.local) }]
      : [exported, { kind: 'local', node: it.local }];
  });
}

function nameOf(node: TSESTree.Identifier | TSESTree.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

/** `module.exports = x`, `exports.a = x`, `module.exports.a = x`, also chained. */
function assignedExports(expression: Node): [string, Node][] {
  const found: [string, Node][] = [];
  let value: Node = expression;
  const targets: Node[] = [];
  while (value.type === 'AssignmentExpression') {
    targets.push(value.left);
    value = value.right;
  }
  for (const target of targets) {
    if (target.type !== 'MemberExpression') continue;
    const name = propertyName(target);
    if (name === undefined) continue;
    if (isNamed(target.object, 'module') && name === 'exports') found.push(['require', value]);
    else if (isNamed(target.object, 'exports') || isModuleExports(target.object)) {
      found.push([name, value]);
    }
  }
  return found;
}

/** `module.exports`, `exports.pool`, `module.exports.pool` */
export function isExportTarget(target: Node): boolean {
  return (
    isModuleExports(target) ||
    (target.type === 'MemberExpression' &&
      (isNamed(target.object, 'exports') || isModuleExports(target.object)))
  );
}

function isModuleExports(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    isNamed(node.object, 'module') &&
    propertyName(node) === 'exports'
  );
}

/** The export of `file` under `name`; `*` is its namespace, `require` the value for CommonJS callers. */
export function exportedValue(file: FileFacts, name: string): Value {
  if (name === '*') return { kind: 'namespace', file };
  return valueExported(file, file.ast, name);
}

const valueExported = valueQuery(
  'export',
  (file, _: TSESTree.Program, name: string) => {
    const entry = exportsOf(file).get(name);
    if (entry?.kind === 'reexport') return mutual.importedValue(file, entry.source, entry.name);
    if (entry) {
      return name === 'require' ? wholeValue(file, entry.node) : localValue(file, entry.node);
    }
    if (name === 'require') return { kind: 'namespace', file };

    // ESM names of a CommonJS file: `import { pool } from './db.cjs'` and its default, the whole of module.exports.
    const whole = exportsOf(file).get('require');
    if (whole?.kind === 'local') {
      if (name === 'default') return wholeValue(file, whole.node);
      const added = addedTo(file, whole.node).get(name) ?? [];
      if (added.length > 0) return join(added.map((it) => valueOf(file, it)));
      return mutual.memberOf(localValue(file, whole.node), name, { file, node: whole.node });
    }
    if (name === 'default') {
      return exportsOf(file).names.length > 0 && !hasModuleSyntax(file)
        ? { kind: 'namespace', file }
        : UNKNOWN;
    }
    return firstAnswer(exportsOf(file).everythingFrom, (source) =>
      mutual.importedValue(file, source, name),
    );
  },
  { isCompared: true },
);

/** `const db = initModels(sequelize); db.sequelize = sequelize; module.exports = db;`: what another file has made, and more. */
function wholeValue(file: FileFacts, node: Node): Value {
  return addedTo(file, node).size > 0 ? { kind: 'namespace', file } : localValue(file, node);
}

/** What the file sets on an object that it has not written out itself; of others their members say so. */
function addedTo(file: FileFacts, node: Node): Properties {
  const it = bare(node);
  const value = localValue(file, it);
  const isFromElsewhere = value.kind === 'object' && value.file !== file;
  const declared =
    it.type === 'Identifier' && isFromElsewhere ? file.variableOf(it)?.defs[0]?.name : undefined;
  return declared ? assignmentsOf(file).to(declared as Node) : new Map();
}

/** Whether `value` is what `require` of the file gives. */
export function isExportedWhole(file: FileFacts, value: Value): boolean {
  const whole = exportsOf(file).get('require');
  return whole?.kind === 'local' && isSame(localValue(file, whole.node), value);
}

function hasModuleSyntax(file: FileFacts): boolean {
  return bodyOf(file.ast).some(
    (it) => it.type.startsWith('Export') || it.type === 'ImportDeclaration',
  );
}

function localValue(file: FileFacts, node: Node): Value {
  const it = bare(node);
  if (it.type === 'Identifier') {
    const variable = file.variableOf(it);
    return variable ? mutual.variableValue(file, variable) : UNKNOWN;
  }
  return valueOf(file, it);
}
