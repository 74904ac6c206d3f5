import { valueOf } from '../provenance/value-of.ts';
import { bare, type Node, propertyName, wrapped } from '../syntax/ast.ts';
import { type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { anyMemberOf } from '../provenance/members.ts';
import { alternativesOf, type FunctionValue, type Value } from '../file/value.ts';

/** The functions of the project of which `readers[kind](id)` calls one: the data selects it at run time. */
export function chosenByKey(file: FileFacts, call: Call): readonly FunctionValue[] | undefined {
  const callee = bare(calleeOf(call));
  // no veto: which one it is is known.
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== undefined) return undefined;
  const tables = alternativesOf(valueOf(file, callee.object));
  // veto: other code may add functions to the table from which the call selects one
  if (!tables.every(isWrittenOut)) return undefined;
  const any = tables.flatMap((it) => alternativesOf(anyMemberOf(it, { file, node: callee })));
  return any.every((it) => it.kind === 'function') ? any : undefined;
}

/** A constant of which nothing but members is ever read: nobody else can put a function into it. */
function isWrittenOut(table: Value): boolean {
  if (table.kind !== 'object') return false;
  const it = wrapped(table.node);
  const { parent: declarator } = it;
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier')
    return false;
  const isConstant =
    it.type === 'TSAsExpression' && table.file.textOf(it.typeAnnotation) === 'const';
  if (isConstant) return true;
  const isExported = declarator.parent.parent.type === 'ExportNamedDeclaration';
  const references = table.file.variableOf(declarator.id)?.references ?? [];
  return (
    !isExported &&
    references.every(({ init, identifier }) => {
      const { parent } = identifier as Node;
      if (init || parent?.type === 'TSTypeQuery') return true;
      return parent?.type === 'MemberExpression' && parent.object === identifier;
    })
  );
}
