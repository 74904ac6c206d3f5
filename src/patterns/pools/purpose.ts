import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import {
  classAround,
  bare,
  contains,
  dottedName,
  functionAround,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { isProcessExit } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { usesOf } from '../../analysis/provenance/function-uses.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { isMadeOnce } from '../../analysis/contexts/made-once.ts';
import type { Ownership } from '../../analysis/ownership/ownership.ts';
import { groupsOf } from '../../analysis/syntax/grouped.ts';

/** Sessions that exist to be held: notifications, replication. */
const SESSION_SQL = /\b(?:LISTEN\s+["'\w$]|START_REPLICATION)/i;

/** A lock of the session, for as long as that is held. */
const LOCK = /\b(?:pg_(?:try_)?advisory_lock|GET_LOCK\s*\(|LOCK\s+TABLES)/i;

/** Gives such a lock back: the session is needed no longer. */
const UNLOCK = /\b(?:pg_advisory_unlock|RELEASE_LOCK\s*\(|UNLOCK\s+TABLES)/i;

/** Calls that a connection then waits by: subscriptions, blocking reads, consumers. */
const SESSION_CALL =
  /\.(?:[ps]?subscribe|b[lr]pop(?:lpush)?|blmove|xread(?:group)?|monitor|consume)\s*\(/i;

/** A connection that is held on purpose: LISTEN, a subscription, a session's lock, replication. */
export function isHeldOnPurpose({ acquisition, loss }: Ownership): boolean {
  const { file, root } = acquisition;
  const owner = loss?.field ? classAround(loss.field)?.node : root;
  // no veto: a module as a whole is asked by nobody
  if (!owner || owner.type === 'Program') return false;
  // A lock that the function or a helper of the file gives back is held for as long as that runs.
  const isBrief = !loss?.field && UNLOCK.test(file.text);
  const isLocked = !isBrief && LOCK.test(file.textOf(owner));
  return isLocked || isForItsSession(file, owner);
}

const isForItsSession = query(
  'for its session',
  (file: FileFacts, owner: Node): boolean => {
    const text = file.textOf(owner);
    return SESSION_SQL.test(text) || SESSION_CALL.test(text) || /['"]notification['"]/.test(text);
  },
  { whileCyclic: false },
);

/** The one connection of the process, which all callers share: `channel ??= connect().then((it) => it.createChannel())`. */
export function isShared({ acquisition, loss }: Ownership): boolean {
  const { file, call, subject } = acquisition;
  if (subject.handle.type.role !== 'client' || loss?.variant !== 'never') return false;
  return isMadeOnce(file, call);
}

/** A script that takes what it wants and stops: its function is the whole program, or ends the pool, or its file the process; or it loses one connection of the process at most. */
export function isOneShotScript({ acquisition }: Ownership): boolean {
  const { file, root, subject, call } = acquisition;
  if (subject.handle.type.role === 'client' && endsWithProcess(file, root)) return true;
  if (isProgram(file, root) || endsPool(acquisition)) return true;
  return isRunOnce(file, root) && !loopAround(file, call);
}

/** Connecting, perhaps with a trifle asked, is all that is done before the pool ends. */
export function isPing({ acquisition }: Ownership): boolean {
  if (!endsPool(acquisition)) return false;
  const declarator = acquisition.subject.begins?.parent;
  if (declarator?.type !== 'VariableDeclarator') return true;
  const { id } = declarator;
  const variable = id.type === 'Identifier' ? acquisition.file.variableOf(id) : undefined;
  return variable?.references.every((it) => it.init || isTrifle(it.identifier as Node)) ?? false;
}

/** The same run makes the pool: what one failure loses of it is one connection of a pool that never got to serve. */
export function isOfNewPool({ acquisition, loss }: Ownership): boolean {
  const { file, root, call } = acquisition;
  const pool = poolNameOf(acquisition);
  // no veto: the shape of a checkout
  if (!pool) return false;
  if (loss?.variant !== 'throw' || loopAround(file, call)) return false;
  let isMade = false;
  walk(root, (it) => {
    if (it.type === 'VariableDeclarator') isMade ||= makes(it.id, it.init);
    else if (it.type === 'AssignmentExpression') isMade ||= makes(it.left, it.right);
    return !isMade && (it === root || !isFunction(it));
  });
  return isMade;

  function makes(target: Node, made: Node | null): boolean {
    const isPool = made?.type === 'NewExpression' && dottedName(target) === pool;
    const value = isPool ? valueOf(file, made) : undefined;
    return value?.kind === 'library' && value.type.pool !== undefined;
  }
}

const TRIFLE = /^\s*select\s+(?:1|now\(\)|version\(\))(?:\s+as\s+\w+)?\s*(?:;\s*)?$/i;

function isTrifle(use: Node): boolean {
  const member = use.parent;
  const call = member?.parent;
  // no veto: the shape of a call
  if (member?.type !== 'MemberExpression' || call?.type !== 'CallExpression') return false;
  const name = propertyName(member) ?? '';
  const [statement] = call.arguments;
  return (
    /^(?:ping|release|on|once)$/.test(name) ||
    (statement?.type === 'Literal' && TRIFLE.test(String(statement.value)))
  );
}

/** `pool` of `pool.connect()`. */
function poolNameOf({ source, call }: Ownership['acquisition']): string | undefined {
  // no veto: the shape of a checkout
  if (!source || call.type !== 'CallExpression') return undefined;
  const callee = bare(call.callee);
  return callee.type === 'MemberExpression' ? dottedName(callee.object) : undefined;
}

function endsPool(acquisition: Ownership['acquisition']): boolean {
  const pool = poolNameOf(acquisition);
  // no veto: the shape of a checkout
  if (!pool) return false;
  return poolsEndedIn(acquisition.file, acquisition.root).has(pool);
}

/** As they are called there. */
const poolsEndedIn = query(
  'pools that end',
  (_: FileFacts, root: Node): ReadonlySet<string> => {
    const ended = new Set<string>();
    walk(root, (it) => {
      // no veto: the shape of a method's call
      if (it.type !== 'CallExpression' || it.callee.type !== 'MemberExpression') return;
      const [, pool] =
        /^(.+)\.(?:end|close|destroy|drain)$/.exec(dottedName(it.callee) ?? '') ?? [];
      if (pool !== undefined) ended.add(pool);
    });
    return ended;
  },
  { whileCyclic: new Set() },
);

/** `process.exit()` stands in the function, or in one that calls it by its name. */
function endsWithProcess(file: FileFacts, root: Node): boolean {
  return rootsThatEnd(file).has(root);
}

const rootsThatEnd = queryOfFile(
  'end with the process',
  (file: FileFacts): ReadonlySet<Node> => {
    const exits = file.nodes.all('CallExpression').filter(isProcessExit);
    const ending = new Set(exits.map((it): Node => functionAround(it) ?? file.ast));
    return new Set([...ending].flatMap((it) => [it, ...functionsCalledIn(file, it)]));
  },
  { whileCyclic: new Set() },
);

const IS_MAIN =
  /^(?:require\.main\s*===?\s*module|module\s*===?\s*require\.main|!module\.parent|import\.meta\.main)$/;

/** `if (require.main === module) run()`: a process is started for the function alone, and ends with it. */
function isProgram(file: FileFacts, root: Node): boolean {
  const programs = programsByFunction(file).get(root) ?? [];
  return programs.some(({ consequent }) => isOnlyUsedIn(file, consequent, root));
}

const programsByFunction = groupsOf(
  'programs',
  (file: FileFacts) =>
    file.nodes
      .all('IfStatement')
      .filter(({ test }) => IS_MAIN.test(file.textOf(test)))
      .flatMap(({ consequent }) =>
        functionsCalledIn(file, consequent).map((fn) => ({ fn, consequent })),
      ),
  (it): Node => it.fn,
);

/** `run().catch(report);`, `(async () => { … })();`: the file itself runs it as it is loaded, and nobody else does. */
function isRunOnce(file: FileFacts, root: Node): boolean {
  // A module is loaded once.
  if (!isFunction(root)) return true;
  const { parent } = root;
  const isOwnCall = parent.type === 'CallExpression' && parent.callee === root;
  const uses = isOwnCall ? [root] : usesOf(file, root);
  return uses.length > 0 && uses.every((it) => isStartedAtLoad(file, it));
}

function isStartedAtLoad(file: FileFacts, use: Node): boolean {
  const { parent } = use;
  const isCalled = parent?.type === 'CallExpression' && parent.callee === use;
  return isCalled && !functionAround(parent) && !loopAround(file, parent);
}

/** Neither another file nor another place of this one has a use for the function. */
function isOnlyUsedIn(file: FileFacts, within: Node, root: Node): boolean {
  // no veto: what is called is a function.
  const uses = isFunction(root) ? usesOf(file, root) : [];
  return uses.length > 0 && uses.every((it) => contains(within, it));
}

function functionsCalledIn(file: FileFacts, within: Node): readonly Node[] {
  const called = new Set<Node>();
  walk(within, (it) => {
    // no veto: the shape of a function's call
    if (it.type !== 'CallExpression' || it.callee.type !== 'Identifier') return;
    const callee = valueOf(file, it.callee);
    if (callee.kind === 'function') called.add(callee.node);
  });
  return [...called];
}
