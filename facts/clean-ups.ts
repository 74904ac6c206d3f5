// vetoes of no-autocommit-in-loop, no-independent-await-in-loop
import { bare, contains, functionAround, type FunctionNode, type Node } from './ast.ts';
import { isAfterFailure } from './conditions.ts';
import { callsByName } from './contexts.ts';
import { isExported } from './exports.ts';
import type { FileFacts } from './file.ts';
import { nameOfFunction } from './pacing.ts';

/** After a failure, or in a function that is used after one only: `catch (error) { await releaseAll(locks); throw error; }`. */
export function isCleanUp(file: FileFacts, node: Node): boolean {
  if (isAfterFailure(node)) return true;
  const fn = functionAround(node);
  const uses = (fn ? usesOf(file, fn) : []).filter((it) => !contains(fn!, it));
  return uses.length > 0 && uses.every((it) => isAfterFailure(it));
}

/** Every place that may lead to the function; none where other files may have more of them. */
function usesOf(file: FileFacts, fn: FunctionNode): readonly Node[] {
  if (isPrivateMethod(fn)) return callsOfMethod(file, fn);
  const { parent } = fn;
  const name = parent.type === 'VariableDeclarator' ? parent.id : fn.id;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  if (!variable || isExported(fn)) return [];
  // What exports a name uses it, too.
  return variable.references.filter((it) => !it.init).map((it) => it.identifier);
}

function isPrivateMethod({ parent }: FunctionNode): boolean {
  if (parent.type !== 'MethodDefinition' && parent.type !== 'PropertyDefinition') return false;
  return parent.accessibility === 'private' || parent.key.type === 'PrivateIdentifier';
}

function callsOfMethod(file: FileFacts, fn: FunctionNode): readonly Node[] {
  return (callsByName(file).get(nameOfFunction(fn)) ?? []).filter(({ callee }) => {
    const called = file.valueOf(callee);
    if (called.kind === 'function') return called.node === fn;
    const method = bare(callee);
    return method.type === 'MemberExpression' && method.object.type === 'ThisExpression';
  });
}
