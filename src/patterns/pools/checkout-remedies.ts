import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  functionAround,
  isNamed,
  type Node,
  walk,
} from '../../analysis/syntax/ast.ts';
import type { Checkout } from '../../analysis/connections/checkouts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { typeOf } from '../../analysis/model/index.ts';
import type { CallableValue } from '../../analysis/file/value.ts';
import type { LoopedCheckouts } from './looped-checkouts.ts';
import { memberOf } from '../../analysis/provenance/members.ts';
import { canIndent } from '../../analysis/ownership/remedies.ts';
import { ownerText } from '../../analysis/syntax/places.ts';

/** A loop that can acquire one connection before it starts and release it after its end. */
export interface Hoisting {
  readonly file: FileFacts;
  readonly loop: Node;
  /** `connection`, which is free around the loop. */
  readonly name: string;
  /** `await pool.getConnection()` */
  readonly acquireText: string;
  readonly releaseText: string;
  /** Statements of the body that go: the declaration, the release. */
  readonly removed: readonly Node[];
  /** The body's `try` whose only purpose was the release: its block takes its place. */
  readonly unwrapped: TSESTree.TryStatement | undefined;
  /** Where the pool's own queries turn into the connection's. */
  readonly renamed: readonly Node[];
}

/** Undefined wherever the names could come to mean something else, or a connection is not taken with `await`. */
export function hoistingOf(file: FileFacts, looped: LoopedCheckouts): Hoisting | undefined {
  const { node } = looped.loop;
  const { parent } = node;
  const isAlone = parent?.type === 'BlockStatement' || parent?.type === 'Program';
  if (!isAlone || !canIndent([node], file)) return undefined;
  if (/(?:eslint|oxlint|deadtime)-(?:disable|ignore)/.test(file.textOf(node))) return undefined;
  const isHere = looped.trips.every((it) => it.file === file && contains(node, it.query));
  if (!isHere || !looped.trips.every((it) => it.isWaitedFor)) return undefined;
  const [trip] = looped.trips;
  if (trip?.checkout)
    return looped.trips.length === 1 ? ofCheckout(trip.checkout, node) : undefined;
  return ofPool(file, looped, node);
}

function ofCheckout(checkout: Checkout, loop: Node): Hoisting | undefined {
  const { file, call, variable, releases, setUp } = checkout;
  const declarator = call.parent.parent;
  if (declarator?.type !== 'VariableDeclarator') return undefined;
  const declaration = declarator.parent;
  // Where it stands every run comes to it, and after it nothing is left to release.
  const [release] = releases;
  const statement = release && statementOf(release);
  if (!statement || setUp.length > 0) return undefined;
  if (declaration.declarations.length !== 1 || isNamedOutside(file, loop, variable.name))
    return undefined;
  const block = statement.parent;
  const tried = block?.parent;
  const isFinalizer = tried?.type === 'TryStatement' && tried.finalizer === block;
  if (isFinalizer && (tried.handler || tried.finalizer!.body.length > 1)) return undefined;
  if (!isFinalizer && block !== declaration.parent) return undefined;
  return {
    file,
    loop,
    name: variable.name,
    acquireText: file.textOf(declarator.init!),
    releaseText: file.textOf(statement.expression),
    removed: isFinalizer ? [declaration] : [declaration, statement],
    unwrapped: isFinalizer ? tried : undefined,
    renamed: [],
  };
}

function statementOf(release: Node): TSESTree.ExpressionStatement | undefined {
  let it: Node | undefined = release.parent;
  while (it && /^(?:CallExpression|ChainExpression|AwaitExpression)$/.test(it.type)) it = it.parent;
  return it?.type === 'ExpressionStatement' ? it : undefined;
}

function ofPool(file: FileFacts, looped: LoopedCheckouts, loop: Node): Hoisting | undefined {
  const callees = looped.trips.map(({ query }) => {
    const callee = query.type === 'CallExpression' ? bare(query.callee) : undefined;
    return callee?.type === 'MemberExpression' ? callee : undefined;
  });
  const pools = callees.map((it) => it?.object);
  const texts = new Set(callees.map((it) => it && ownerText(file, it)));
  const [pool] = pools;
  const [poolText] = texts;
  if (!pool || texts.size !== 1 || !looped.trips.every((it) => isAwaitedHere(it.query)))
    return undefined;
  const at = { file, node: pool };
  const taken = ['getConnection', 'connect']
    .map((name) => memberOf(valueOf(file, pool), name, at))
    .filter((it) => it.kind === 'callable')
    .find(({ signature }) => signature.acquires && !signature.callback);
  const names = taken?.name === 'connect' ? ['client', 'connection'] : ['connection', 'held'];
  const name = names.find((it) => !isNamedAnywhere(file, it));
  if (!taken || !name) return undefined;
  return {
    file,
    loop,
    name,
    acquireText: `await ${poolText}.${taken.name}()`,
    releaseText: `${isReleaseAwaited(taken) ? 'await ' : ''}${name}.release()`,
    removed: [],
    unwrapped: undefined,
    renamed: pools as readonly Node[],
  };
}

/** The release of what the call acquires is a wait. */
function isReleaseAwaited({ library, signature }: CallableValue): boolean {
  const acquired = signature.returns?.replace(/^Promise<(.*)>$/, '$1');
  const type = acquired === undefined ? undefined : typeOf(library, acquired);
  return type?.members?.['release']?.effect !== undefined;
}

function isAwaitedHere({ parent }: Node): boolean {
  return parent?.type === 'AwaitExpression';
}

/** The name means something else in the function around the loop. */
function isNamedOutside(file: FileFacts, loop: Node, name: string): boolean {
  let found = false;
  walk(functionAround(loop) ?? file.ast, (it) => {
    if (it === loop) return false;
    if (isNamed(it, name)) found = true;
    return !found;
  });
  return found;
}

function isNamedAnywhere(file: FileFacts, name: string): boolean {
  return file.nodes.named(name).length > 0;
}
