import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type FunctionNode, type Node } from '../syntax/ast.ts';
import { isExported } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import { groupedBy } from '../syntax/grouped.ts';
import { nameOfFunction } from '../syntax/function-names.ts';

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
  const { byFunction, onThis } = callsNamed(file, file.ast, nameOfFunction(fn));
  return [...(byFunction.get(fn) ?? []), ...onThis];
}

type CallNode = TSESTree.CallExpression;

/** The calls in a file of one of its functions by its name: hardly one has another. */
export function callsOf(file: FileFacts, fn: FunctionNode): readonly CallNode[] {
  const name = nameOfFunction(fn);
  return name ? (callsNamed(file, file.ast, name).byFunction.get(fn) ?? []) : [];
}

/** Where the file names a function, also as a member of something. */
export function mentionsOf(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const name = nameOfFunction(fn);
  return mentionsNamed(file, file.ast, name).get(fn) ?? [];
}

const mentionsNamed = query(
  'mentions of a name',
  (file: FileFacts, _: TSESTree.Program, name: string): ReadonlyMap<Node, readonly Node[]> => {
    const all = file.nodes
      .named(name)
      .map((it): Node => (it.parent?.type === 'MemberExpression' ? it.parent : it));
    return groupedBy(all, (it) => functionAt(file, it));
  },
  { whileCyclic: new Map() },
);

interface CallsOfName {
  readonly byFunction: ReadonlyMap<Node, readonly CallNode[]>;
  /** Calls of a method of `this` that is not known. */
  readonly onThis: readonly CallNode[];
}

function functionAt(file: FileFacts, callee: Node): FunctionNode | undefined {
  const called = valueOf(file, callee);
  return called.kind === 'function' ? called.node : undefined;
}

/** For all functions of one name at once: each class may have a `run`. */
const callsNamed = query(
  'calls of a name',
  (file: FileFacts, _: TSESTree.Program, name: string): CallsOfName => {
    const byFunction = groupedBy(file.nodes.called(name), (it) => functionAt(file, it.callee));
    const onThis = file.nodes.called(name).filter(({ callee }) => {
      const method = bare(callee);
      const isOnThis =
        method.type === 'MemberExpression' && method.object.type === 'ThisExpression';
      return isOnThis && !functionAt(file, callee);
    });
    return { byFunction, onThis };
  },
  { whileCyclic: { byFunction: new Map(), onThis: [] } },
);
