import { query } from '../../engine/query.ts';
import { bare, classAround, type ClassNode, type Node, propertyName, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { memberOf } from '../provenance/members.ts';
import type { FunctionValue, Value } from '../file/value.ts';

/** A method of a class, and that of a subclass in place of it. */
export interface Override {
  /** That of the class: no function where it leaves it to its subclasses, or where it is none of the project. */
  readonly inherited: Value;
  readonly own: FunctionValue | undefined;
}

/**
 * The methods that an inherited method calls on its object and that the object's own class has in another form
 * (`this.limitOf()`): what the method does is then not what its own file shows.
 */
export function overridesCalledBy(method: FunctionValue): readonly Override[] {
  const { self, node } = method;
  const declaring = classAround(node)?.node;
  // no veto: only a subclass's objects have other methods.
  if (self?.kind !== 'instance' || !declaring || self.node === declaring) return [];
  return overrides(self.file, self.node, method, self, declaring);
}

const overrides = query(
  'overrides that are called',
  (
    _: FileFacts,
    __: ClassNode,
    method: FunctionValue,
    self: Extract<Value, { kind: 'instance' }>,
    declaring: ClassNode,
  ): readonly Override[] => {
    const found: Override[] = [];
    addCalled(method, { self, declaring, seen: new Set(), found });
    return found;
  },
  { whileCyclic: [], keyOf: ({ file, node }) => `${file.path} ${file.idOf(node)}` },
);

interface Search {
  readonly self: Extract<Value, { kind: 'instance' }>;
  readonly declaring: ClassNode;
  readonly seen: Set<Node>;
  readonly found: Override[];
}

function addCalled({ file, node }: FunctionValue, search: Search): void {
  const { self, declaring, seen, found } = search;
  if (seen.has(node)) return;
  seen.add(node);
  const base: Value = { kind: 'instance', file, node: declaring };
  for (const name of calledOnThis(file, node)) {
    const own = functionIn(memberOf(self, name, { file: self.file, node: self.node }));
    const inherited = memberOf(base, name, { file, node });
    // no veto: nothing of the project, whichever it is.
    if (!own && inherited.kind !== 'function') continue;
    if (inherited.kind === 'function' && own?.node === inherited.node) addCalled(inherited, search);
    else found.push({ own, inherited });
  }
}

function functionIn(value: Value): FunctionValue | undefined {
  return value.kind === 'function' ? value : undefined;
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
