import { query } from '../../engine/query.ts';
import { bare, classAround, type ClassNode, type Node, propertyName, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { memberOf } from '../provenance/members.ts';
import type { FunctionValue, Value } from '../file/value.ts';

/**
 * Whether a method that an object inherits calls one that its own class has in another form (`this.limitOf()`): what the
 * method does is then not what its own file shows.
 */
export function callsOverridden(method: FunctionValue): boolean {
  const { self, node } = method;
  const declaring = classAround(node)?.node;
  // no veto: only a subclass's objects have other methods.
  if (self?.kind !== 'instance' || !declaring || self.node === declaring) return false;
  return callsOther(self.file, self.node, method, self, declaring);
}

const callsOther = query(
  'calls what a subclass overrides',
  (
    _: FileFacts,
    __: ClassNode,
    method: FunctionValue,
    self: Extract<Value, { kind: 'instance' }>,
    declaring: ClassNode,
  ): boolean => calls(method, self, declaring, new Set()),
  { whileCyclic: false, keyOf: ({ file, node }) => `${file.path} ${file.idOf(node)}` },
);

function calls(
  { file, node }: FunctionValue,
  self: Extract<Value, { kind: 'instance' }>,
  declaring: ClassNode,
  seen: Set<Node>,
): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  const base: Value = { kind: 'instance', file, node: declaring };
  return calledOnThis(file, node).some((name) => {
    const own = memberOf(self, name, { file: self.file, node: self.node });
    const inherited = memberOf(base, name, { file, node });
    if (inherited.kind !== 'function') return own.kind === 'function';
    if (own.kind !== 'function' || own.node !== inherited.node) return true;
    return calls(inherited, self, declaring, seen);
  });
}

const calledOnThis = query(
  'called on this',
  (_: FileFacts, root: Node): readonly string[] => {
    const names = new Set<string>();
    walk(root, (it) => {
      if (it.type !== 'CallExpression') return true;
      const callee = bare(it.callee);
      const isOwn = callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression';
      const name = isOwn ? propertyName(callee) : undefined;
      if (name !== undefined) names.add(name);
      return true;
    });
    return [...names];
  },
  { whileCyclic: [] },
);
