import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  walkOwn,
} from '../syntax/ast.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../syntax/calls.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { holdsAwait } from '../flow/awaited.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import { mayBeSame } from '../values/store-keys.ts';

/** An effect, and the call of the function that comes to it. */
export interface Reached {
  readonly effect: Effect;
  readonly call: Call | undefined;
}

/**
 * The effects of a function. Marks those that only store in Redis what was loaded for a key, because the key was missing there:
 * the first caller decides nothing, all get the same result.
 */
export function withFills(file: FileFacts, reached: readonly Reached[]): readonly Effect[] {
  const effects = reached.map((it) => it.effect);
  if (!reached.some(isStore)) return effects;
  const pairs = reached.filter(isStore).flatMap((store) => {
    const look = reached.find((it) => isLookUpFor(file, it, store));
    return look ? [look, store] : [];
  });
  return reached.map((it) =>
    pairs.includes(it) ? { ...it.effect, readThrough: true } : it.effect,
  );
}

const STORES = /^(?:set|p?setex|hset)$/i;

function isStore({ effect }: Reached): boolean {
  return effect.env === 'redis' && effect.op === 'write' && STORES.test(effect.method);
}

/** `const cached = await get(key)`, before `set(key, loaded)` that runs only where `cached` is nothing. */
function isLookUpFor(file: FileFacts, look: Reached, store: Reached): boolean {
  const { env, op } = look.effect;
  // no veto: only what Redis is asked can be found there.
  if (env !== 'redis' || op !== 'read' || !look.call || !store.call) return false;
  const fn = functionAround(store.call);
  // veto: the function reads the value from one store and writes it to a different one
  if (!fn || !isSameStore(look, store)) return false;
  const key = argumentsOf(look.call).map((it) => file.textOf(it));
  const given = argumentsOf(store.call);
  // veto: the function writes the value under a different key than it reads
  if (key.length === 0 || !key.every((it, i) => given[i] && file.textOf(given[i]) === it))
    return false;
  const found = answerOf(file, fn, look.call);
  const loaded = answersOf(file, fn).filter((it) => !contains(it.value, look.call!));
  const kept = spread(
    file,
    fn,
    loaded.flatMap((it) => it.variables),
  );
  // veto: the function stores something other than the loaded value, such as a lock or a mark
  if (!given.slice(key.length).some((it) => mentions(file, it, kept))) return false;
  const anew = new Set(loaded.flatMap((it) => it.variables));
  const before = answerOf(file, fn, look.call, anew);
  // veto: the stored value depends on the value before it, such as a counter
  if (given.slice(key.length).some((it) => mentions(file, it, before))) return false;
  // veto: the function writes the value whether or not the key was missing
  const tests = conditionsOn(store.call, bodyOf(fn)).flatMap(({ test }) =>
    test && mentions(file, test, found) ? [test] : [],
  );
  // veto: the function writes the value only after a comparison with the stored value
  if (tests.some((it) => compares(file, it, before, kept))) return false;
  const isMiss = tests.length > 0;
  return isMiss && answers(file, fn, found) && answers(file, fn, kept);
}

function compares(
  file: FileFacts,
  test: Node,
  found: ReadonlySet<Variable>,
  loaded: ReadonlySet<Variable>,
): boolean {
  let does = false;
  walkOwn(test, (it) => {
    does ||=
      it.type === 'BinaryExpression' && mentions(file, it, found) && mentions(file, it, loaded);
  });
  return does;
}

/** `this.client.get(key)` and `this.client.set(key, value)`, at the end of what both calls lead to. */
function isSameStore(a: Reached, b: Reached): boolean {
  return a.effect.at.file === b.effect.at.file && receiver(a) === receiver(b);
}

function receiver({ effect: { at } }: Reached): string | undefined {
  const callee = isCall(at.node) ? bare(calleeOf(at.node)) : undefined;
  return callee?.type === 'MemberExpression' ? at.file.textOf(callee.object) : undefined;
}

interface Answer {
  readonly value: Node;
  readonly variables: readonly Variable[];
}

/** The variables that hold what the function has waited for. */
function answersOf(file: FileFacts, fn: FunctionNode): readonly Answer[] {
  const found: Answer[] = [];
  walkOwn(bodyOf(fn), (it) => {
    const [target, value] =
      it.type === 'VariableDeclarator'
        ? [it.id, it.init]
        : it.type === 'AssignmentExpression'
          ? [it.left, it.right]
          : [];
    if (target && value && holdsAwait(value)) {
      found.push({ value, variables: variablesIn(file, target) });
    }
  });
  return found;
}

function answerOf(
  file: FileFacts,
  fn: FunctionNode,
  call: Node,
  except: ReadonlySet<Variable> = new Set(),
): ReadonlySet<Variable> {
  const own = answersOf(file, fn).filter((it) => contains(it.value, call));
  return spread(
    file,
    fn,
    own.flatMap((it) => it.variables).filter((it) => !except.has(it)),
    except,
  );
}

/** With those that are made of them: `const user = JSON.parse(cached)`. */
function spread(
  file: FileFacts,
  fn: FunctionNode,
  of: readonly Variable[],
  except: ReadonlySet<Variable> = new Set(),
): ReadonlySet<Variable> {
  const found = new Set(of);
  walkOwn(bodyOf(fn), (it) => {
    // no veto: nothing is made, or something is loaded.
    if (it.type !== 'VariableDeclarator' || !it.init || holdsAwait(it.init)) return;
    if (mentions(file, it.init, found))
      for (const made of variablesIn(file, it.id)) if (!except.has(made)) found.add(made);
  });
  return found;
}

/** Whether the function answers with one of them. */
function answers(file: FileFacts, fn: FunctionNode, of: ReadonlySet<Variable>): boolean {
  let does = false;
  walkOwn(bodyOf(fn), (it) => {
    does ||= it.type === 'ReturnStatement' && !!it.argument && mentions(file, it.argument, of);
  });
  return does;
}

/** Whether the key that one stores may be the key that the second reads for itself, and not its own stored value. */
export function fillsFor(a: readonly Effect[], b: readonly Effect[]): boolean {
  const kept = a.filter((it) => it.readThrough && it.op === 'write');
  return kept.some((fill) =>
    b.some((it) => it.env === 'redis' && !it.readThrough && mayBeSame(fill.storeKey, it.storeKey)),
  );
}
