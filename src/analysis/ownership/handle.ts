import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type Node, propertyName, wrapped } from '../syntax/ast.ts';
import { handedBack } from '../provenance/handed-back.ts';
import { libraryMember } from '../provenance/library-values.ts';
import type { Member } from '../model/schema.ts';
import type { Alias, State, Tour } from './state.ts';

/** Whether an expression is the handle on this path. */
export function isHandle(tour: Tour, state: State, node: Node): boolean {
  return aliasOf(tour, state, node) === 'handle';
}

/** The role of an expression for the obligation; undefined when it has none. */
export function aliasOf(tour: Tour, state: State, node: Node): Alias | undefined {
  const it = bare(node);
  if (tour.subject.made.has(it)) {
    return state.phase === 'none' || state.phase === 'failed' ? undefined : 'handle';
  }
  switch (it.type) {
    case 'Identifier': {
      const variable = tour.file.variableOf(it);
      return variable && state.aliases.get(variable);
    }
    case 'AwaitExpression': {
      // What a call made with the handle answers in the end is data.
      const alias = aliasOf(tour, state, it.argument);
      return alias === 'wrapper' ? undefined : alias;
    }
    case 'AssignmentExpression':
      return aliasOf(tour, state, it.right);
    case 'SequenceExpression':
      return aliasOf(tour, state, it.expressions.at(-1)!);
    case 'ConditionalExpression':
      return aliasOf(tour, state, it.consequent) ?? aliasOf(tour, state, it.alternate);
    case 'LogicalExpression':
      return aliasOf(tour, state, it.right) ?? aliasOf(tour, state, it.left);
    case 'MemberExpression':
      if (!isHandle(tour, state, it.object)) return undefined;
      if (isFieldOfKeeper(tour, propertyName(it))) return 'handle';
      if (memberOnHandle(tour, propertyName(it))?.body === 'part') return 'handle';
      return releases(tour, propertyName(it)) ? 'releaser' : undefined;
    case 'CallExpression':
      return callAlias(tour, state, it);
    case 'NewExpression':
      return holdsAlias(tour, state, it.arguments) ? 'wrapper' : undefined;
    default:
      return undefined;
  }
}

/** `client` of `lease.client`. */
export function isFieldOfKeeper({ subject: { keeper } }: Tour, name: string | undefined): boolean {
  return name !== undefined && keeper?.fields.has(name) === true;
}

/** What every emitter of Node's answers with itself: `return client.on('error', report)`. */
const LISTENS =
  /^(?:on|once|off|(?:add|remove|prepend|prependOnce)Listener|removeAllListeners|setMaxListeners)$/;

/** `client.release.bind(client)`, `connection.promise()`, `drizzle(client)`. */
function callAlias(tour: Tour, state: State, it: TSESTree.CallExpression): Alias | undefined {
  const callee = bare(it.callee);
  if (callee.type === 'MemberExpression') {
    const name = propertyName(callee);
    const object = aliasOf(tour, state, callee.object);
    if (name === 'bind' && object === 'releaser') return 'releaser';
    if (object === 'handle' && name !== undefined) {
      const returns = memberOnHandle(tour, name)?.returns;
      const isSame = returns === 'this' || returns === 'Promise<this>' || LISTENS.test(name);
      if (isSame || (name === 'promise' && returns)) return 'handle';
    }
  }
  const back = handedBack(tour.file, it);
  if (back && isHandle(tour, state, back)) return 'handle';
  return holdsAlias(tour, state, it.arguments) ? 'wrapper' : undefined;
}

function holdsAlias(tour: Tour, state: State, args: readonly Node[]): boolean {
  return args.some((it) => carries(tour, state, it));
}

/** The handle, or an object or array written here that contains it. */
export function carries(tour: Tour, state: State, node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'ObjectExpression':
      return it.properties.some((property) =>
        carries(tour, state, property.type === 'Property' ? property.value : property.argument),
      );
    case 'ArrayExpression':
      return it.elements.some((element) => element !== null && carries(tour, state, element));
    case 'SpreadElement':
      return carries(tour, state, it.argument);
    case 'ConditionalExpression':
      return carries(tour, state, it.consequent) || carries(tour, state, it.alternate);
    case 'MemberExpression':
      // `runner.manager` works on the runner's connection.
      return (
        aliasOf(tour, state, it.object) !== undefined && aliasOf(tour, state, it) !== undefined
      );
    default:
      return aliasOf(tour, state, it) !== undefined;
  }
}

/** A member of the handle by the library's model, under any name of the handle. */
export function memberOnHandle(tour: Tour, name: string | undefined): Member | undefined {
  if (name === undefined) return undefined;
  const { handle, keeper } = tour.subject;
  if (keeper?.releases.has(name)) return { releases: 'this' };
  if (keeper?.begins.has(name)) return { begins: 'connection' };
  if (keeper?.uses.has(name)) return {};
  if (keeper?.data.has(name)) return { body: 'tells' };
  if (keeper?.parts.has(name)) return { type: handle.typeName, begins: 'connection' };
  const value = libraryMember(handle, name, { file: tour.file, node: tour.root });
  if (value.kind === 'callable') return value.signature;
  const { members } = handle.type;
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Values that must be read, not released. */
export function isResponse({ subject }: Tour): boolean {
  return subject.handle.type.members?.['body']?.body === 'part';
}

export function releases(tour: Tour, name: string | undefined): boolean {
  const member = memberOnHandle(tour, name);
  return (
    member?.releases === 'this' ||
    member?.body === 'reads' ||
    (name !== undefined && tour.terms.releases.includes(name))
  );
}

/** Whether a variable lives and dies with one run of `root`. */
export function isLocal(root: Node, variable: Variable): boolean {
  const { scope } = variable;
  return contains(root, scope) && !(root.type === 'Program' && scope === root);
}

/** How the value of an expression is used, seen from the expression outwards. */
export type Use = 'elsewhere' | 'harmless' | 'escape';

/** `elsewhere`: the step of the construct around it deals with it (a call's argument, an initializer, a return). */
export function useOf(node: Node): Use {
  for (let it = node; it.parent; it = it.parent) {
    const { parent } = it;
    switch (parent.type) {
      case 'MemberExpression':
        return parent.object === it ? memberUse(parent) : 'harmless';
      case 'CallExpression':
      case 'NewExpression':
      case 'TaggedTemplateExpression':
      case 'VariableDeclarator':
      case 'ReturnStatement':
      case 'YieldExpression':
      case 'AssignmentExpression':
      case 'ArrowFunctionExpression':
        return 'elsewhere';
      case 'ConditionalExpression':
        if (parent.test === it) return 'harmless';
        continue;
      case 'AwaitExpression':
      case 'Property':
      case 'ObjectExpression':
      case 'ArrayExpression':
      case 'SpreadElement':
      case 'LogicalExpression':
      case 'SequenceExpression':
        continue;
      case 'BinaryExpression':
      case 'UnaryExpression':
      case 'TemplateLiteral':
      case 'ExpressionStatement':
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
      case 'SwitchStatement':
        return 'harmless';
      default:
        if (bare(parent) !== parent) continue;
        return 'escape';
    }
  }
  return 'escape';
}

/** `client.query(…)` is the call's affair; `client.processID` is a look; `client.release` on its own may be kept. */
function memberUse(member: TSESTree.MemberExpression): Use {
  const it = wrapped(member);
  const { parent } = it;
  if (parent?.type === 'CallExpression' && parent.callee === it) return 'elsewhere';
  if (parent?.type === 'MemberExpression' && parent.object === it) return 'harmless';
  if (parent?.type === 'AssignmentExpression' && parent.left === it) return 'elsewhere';
  return 'harmless';
}
