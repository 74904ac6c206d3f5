import { bare, contains, type FunctionNode, type Node } from '../syntax/ast.ts';
import { isExported } from './exports.ts';
import type { FileFacts } from '../file.ts';
import { nameOfFunction } from '../pauses/pacing.ts';

/** Every place outside of a function that may lead to it; none where other files may have more of them. */
export function usesOf(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const uses = isPrivateMethod(fn) ? callsOfMethod(file, fn) : usesOfName(file, fn);
  return uses.filter((it) => !contains(fn, it));
}

function usesOfName(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const { parent } = fn;
  const name = parent.type === 'VariableDeclarator' ? parent.id : fn.id;
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  if (!variable || isExported(fn)) return [];
  // `export { f }` and `module.exports = { f }` further below are uses of the name, too.
  return variable.references.filter((it) => !it.init).map((it) => it.identifier);
}

function isPrivateMethod({ parent }: FunctionNode): boolean {
  if (parent.type !== 'MethodDefinition' && parent.type !== 'PropertyDefinition') return false;
  return parent.accessibility === 'private' || parent.key.type === 'PrivateIdentifier';
}

function callsOfMethod(file: FileFacts, fn: FunctionNode): readonly Node[] {
  return file.nodes.called(nameOfFunction(fn)).filter(({ callee }) => {
    const called = file.valueOf(callee);
    if (called.kind === 'function') return called.node === fn;
    const method = bare(callee);
    return method.type === 'MemberExpression' && method.object.type === 'ThisExpression';
  });
}
