import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  functionAround,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { memberOf } from '../provenance/members.ts';
import type { Ownership } from './ownership.ts';
import { endsAt, ownerText } from '../syntax/places.ts';

/** A range of one block in which a handle is acquired, used and released, for rewrites. */
export interface Stretch {
  readonly file: FileFacts;
  readonly declaration: TSESTree.VariableDeclaration;
  readonly name: string;
  /** The statements after the declaration, up to the last that must be in the `try`. */
  readonly statements: readonly TSESTree.Statement[];
  /** The one statement of the block that releases it. */
  readonly release: TSESTree.ExpressionStatement | undefined;
  /** How it is released: `client.release()`, with its `await` where the driver waits. */
  readonly releaseText: string;
  /** Its only query, apart from the release. */
  readonly query: TSESTree.MemberExpression | undefined;
  readonly poolText: string | undefined;
}

/** Undefined wherever a rewrite could change what the names mean, or who releases. */
export function stretchOf({ acquisition, loss }: Ownership): Stretch | undefined {
  const { file, call, subject } = acquisition;
  const variant = loss?.variant ?? '';
  if (!/^(?:never|branch|throw)$/.test(variant)) return undefined;
  // no veto: how an object of the project is to be closed on each path is for its author.
  if (subject.keeper) return undefined;
  if (subject.isLazy || !/^(?:connection|session)$/.test(acquisition.kind)) return undefined;
  const declarator = subject.begins?.parent;
  // no veto: the shape of a declaration
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') {
    return undefined;
  }
  const declaration = declarator.parent;
  const block = declaration.parent;
  const isPlain = declaration.kind === 'const' && declaration.declarations.length === 1;
  if (!isPlain || block.type !== 'BlockStatement') return undefined;
  const variable = file.variableOf(declarator.id);
  const uses = variable?.references.filter((it) => !it.init).map((it) => it.identifier as Node);
  const after = block.body.slice(block.body.indexOf(declaration) + 1);
  // no veto: the shape of a name
  if (!uses || uses.length === 0) return undefined;
  // Whoever is given it may be who releases it on the other paths.
  const mayBePassed = variant === 'never' || acquisition.kind === 'session';
  if (!mayBePassed && !uses.every(isReceiver)) return undefined;

  // A `finally` does not wait for what nobody awaits.
  if (!uses.every((it) => isWaitedFor(it, block))) return undefined;
  const statements = neededFrom(file, declaration, after, uses);
  const gives = uses.filter((it) => isReleased(file, it, acquisition));
  const release = statements.find((it): it is TSESTree.ExpressionStatement => {
    return it.type === 'ExpressionStatement' && gives.some((use) => isWhole(it, use));
  });
  if (!statements.length || gives.length > 1 || (gives.length === 1 && !release)) return undefined;
  const name = declarator.id.name;
  const releaseText = release
    ? file.textOf(release.expression)
    : releaseCall(name, Object.entries(subject.handle.type.members ?? {}));
  if (!releaseText) return undefined;
  const others = uses.filter((it) => !gives.includes(it));
  const query = others.length === 1 ? queryAt(others[0]!) : undefined;
  const poolText = query && poolWithQuery(file, call);
  return { file, declaration, name, statements, release, releaseText, query, poolText };
}

/** Up to the last use; to the end of the block where something declared on the way is used behind it. */
function neededFrom(
  file: FileFacts,
  declaration: TSESTree.VariableDeclaration,
  after: readonly TSESTree.Statement[],
  uses: readonly Node[],
): readonly TSESTree.Statement[] {
  const last = after.findLastIndex((it) => uses.some((use) => contains(it, use)));
  // Every use stands above the declaration, as in code that is being written.
  if (last === -1) return [];
  const needed = after.slice(0, last + 1);
  const declares = needed.some((it) => it.type.endsWith('Declaration'));
  const statements = declares ? after : needed;
  // With the comments above the first of them.
  const text = file.text.slice(endsAt(declaration), endsAt(statements.at(-1)!));
  const isHoisted = statements.some(
    (it) =>
      it.type === 'FunctionDeclaration' || (it.type === 'VariableDeclaration' && it.kind === 'var'),
  );
  return isHoisted || /(?:eslint|oxlint|deadtime)-(?:disable|ignore)/.test(text) ? [] : statements;
}

/** Whether a use has come to its end when its statement has: not returned as a promise, not in a function of unknown time. */
function isWaitedFor(use: Node, block: Node): boolean {
  let isOpen = false;
  let isAwaited = false;
  for (let it = use; it.parent && it !== block; it = it.parent) {
    if (it.type === 'AwaitExpression') [isOpen, isAwaited] = [false, true];
    else if (it.type === 'ReturnStatement') isOpen ||= !isAwaited;
    else if (isFunction(it)) [isOpen, isAwaited] = [true, false];
  }
  return !isOpen;
}

function isReceiver(use: Node): boolean {
  const { parent } = use;
  if (parent?.type === 'TaggedTemplateExpression') return parent.tag === use;
  return parent?.type === 'MemberExpression' && parent.object === use;
}

function isReleased(file: FileFacts, use: Node, { subject }: Ownership['acquisition']): boolean {
  const member = use.parent;
  // no veto: what is passed to somebody is released there, if at all
  if (member?.type !== 'MemberExpression' || member.object !== use) return false;
  const called = memberOf(subject.handle, propertyName(member) ?? '', { file, node: use });
  return called.kind === 'callable' && called.signature.releases === 'this';
}

function isWhole(statement: TSESTree.ExpressionStatement, use: Node): boolean {
  const it = bare(statement.expression);
  const call = it.type === 'AwaitExpression' ? bare(it.argument) : it;
  return (
    call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    call.callee.object === use
  );
}

function releaseCall(
  name: string,
  members: readonly (readonly [
    string,
    { readonly releases?: 'this' | number; readonly returns?: string },
  ])[],
): string | undefined {
  const release = members.find(([it, { releases }]) => it === 'release' && releases === 'this');
  if (!release) return undefined;
  return release[1].returns?.startsWith('Promise')
    ? `await ${name}.release()`
    : `${name}.release()`;
}

function queryAt(use: Node): TSESTree.MemberExpression | undefined {
  const member = use.parent;
  const isQuery =
    member?.type === 'MemberExpression' &&
    member.object === use &&
    propertyName(member) === 'query';
  if (!isQuery || member.parent.type !== 'CallExpression') return undefined;
  // In a loop or a callback it may run any number of times.
  let it: Node | undefined = member;
  while (it && !/^(?:For|While|DoWhile)/.test(it.type)) {
    if (functionAround(it) === it.parent) return member;
    it = it.parent;
  }
  return undefined;
}

function poolWithQuery(file: FileFacts, call: Node): string | undefined {
  // no veto: the shape of a method's call
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { callee } = call;
  const query = memberOf(valueOf(file, callee.object), 'query', { file, node: call });
  return query.kind === 'callable' ? ownerText(file, callee) : undefined;
}

/** Template literals over several lines keep their text only at their place. */
export function canIndent(statements: readonly Node[], file: FileFacts): boolean {
  let can = true;
  for (const statement of statements) {
    walk(statement, (it) => {
      if (it.type === 'TemplateLiteral' && file.textOf(it).includes('\n')) can = false;
    });
  }
  return can;
}
