import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { functionAround, type FunctionNode, isFunction, type Node, walk } from '../syntax/ast.ts';
import { behaviourOf } from '../behaviour/behaviour.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { loopAround } from '../flow/loops.ts';
import { type Location, locationOf, writtenTarget } from '../effects/memory.ts';
import { callsOf } from '../provenance/function-uses.ts';
import { inlineCallOf } from '../flow/waits.ts';

/**
 * Whether only the first run reaches `node`, and all later ones find its result: `shared ??= connect()`, and the code behind a
 * test of a variable that outlives the run and is set by it (`if (shared) return shared;`).
 */
export const isMadeOnce = query(
  'made once',
  (file: FileFacts, node: Node): boolean => {
    let fn = functionAround(node);
    while (fn && inlineCallOf(fn)) fn = functionAround(fn);
    const runs = [loopAround(file, node)?.body, fn].filter((it) => it !== undefined);
    return runs.some((it) => isFirstOf(file, node, it)) || (!!fn && isOnlyCalledOnce(file, fn));
  },
  { whileCyclic: false },
);

function isFirstOf(file: FileFacts, node: Node, run: Node): boolean {
  const asked = askedLocations(file, node, run);
  const set = asked.length > 0 ? setLocations(file, run) : new Set<Location>();
  return asked.some((it) => set.has(it));
}

/** All that calls it in its file is reached once; when the program starts, or while that has failed: `if (!channel) await connect();`. */
function isOnlyCalledOnce(file: FileFacts, fn: FunctionNode): boolean {
  const later = callsOf(file, fn).filter((it) => functionAround(it) ?? loopAround(file, it));
  return later.length > 0 && later.every((it) => isMadeOnce(file, it));
}

/** What decides whether a run gets to `node`, and outlives it. */
function askedLocations(file: FileFacts, node: Node, run: Node): readonly Location[] {
  const asked = conditionsOn(node, run).flatMap(({ test }) =>
    test ? locationsIn(file, test, run) : [],
  );
  for (let it: Node | undefined = node; it && it !== run; it = it.parent) {
    if (it.type === 'AssignmentExpression' && /^(?:\?\?|\|\|)=$/.test(it.operator)) {
      asked.push(...locationsIn(file, it.left, run));
    }
  }
  return asked;
}

/** The places that an expression reads, itself or by a name for what was read: `const known = clients.get(url)`. */
function locationsIn(file: FileFacts, expression: Node, run: Node): Location[] {
  const found: Location[] = [];
  const namedHere: Node[] = [];
  const read = (it: Node): boolean => {
    if (it.type !== 'Identifier' && it.type !== 'MemberExpression') return !isFunction(it);
    const location = locationOf(file, it, run);
    if (location && !isParameter(location)) found.push(location);
    const [definition] = (it.type === 'Identifier' && file.variableOf(it)?.defs) || [];
    if (definition?.type === 'Variable' && definition.node.init)
      namedHere.push(definition.node.init);
    return false;
  };
  walk(expression, read);
  for (const it of [...namedHere]) walk(it, read);
  return found;
}

/** What the run, or what it calls, sets and does not take back at its end. */
function setLocations(file: FileFacts, run: Node): ReadonlySet<Location> {
  const body = isFunction(run) ? bodyOf(run)! : run;
  const set = new Set(behaviourOf(file, body, run).memoryWrites);
  const takenBack: Location[] = [];
  walk(body, (it) => {
    const target = writtenTarget(it);
    const location = target && locationOf(file, target, run);
    if (!location) return;
    set.add(location);
    // `busy = true; …; busy = false;` lets the next run in.
    const isFlagDown =
      it.type === 'AssignmentExpression' && it.right.type === 'Literal' && it.right.value === false;
    if (isFlagDown) takenBack.push(location);
  });
  for (const it of takenBack) set.delete(it);
  return set;
}

/** What the caller gives is another one in each run. */
function isParameter(location: Location): boolean {
  return location.startsWith('parameter ');
}
