import { valueOf } from '../provenance/value-of.ts';
import { holdsAwait } from '../flow/awaited.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  contains,
  dottedName,
  functionAround,
  type Node,
  propertyName,
  rootOf,
  targetsIn,
  walkOwn,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { knownBehaviourOf } from '../behaviour/behaviour.ts';
import { isOfLibrary, writtenTarget } from '../effects/memory.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';

/** The variables of one iteration, and those that later iterations share. */
export interface Iteration {
  readonly file: FileFacts;
  readonly loop: Loop;
  /** New in each iteration: the loop variable and what the body declares. */
  readonly own: ReadonlySet<Variable>;
  /** Hold what an await gave, or what was computed from it. */
  readonly results: ReadonlySet<Variable>;
  /** Outer variables that the body sets. */
  readonly assigned: ReadonlySet<Variable>;
  /** Outer objects, arrays, maps and sets that the body changes; not the element in its place (`rows[i].total = …`). */
  readonly grown: ReadonlySet<Variable>;
  /** The statements and calls by which it changes them. */
  readonly kept: readonly Node[];
  /** Likewise of fields: `this.seen.set(id, row)`, `this.last = row`. */
  readonly fieldsKept: readonly Node[];
}

/** A variable, or a field of `this` by its name. */
export type Shared = Variable | `this.${string}`;

export function iterationOf(file: FileFacts, loop: Loop): Iteration {
  const { body, variables: own } = loop;
  const assigned = new Set<Variable>();
  const grown = new Set<Variable>();
  const kept: Node[] = [];
  const fieldsKept: Node[] = [];
  walkOwn(body, (it) => {
    const target = writtenTarget(it);
    if (!target || isOwnWait(file, it)) return;
    if (fieldsIn(target).length > 0 && !isOfLibrary(file, it, target)) fieldsKept.push(it);
    for (const variable of rootsOf(file, target)) {
      if (own.has(variable)) continue;
      if (bare(target).type === 'MemberExpression' || it.type === 'CallExpression') {
        if (isElement(file, loop, bare(target), variable)) continue;
        grown.add(variable);
        kept.push(it);
      } else assigned.add(variable);
    }
  });
  return { file, loop, own, results: resultsOf(file, loop), assigned, grown, kept, fieldsKept };
}

/** `this.seen` of `this.seen.first.at`. */
export function fieldIn(target: Node): TSESTree.MemberExpression | undefined {
  let it = bare(target);
  while (it.type === 'MemberExpression') {
    const object = bare(it.object);
    if (object.type === 'ThisExpression') return it;
    it = object;
  }
  return undefined;
}

/** Several of a pattern: `[this.first, this.last] = rows`. */
export function fieldsIn(target: Node): readonly TSESTree.MemberExpression[] {
  return targetsIn(bare(target)).flatMap((it) => fieldIn(it) ?? []);
}

/** The variable of a name in the code, if iterations may share it. */
export function sharedAt(file: FileFacts, name: Node): Shared | undefined {
  if (name.type === 'Identifier') return file.variableOf(name);
  if (name.type !== 'MemberExpression' || bare(name.object).type !== 'ThisExpression')
    return undefined;
  const field = propertyName(name);
  return field === undefined ? undefined : `this.${field}`;
}

/**
 * `await ships.add(row)` of the project: it waits for a database, and what else it changes is judged with that wait. One that
 * only changes memory, `seen.add(row)`, leaves it to later iterations as a list does.
 */
function isOwnWait(file: FileFacts, node: Node): boolean {
  // no veto: what nobody waits for is done in memory, or nobody knows when.
  if (node.type !== 'CallExpression' || node.parent.type !== 'AwaitExpression') return false;
  // no veto: what a library's method changes is counted, to be on the safe side.
  if (valueOf(file, node.callee).kind !== 'function') return false;
  const behaviour = knownBehaviourOf(file, node, functionAround(node) ?? file.ast);
  return behaviour !== undefined && behaviour.effects.length > 0;
}

/** The variables at the root of a write: several for a pattern. */
export function rootsOf(file: FileFacts, target: Node): readonly Variable[] {
  const root = rootOf(target);
  return /^(?:Identifier|ArrayPattern|ObjectPattern)$/.test(root.type)
    ? variablesIn(file, root)
    : [];
}

/** `rows[i]` of a loop that counts `i` up to `rows.length`, or goes through the keys, and looks at no other: the element itself. */
function isElement(
  file: FileFacts,
  { node, body, variables }: Loop,
  target: Node,
  root: Variable,
): boolean {
  const head = headOf(node);
  if (!head || !mentions(file, head, new Set([root]))) return false;
  let it = target;
  while (it.type === 'MemberExpression' && bare(it.object).type === 'MemberExpression') {
    it = bare(it.object);
  }
  if (it.type !== 'MemberExpression') return false;
  return mentions(file, it.property, variables) && isOnlyAt(file, body, root, it.property);
}

/** What says which keys there are: `i < rows.length`, `Object.keys(byId)`. */
function headOf(loop: Node): Node | null {
  if (loop.type === 'ForStatement') return loop.test;
  if (loop.type === 'ForInStatement') return loop.right;
  const keys = loop.type === 'ForOfStatement' ? bare(loop.right) : undefined;
  return keys?.type === 'CallExpression' && dottedName(keys.callee) === 'Object.keys' ? keys : null;
}

/** `rows[i - 1]` would be what the iteration before has left. */
function isOnlyAt(file: FileFacts, body: Node, list: Variable, index: Node): boolean {
  const text = file.textOf(index);
  const isSame = ({ parent }: Node) =>
    parent?.type === 'MemberExpression' &&
    (parent.computed ? file.textOf(parent.property) === text : propertyName(parent) === 'length');
  return list.references
    .map((it) => it.identifier as Node)
    .every((it) => !contains(body, it) || isSame(it));
}

/** The variables of a body that hold what an await in it gave, or what was computed from that. */
export function resultsOf(
  file: FileFacts,
  { body }: { readonly body: Node },
): ReadonlySet<Variable> {
  const found = new Set<Variable>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    walkOwn(body, (it) => {
      const [target, source] = assignmentOf(it);
      if (!target || !source || target.type === 'MemberExpression') return;
      if (!holdsAwait(source) && !mentions(file, source, found)) return;
      for (const variable of variablesIn(file, target)) found.add(variable);
    });
  }
  return found;
}

function assignmentOf(node: Node): readonly [Node | undefined, TSESTree.Expression | null] {
  if (node.type === 'VariableDeclarator') return [node.id, node.init];
  if (node.type === 'AssignmentExpression') return [node.left, node.right];
  if (node.type === 'ForOfStatement') return [node.left, node.right];
  return [undefined, null];
}
