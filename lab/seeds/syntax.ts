import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  isFunction,
  type Node,
  type NodeOf,
  type NodeType,
  walk,
  walkOwn,
} from '../../src/analysis/syntax/ast.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';

type Call = TSESTree.CallExpression;

/** Calls of functions and methods of these names, as written: `release` finds `client.release()`. */
export function callsOf(file: FileFacts, ...names: readonly string[]): readonly Call[] {
  return file.nodes
    .all('CallExpression')
    .filter((it) => names.includes(calledName(it.callee) ?? ''));
}

export function receiverOf(call: Call): Node | undefined {
  const callee = bare(call.callee);
  return callee.type === 'MemberExpression' ? callee.object : undefined;
}

/** A call's receiver where it is a plain name: `client` in `client.query(…)`. */
export function receiverName(call: Call): string | undefined {
  const receiver = receiverOf(call);
  return receiver?.type === 'Identifier' ? receiver.name : undefined;
}

/** The statement that holds a node, within the same function. */
export function statementAround(node: Node): TSESTree.Statement | undefined {
  for (let it: Node | undefined = node; it && !isFunction(it); it = it.parent) {
    if (it.parent?.type === 'BlockStatement' || it.parent?.type === 'Program') {
      return it as TSESTree.Statement;
    }
  }
  return undefined;
}

/** `const pattern = await call` with that one declarator, as found by its call. */
export function awaitedDeclaration(
  call: Node,
): { readonly declaration: TSESTree.VariableDeclaration; readonly id: Node } | undefined {
  const declarator = call.parent?.type === 'AwaitExpression' ? call.parent.parent : undefined;
  if (declarator?.type !== 'VariableDeclarator') return undefined;
  const declaration = declarator.parent;
  if (declaration.declarations.length !== 1) return undefined;
  return { declaration, id: declarator.id };
}

/** `await call;` as a statement of its own. */
export function awaitedStatement(call: Node): TSESTree.ExpressionStatement | undefined {
  const statement = call.parent?.type === 'AwaitExpression' ? call.parent.parent : undefined;
  return statement?.type === 'ExpressionStatement' ? statement : undefined;
}

/** A statement's text, ended so that another may follow on its line. */
export function endedText(file: FileFacts, statement: Node): string {
  return file.textOf(statement).replace(/(?<![;}])$/, ';');
}

/** The statements before and after one in its block. */
export function siblingsOf(statement: Node): readonly TSESTree.Statement[] {
  const { parent } = statement;
  return parent?.type === 'BlockStatement' || parent?.type === 'Program' ? parent.body : [];
}

export function statementAfter(statement: Node): TSESTree.Statement | undefined {
  const siblings = siblingsOf(statement);
  return siblings[siblings.findIndex((it) => it === statement) + 1];
}

/** What runs when `root` itself runs, of one type. */
export function ownNodes<T extends NodeType>(root: Node, type: T): readonly NodeOf<T>[] {
  const found: NodeOf<T>[] = [];
  walkOwn(root, (node) => {
    if (node.type === type) found.push(node as NodeOf<T>);
  });
  return found;
}

/** Every mention of a name under `root`, nested functions included, keys and member names aside. */
export function mentionsOf(root: Node, name: string): readonly TSESTree.Identifier[] {
  const found: TSESTree.Identifier[] = [];
  walk(root, (node) => {
    if (node.type !== 'Identifier' || node.name !== name) return;
    const { parent } = node;
    if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) return;
    if (parent.type === 'Property' && parent.key === node && !parent.shorthand) return;
    found.push(node);
  });
  return found;
}

/** The property of an object literal, by name. */
export function propertyOf(object: Node | undefined, name: string): TSESTree.Property | undefined {
  if (object?.type !== 'ObjectExpression') return undefined;
  return object.properties.find(
    (it): it is TSESTree.Property =>
      it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === name,
  );
}

/** The text of a string or template, without its quotes; expressions in it stay as they are. */
export function quotedText(file: FileFacts, node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? file.textOf(node).slice(1, -1) : undefined;
}

/** Loops and the block that runs in each iteration. */
export function loopsIn(file: FileFacts): readonly LoopWithBlock[] {
  return file.nodes
    .all('ForOfStatement', 'WhileStatement')
    .filter((it): it is LoopWithBlock => it.body.type === 'BlockStatement');
}

export type LoopWithBlock = (TSESTree.ForOfStatement | TSESTree.WhileStatement) & {
  readonly body: TSESTree.BlockStatement;
};

/** The arrow function or function expression that a call is given as argument `index`. */
export function callbackOf(call: Call, index = 0) {
  const callback = call.arguments[index];
  return isFunction(callback) ? callback : undefined;
}

/** The bodies of callbacks such as that of `router.get('/…', async (…) => { … })`. */
export function routesIn(file: FileFacts): readonly TSESTree.BlockStatement[] {
  return callsOf(file, 'get', 'post', 'put', 'delete').flatMap((call) => {
    const body = callbackOf(call, call.arguments.length - 1)?.body;
    return body?.type === 'BlockStatement' ? [body] : [];
  });
}
