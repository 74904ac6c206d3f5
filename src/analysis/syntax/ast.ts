import type { TSESTree } from '@typescript-eslint/utils';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import { bodyOf, dependOnBody } from '../../engine/tracked-tree.ts';
import type { NodeOf, NodeType } from '../../engine/tree.ts';
import { endsAt, startsAt } from './places.ts';

export type { NodeOf, NodeType };
export type Node = TSESTree.Node;
export type FunctionNode =
  TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;
export type LoopNode =
  | TSESTree.ForStatement
  | TSESTree.ForOfStatement
  | TSESTree.ForInStatement
  | TSESTree.WhileStatement
  | TSESTree.DoWhileStatement;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The direct child nodes, in source order. */
export function childrenOf(node: Node): Node[] {
  dependOnBody(node);
  const children: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    const value = (node as unknown as Record<string, unknown>)[key];
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) children.push(child);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

/** Visits `root` and its descendants in source order; `visit` returns false to leave a subtree out. */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (visit(node) === false) continue;
    const keys = visitorKeys[node.type];
    if (!keys) continue;
    dependOnBody(node);
    for (let i = keys.length - 1; i >= 0; i--) {
      const value = (node as unknown as Record<string, unknown>)[keys[i]!];
      if (Array.isArray(value)) {
        for (let j = value.length - 1; j >= 0; j--) if (isNode(value[j])) stack.push(value[j]);
      } else if (isNode(value)) stack.push(value);
    }
  }
}

/** Where statements hold statements; expressions hold none that run with them. */
const STATEMENT_KEYS: Readonly<Record<string, readonly string[]>> = {
  BlockStatement: ['body'],
  DoWhileStatement: ['body'],
  ForInStatement: ['body'],
  ForOfStatement: ['body'],
  ForStatement: ['body'],
  IfStatement: ['consequent', 'alternate'],
  LabeledStatement: ['body'],
  Program: ['body'],
  SwitchStatement: ['cases'],
  SwitchCase: ['consequent'],
  TryStatement: ['block', 'handler', 'finalizer'],
  CatchClause: ['body'],
  WhileStatement: ['body'],
  WithStatement: ['body'],
};

/** Visits `root` and the statements inside it in source order, without visiting expressions: far fewer nodes than walk. */
export function walkStatements(root: Node, visit: (statement: Node) => boolean | void): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (visit(node) === false) continue;
    const keys = STATEMENT_KEYS[node.type];
    if (!keys) continue;
    dependOnBody(node);
    for (let i = keys.length - 1; i >= 0; i--) {
      const value = (node as unknown as Record<string, unknown>)[keys[i]!];
      if (Array.isArray(value)) {
        for (let j = value.length - 1; j >= 0; j--) stack.push(value[j] as Node);
      } else if (value) stack.push(value as Node);
    }
  }
}

/** Like walk, but without nested functions and classes: the code that runs when `root` itself runs. */
export function walkOwn(root: Node, visit: (node: Node) => boolean | void): void {
  walk(root, (node) => {
    if (node !== root && (isFunction(node) || isClass(node))) return false;
    return visit(node);
  });
}

/** Whether the function that runs `root` may pause in it: no other function can have its text. */
export function hasPause(root: Node): boolean {
  let found = false;
  walkOwn(root, (it) => {
    found ||= it.type === 'AwaitExpression' || it.type === 'YieldExpression';
  });
  return found;
}

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return (
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  );
}

export function isConstructor(fn: Node): boolean {
  return fn.parent?.type === 'MethodDefinition' && fn.parent.kind === 'constructor';
}

/** Whether a class has a decorator; Espree supports none. */
export function isDecorated(node: ClassNode): boolean {
  return ((node as Partial<ClassNode>).decorators ?? []).length > 0;
}

export function isClass(node: Node | null | undefined): node is ClassNode {
  return node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression';
}

export function isLoop(node: Node | null | undefined): node is LoopNode {
  return (
    node?.type === 'ForStatement' ||
    node?.type === 'ForOfStatement' ||
    node?.type === 'ForInStatement' ||
    node?.type === 'WhileStatement' ||
    node?.type === 'DoWhileStatement'
  );
}

/** The innermost function around `node`, not `node` itself; undefined at module level. */
export function functionAround(node: Node): FunctionNode | undefined {
  for (let it = node.parent; it; it = it.parent) if (isFunction(it)) return it;
  return undefined;
}

/** Whether the innermost function around `node` can await: a static block and a namespace cannot, in any function. */
export function mayAwait(node: Node): boolean {
  for (let it = node.parent; it; it = it.parent) {
    if (isFunction(it)) return it.async;
    if (it.type === 'StaticBlock') return false;
    // no veto: only a text that is being typed has one within a function.
    if (it.type === 'TSModuleBlock') return false;
  }
  return false;
}

/** The file of a node. */
export function programAround(node: Node): Node {
  let it = node;
  while (it.parent) it = it.parent;
  return it;
}

/** The class whose instance `this` is at `node`, with whether `this` is the class itself (a static member). */
export function classAround(node: Node): { node: ClassNode; static: boolean } | undefined {
  for (let it: Node | undefined = node.parent, child: Node = node; it; child = it, it = it.parent) {
    if (it.type === 'FunctionDeclaration') return undefined;
    if (it.type === 'FunctionExpression' && it.parent.type !== 'MethodDefinition') return undefined;
    if (it.type === 'ClassBody') {
      const isStatic =
        child.type === 'StaticBlock' ||
        ('static' in child && (child as { static: boolean }).static);
      return { node: it.parent as ClassNode, static: isStatic };
    }
  }
  return undefined;
}

/** The getter that `this.latest` runs, where the enclosing class has a `get latest()`. */
export function getterOf(name: Node): FunctionNode | undefined {
  if (name.type !== 'MemberExpression' || bare(name.object).type !== 'ThisExpression')
    return undefined;
  const property = propertyName(name);
  const around = classAround(name);
  const getter = (around ? bodyOf(around.node.body) : []).find(
    (it) => it.type === 'MethodDefinition' && it.kind === 'get' && propertyName(it) === property,
  );
  return getter?.type === 'MethodDefinition' && isFunction(getter.value) ? getter.value : undefined;
}

/** The expression without what does not change its value: `(x as T)!`, `<T>x`, `x satisfies T`, `?.` chains. */
export function bare(node: Node): Node {
  let it = node;
  for (;;) {
    switch (it.type) {
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'TSSatisfiesExpression':
      case 'ChainExpression':
      case 'TSInstantiationExpression':
        it = it.expression;
        break;
      default:
        return it;
    }
  }
}

/** With all wrappers that `bare` removes: `(pool as Pool)!` around `pool`. */
export function wrapped(node: Node): Node {
  let it = node;
  while (it.parent && bare(it.parent) !== it.parent) it = it.parent;
  return it;
}

/** The start of a chain of members: `a` in `a.b[0].c`. */
export function rootOf(node: Node): Node {
  let it = bare(node);
  while (it.type === 'MemberExpression') it = bare(it.object);
  return it;
}

/** `query` of `query.where(…).limit(10)`. */
export function chainStart(chain: Node): Node {
  let it = bare(chain);
  while (it.type === 'CallExpression' || it.type === 'MemberExpression') {
    it = bare(it.type === 'CallExpression' ? it.callee : it.object);
  }
  return it;
}

/** `pool` of the parameter `db = pool`. */
export function defaultOf(pattern: Node): Node | undefined {
  return pattern.type === 'AssignmentPattern' ? pattern.right : undefined;
}

/** A parameter, or a part of a pattern, without its default. */
export function undefaulted<T extends Node>(
  pattern: T,
): Exclude<T, TSESTree.AssignmentPattern> | TSESTree.AssignmentPattern['left'] {
  return pattern.type === 'AssignmentPattern'
    ? pattern.left
    : (pattern as Exclude<T, TSESTree.AssignmentPattern>);
}

/** The name of a property, where the source spells it: `a.b`, `a['b']`, `{ b: 1 }`, `b() {}`; `#b` for private names. */
export function propertyName(
  node:
    | TSESTree.MemberExpression
    | TSESTree.Property
    | TSESTree.MethodDefinition
    | TSESTree.PropertyDefinition
    | TSESTree.AccessorProperty
    | TSESTree.TSMethodSignature
    | TSESTree.TSPropertySignature,
): string | undefined {
  const key: Node = node.type === 'MemberExpression' ? node.property : node.key;
  if (!node.computed) {
    if (key.type === 'Identifier') return key.name;
    if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  }
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** The targets of a pattern: names, and in assignments the properties of objects. */
export function targetsIn(pattern: Node): readonly Node[] {
  switch (pattern.type) {
    case 'ObjectPattern':
      return pattern.properties.flatMap((it) =>
        targetsIn(it.type === 'Property' ? it.value : it.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((it) => (it ? targetsIn(it) : []));
    case 'AssignmentPattern':
      return targetsIn(pattern.left);
    case 'RestElement':
      return targetsIn(pattern.argument);
    default:
      return [bare(pattern)];
  }
}

/** The exported name that a specifier imports; undefined where it imports the whole module. */
export function importedName(specifier: Node): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type !== 'ImportSpecifier') return undefined;
  const { imported } = specifier;
  return imported.type === 'Identifier' ? imported.name : imported.value;
}

/** Whether a node is the name itself, as `undefined` and `Promise` are written. */
export function isNamed(node: Node | null | undefined, name: string): boolean {
  return node?.type === 'Identifier' && node.name === name;
}

/** `undefined` or `null`, as the code writes it. */
export function isNullish(node: Node): boolean {
  const it = bare(node);
  return isNamed(it, 'undefined') || (it.type === 'Literal' && it.raw === 'null');
}

export function isZero(node: Node): boolean {
  const it = bare(node);
  return it.type === 'Literal' && it.value === 0;
}

/** The last name of a callee: `query` in `query(…)` and `this.pool.query(…)`. */
export function calledName(callee: Node): string | undefined {
  const it = bare(callee);
  if (it.type === 'Identifier') return it.name;
  return it.type === 'MemberExpression' ? propertyName(it) : undefined;
}

/** Members and calls in a name that somebody reads; each link of a chain is asked for the whole before it. */
const MAXIMUM_LINKS = 100;

/** `a.b.c` as written, or undefined when it is anything but names, dots and calls, or too long. */
export function dottedName(node: Node): string | undefined {
  return nameBy(node, MAXIMUM_LINKS, () => '');
}

/** The same for messages, with what a call is given where that is a word: `c.get('db').query`. */
export function shownName(node: Node): string | undefined {
  return nameBy(node, MAXIMUM_LINKS, (call) => {
    const [word, ...others] = call.arguments;
    const isWord = word?.type === 'Literal' && typeof word.value === 'string';
    return isWord && others.length === 0 && /^[\w.]{1,24}$/.test(word.value)
      ? `'${word.value}'`
      : '';
  });
}

function nameBy(
  node: Node,
  links: number,
  given: (call: TSESTree.CallExpression) => string,
): string | undefined {
  const it = bare(node);
  if (it.type === 'Identifier') return it.name;
  if (it.type === 'ThisExpression') return 'this';
  if (it.type === 'Super') return 'super';
  // no veto: bounds the work.
  if (links === 0) return undefined;
  if (it.type === 'CallExpression') {
    const callee = nameBy(it.callee, links - 1, given);
    return callee && `${callee}(${given(it)})`;
  }
  if (it.type !== 'MemberExpression') return undefined;
  const object = nameBy(it.object, links - 1, given);
  const name = propertyName(it);
  return object && name ? `${object}.${name}` : undefined;
}

/** True when `inner` lies inside `outer` (or is it). */
export function contains(outer: Node, inner: Node): boolean {
  return startsAt(outer) <= startsAt(inner) && endsAt(inner) <= endsAt(outer);
}
