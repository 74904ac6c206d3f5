// vetoes of no-sequential-independent-awaits
import { valueOf } from './value-of.ts';
import type { FunctionNode, Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { isKnown, UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

/**
 * The connection that a function passes to the files of its models, as sequelize-auto writes them: the argument before
 * the library's types of columns, in `_Order(sequelize, DataTypes)`, is the connection on which they are defined.
 */
export function connectionOfModels(file: FileFacts, fn: FunctionNode, index: number): Value {
  const name = fn.params[index];
  if (name?.type !== 'Identifier' || name.typeAnnotation) return UNKNOWN;
  for (const { identifier } of file.variableOf(name)?.references ?? []) {
    const { parent } = identifier as Node;
    if (parent?.type !== 'CallExpression') continue;
    const [first, types] = parent.arguments;
    // no veto: the types themselves, or what is called.
    if (!types || first !== identifier) continue;
    const given = valueOf(file, types);
    if (given.kind !== 'library') continue;
    // Unknown where something else of the library is handed over.
    const connection = mutual.referredValue(given.library, given.type.follows, undefined);
    if (isKnown(connection)) return connection;
  }
  return UNKNOWN;
}
