import type { Place } from '../file/place.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { Library } from '../model/schema.ts';
import type { Node } from '../syntax/ast.ts';
import type { Variable } from '../syntax/names.ts';
import type { FunctionValue, Value } from '../file/value.ts';

/**
 * The functions of this folder that call each other in cycles: members depend on types, types on imports, imports on the
 * exports of other files, and all of these on members. Files of the folder call them through this table, so that no file
 * imports those that continue its work; other files import them from their own file.
 */
export interface Mutual {
  valueOf(file: FileFacts, node: Node): Value;
  variableValue(file: FileFacts, variable: Variable): Value;
  parameterValue(file: FileFacts, name: TSESTree.Identifier, fn: Node): Value;
  memberOf(value: Value, name: string, at: Place): Value;
  declaredMember(
    ofClass: Extract<Value, { kind: 'class' }>,
    name: string,
    which: { readonly isStatic: boolean },
  ): Value | undefined;
  typeValue(file: FileFacts, type: TSESTree.TypeNode): Value;
  exportedType(file: FileFacts, name: string): Value;
  ambientType(file: FileFacts, name: string): Value;
  referredValue(
    library: Library,
    reference: string | undefined,
    origin: Place | undefined,
    self?: Value,
  ): Value;
  importedValue(file: FileFacts, specifier: string, name: string): Value;
  resultFor(
    file: FileFacts,
    callee: Value,
    args: readonly TSESTree.CallExpressionArgument[],
    at: Node,
  ): Value;
  returnOf(fn: FunctionValue): Value;
}

/** Filled by provenance.ts, which has them all. */
export const mutual = {} as Mutual;
