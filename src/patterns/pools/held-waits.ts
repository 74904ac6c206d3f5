import { query } from '../../engine/query.ts';
import { bare, contains, isLoop, type Node } from '../../analysis/syntax/ast.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type LiveScope, lentIn, liveScopesOf } from './live-scopes.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import type { Environment } from '../../analysis/model/schema.ts';
import { implementationsOf } from '../../analysis/provenance/implementations.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { isMadeOnce } from '../../analysis/contexts/made-once.ts';
import { isHeldOnPurpose } from './purpose.ts';
import { isPretended } from '../../analysis/contexts/pretended.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { type ReachedWait, reachedWaitsIn } from './reached-waits.ts';

/** A connection that stays checked out while the code waits for something that is no database. */
export interface HeldWaits {
  readonly scope: LiveScope;
  readonly variant: 'held' | 'tx' | 'cursor' | 'sleep';
  /** In source order; the first is where a reader is shown the cause. */
  readonly waits: readonly ReachedWait[];
}

export interface HeldTerms {
  /** Shorter pauses are not reported. */
  readonly minSleepMs: number;
  readonly redis: boolean;
}

const EXTERNAL: ReadonlySet<Environment | 'declared'> = new Set([
  'http',
  'email',
  'queue',
  'proc',
] as const);

export function heldWaitsOf(file: FileFacts, terms: HeldTerms): readonly HeldWaits[] {
  return liveScopesOf(file).flatMap((it) => found(it, terms) ?? []);
}

function found(scope: LiveScope, terms: HeldTerms): HeldWaits | undefined {
  // veto: the code holds the connection on purpose, for example for an advisory lock or LISTEN
  if (isForItsSession(scope)) return undefined;
  const waits = scope.places
    .flatMap((it) => reachedWaitsIn(scope.file, it))
    .filter((it) => isExternal(it, terms))
    // veto: only the first run makes this call, and later runs reuse its result
    .filter(({ chain }) => !chain.slice(1).some((it) => isMadeOnce(it.file, it.node)))
    .filter(({ chain }) => !isInnerScope(scope, chain[0]!.node))
    // veto: the code passes the connection to a function of its caller: the report is at the caller
    .filter(({ chain }) => !isLent(scope, chain[0]!.node))
    .sort((a, b) => startsAt(a.chain[0]!.node) - startsAt(b.chain[0]!.node));
  const unique = waits.filter(
    (it, i) => waits.findIndex((other) => other.chain[0]!.node === it.chain[0]!.node) === i,
  );
  const plain = unique.filter(({ chain }) => !isStreamed(scope, chain[0]!.node));
  const [first] = plain.length > 0 ? plain : unique;
  if (!first) return undefined;
  const variant =
    plain.length === 0
      ? 'cursor'
      : scope.isTransaction
        ? 'tx'
        : plain.every((it) => it.pause)
          ? 'sleep'
          : 'held';
  return { scope, variant, waits: plain.length > 0 ? plain : unique };
}

function isExternal(
  { effect, pause, chain }: ReachedWait,
  { minSleepMs, redis }: HeldTerms,
): boolean {
  if (pause) {
    // veto: a comment states that the pause only simulates work
    if ([...chain, ...pause.through].some(({ file, node }) => isPretended(file, node)))
      return false;
    // veto: the pause is shorter than minSleepMs, or its time is only resolved at run time
    return (pause.duration.value ?? 0) >= minSleepMs;
  }
  const { env, library, memo } = effect!;
  // veto: the code does not subscribe to the observable here, so no request is sent
  if (effect!.isUnsent) return false;
  // veto: the answer may come from a cache, or the request goes to the same machine (localhost)
  if (memo || isLocal(effect!)) return false;
  // veto: the call only reports the progress of a job or adds a line to its log
  if (isProgress(effect!)) return false;
  if (env === 'redis') return redis;
  // veto: the call is no external request, or its queue is in tables of the same database
  return EXTERNAL.has(env) && !libraryNamed(library)?.usesTables;
}

/** `await job.updateProgress(20)` of BullMQ, `job.progress(20)` of Bull, `job.log(…)`: one command to Redis. */
function isProgress({ env, method }: Effect): boolean {
  return env === 'queue' && /^(?:(?:update)?progress|log)$/i.test(method);
}

/** `fetch('http://localhost:9200/…')` */
function isLocal({ at }: Effect): boolean {
  const [url] = isCall(at.node) ? argumentsOf(at.node) : [];
  return url !== undefined && LOCAL.test(at.file.textOf(url));
}

const LOCAL = /^['"`]https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/'"`]/;

/** The connection is held for what it is: a lock on behalf of all processes, notifications. */
function isForItsSession({ file, root, call, ownership }: LiveScope): boolean {
  if (takesAdvisoryLocks(file, root)) return true;
  // `await acquireLease(pool, 'report')`
  const takers = call.type === 'CallExpression' ? implementationsOf(file, call) : [];
  if (takers?.some((it) => takesAdvisoryLocks(it.file, it.node))) return true;
  return ownership !== undefined && isHeldOnPurpose(ownership);
}

const takesAdvisoryLocks = query(
  'takes advisory locks',
  (file: FileFacts, root: Node): boolean =>
    root.type !== 'Program' && ADVISORY.test(file.textOf(root)),
  { whileCyclic: false },
);

const ADVISORY = /\bpg_(?:try_)?advisory_|\bGET_LOCK\s*\(|\badvisory.?lock/i;

/** Inside of another scope of the function: that one is reported for it. */
function isInnerScope(scope: LiveScope, node: Node): boolean {
  let it: Node | undefined = node;
  while (it && it !== scope.root && lentIn(scope.file, it).length === 0) it = it.parent;
  return it !== undefined && it !== scope.root && contains(scope.root, it);
}

/** `await work(client)`: a function that was passed in is a scope of its own where somebody passes it. */
function isLent({ file, root, names }: LiveScope, node: Node): boolean {
  if (!isCall(node)) return false;
  const callee = bare(calleeOf(node));
  const [definition] =
    (callee.type === 'Identifier' ? file.variableOf(callee)?.defs : undefined) ?? [];
  // no veto: what a function inside of it is given, it gives itself.
  if (definition?.type !== 'Parameter' || !contains(definition.node as Node, root)) return false;
  const own = new Set(names);
  return mentions(file, node, own) || argumentsOf(node).some((it) => isMadeWith(file, it, own));
}

/** `const tables = { find: (id) => client.query(…) }` */
function isMadeWith(file: FileFacts, node: Node, names: ReadonlySet<Variable>): boolean {
  const [definition] = (node.type === 'Identifier' && file.variableOf(node)?.defs) || [];
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init ? mentions(file, init, names) : false;
}

/** What is sent on comes from the connection itself, row by row: out of a cursor or stream that a loop reads, or that the call is given. */
function isStreamed({ file, names, root }: LiveScope, node: Node): boolean {
  const cursors = new Set(names.flatMap((it) => cursorsOf(file, it)));
  if (mentions(file, node, cursors)) return true;
  const sources = new Set([...names, ...cursors]);
  for (let it = node.parent; it && it !== root; it = it.parent) {
    if (it.type === 'ForOfStatement' && it.await && mentions(file, it.right, sources)) return true;
    if (isLoop(it) && mentions(file, it, cursors)) return true;
  }
  return false;
}

/** `const cursor = client.query(new Cursor(text))`: what the connection gives at once, and not as an answer. */
const cursorsOf = query(
  'cursors',
  (file: FileFacts, handle: Variable): readonly Variable[] => {
    return handle.references.flatMap(({ identifier }) => {
      let it = identifier as Node;
      while (
        it.parent &&
        /^(?:MemberExpression|CallExpression|ChainExpression)$/.test(it.parent.type)
      ) {
        it = it.parent;
      }
      const { parent } = it;
      const isMade =
        parent?.type === 'VariableDeclarator' && parent.init === it && it !== identifier;
      const made =
        isMade && parent.id.type === 'Identifier' ? file.variableOf(parent.id) : undefined;
      return made && !isWaitedForLater(made) ? [made] : [];
    });
  },
  { whileCyclic: [] },
);

/** `const answer = client.query(…); … await answer` */
function isWaitedForLater({ references }: Variable): boolean {
  return references.some(({ identifier }) => identifier.parent.type === 'AwaitExpression');
}
