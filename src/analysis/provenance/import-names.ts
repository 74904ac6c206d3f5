import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { bare, importedName, isNamed, type Node, propertyName } from '../syntax/ast.ts';

/** What a name of a file is, where the file has it from a package or from nowhere. */
export interface ImportName {
  /** The specifier, as written; undefined for a global. */
  readonly from: string | undefined;
  /** The name of the export; undefined for the whole package, and for the name of a global. */
  readonly name: string | undefined;
}

/**
 * Where a name is imported or required from, as it is written: also of packages without a model. Undefined for what the file
 * declares itself.
 */
export function importNameOf(file: FileFacts, name: TSESTree.Identifier): ImportName | undefined {
  const variable = file.variableOf(name);
  if (!variable) return { from: undefined, name: undefined };
  const [definition] = variable.defs;
  if (definition?.type === 'ImportBinding') {
    const source = definition.parent?.source.value;
    return source === undefined
      ? undefined
      : { from: source, name: importedName(definition.node as Node) };
  }
  // no veto: what is written otherwise is no import.
  if (definition?.type !== 'Variable') return undefined;
  const { id, init } = definition.node;
  const required = init ? requiredIn(bare(init)) : undefined;
  // no veto: what is written otherwise is no import.
  if (!required) return undefined;
  return id.type === 'ObjectPattern' ? { ...required, name: propertyFor(id, name.name) } : required;
}

/** `require('node:test')`, `require('node:test').describe`. */
function requiredIn(
  node: Node,
): { readonly from: string; readonly name: string | undefined } | undefined {
  if (node.type === 'MemberExpression') {
    const whole = requiredIn(bare(node.object));
    return whole && { from: whole.from, name: propertyName(node) };
  }
  // no veto: what is written otherwise is no import.
  if (node.type !== 'CallExpression' || !isNamed(node.callee, 'require')) return undefined;
  const [source] = node.arguments;
  return source?.type === 'Literal' && typeof source.value === 'string'
    ? { from: source.value, name: undefined }
    : undefined;
}

/** `test` of `const { test: check } = …` for `check`. */
function propertyFor({ properties }: TSESTree.ObjectPattern, local: string): string | undefined {
  const property = properties.find(
    (it) => it.type === 'Property' && isNamed(bare(it.value), local),
  );
  return property?.type === 'Property' ? propertyName(property) : undefined;
}
