import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import { bare, functionAround, type Node, walkOwn } from '../../analysis/syntax/ast.ts';
import { type Behaviour, knownBehaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { type Effect, isOnPool } from '../../analysis/effects/effects.ts';
import { isCleanUp } from '../writes/clean-ups.ts';
import {
  type Condition,
  conditionsOn,
  handlersAround,
  isAfterFailure,
} from '../../analysis/syntax/conditions.ts';
import { expectsDuplicates } from '../pools/errors-as-control-flow.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { awaitedBy, type Wait, waitsIn } from '../../analysis/flow/given-waits.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { handsOnInTurn } from '../../analysis/loops/hand-offs.ts';
import { carriesOver, sharesState } from '../../analysis/loops/iteration-state.ts';
import { type Iteration, iterationOf } from '../../analysis/loops/iteration-variables.ts';
import { isOfFew, runsWhatIsGiven } from '../../analysis/loops/item-loops.ts';
import { isFormOfElement, writesByElement } from '../writes/iteration-writes.ts';
import {
  isForMissing,
  isInSlices,
  isOverCollection,
  leavesEarly,
  runsItself,
} from '../../analysis/loops/shapes.ts';
import { pauseOf } from '../../analysis/flow/turns.ts';
import { type Loop, loopAround, runnerOf } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { heedsRateLimit } from './rate-limits.ts';
import { isInTransaction } from '../../analysis/effects/transaction-scopes.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** A loop over data whose iterations wait sequentially although none needs the result of an earlier one. */
export interface IndependentIterations {
  readonly loop: Loop;
  /** The first wait of the loop's own body. */
  readonly first: Wait;
  /** The waits of an iteration without a failure, and their effects; waits of inner loops belong to those. */
  readonly awaits: readonly Wait[];
  readonly effects: readonly Effect[];
  /** One of the awaits writes rows keyed by the element. */
  readonly writes: boolean;
  /** And not only now and then, in addition to a read for each element. */
  readonly isMostlyWriting: boolean;
  /** Each result goes to the same target, in the order of the elements: concurrently, the order would differ. */
  readonly isInTurn: boolean;
  /** What the loop keeps grows with the size of files or bodies: concurrently, all of them are in memory. */
  readonly keepsPayloads: boolean;
}

const WAITING = new Set(['db', 'http', 'redis', 'fs']);

/** Undefined when a condition is not proved: docs/internals/rules.md, "Conditions of an independent loop". */
export const independentIterationsOf = query(
  'independent iterations',
  (file: FileFacts, loop: Loop): IndependentIterations | undefined =>
    independentIterations(file, loop),
  { whileCyclic: undefined },
);

function independentIterations(file: FileFacts, loop: Loop): IndependentIterations | undefined {
  const awaits = waitsIn(loop);
  const usual = awaits.filter((it) => !isAfterFailure(it, loop.body));
  const own = usual.filter((it) => loopAround(file, it) === loop);
  const [first] = own;
  // no veto: nothing to wait for, or all of it in a loop inside this one, which is the cause then.
  if (!first) return undefined;
  // Over data that exists before the loop starts, to its end.
  // What is missing, one query for all elements shows as well.
  const isLeft = (it: TSESTree.ThrowStatement) => !isForMissing(file, loop, it);
  if (!isOverCollection(file, loop) || leavesEarly(file, loop, isLeft)) return undefined;
  // Seldom, and somebody is told of the failure either way.
  if (isCleanUp(file, loop.node)) return undefined;
  // It already runs concurrently with others of its kind.
  if (runsBesideOthers(loop)) return undefined;
  // One call for many elements already.
  if (isInSlices(file, loop)) return undefined;
  if (isInTransaction(file, loop.node)) return undefined;
  // What it runs is looked at where that is given.
  if (runsWhatIsGiven(file, loop)) return undefined;

  const iteration = iterationOf(file, loop);
  // What does not depend on the element is the same call each time.
  if (!usual.some((it) => mentions(file, it, variantsOf(file, loop)))) return undefined;
  const behaviours = behavioursOf(file, awaits, loop);
  if (!behaviours) return undefined;
  // A limited concurrency deadlocks or multiplies when the work calls itself.
  if (runsItself(file, loop, awaits)) return undefined;
  if (carriesOver(file, iteration, awaits)) return undefined;
  // What runs it hands something on from one to the next.
  const runner = runnerOf(loop);
  if (runner && handsOn(runner.file, runner.loop)) return undefined;
  if (sharesState(file, iteration, awaits, behaviours)) return undefined;

  const effects = behaviours.flatMap((it) => it.effects);
  // The service counts requests, and the code heeds that.
  if (effects.some((it) => it.env === 'http') && heedsRateLimit(file, loop.node, awaits))
    return undefined;
  const isWriting = effects.some((it) => it.op === 'write');
  // no veto: most of them are left alone for what they read before they write.
  if (isWriting && leavesEarly(file, loop)) return undefined;
  // Which of two equal rows is first decides what becomes of the other.
  if (isWriting && expectsDuplicates(file, loop)) return undefined;
  // Each writes to a place of its own.
  if (isWriting && awaits.some((it) => isFormOfElement(file, loop, bare(awaitedBy(it)))))
    return undefined;
  if (isWriting && !writesByElement(file, iteration, awaits, behaviours)) return undefined;
  const waited = behaviours.flatMap((it, i) => (own.includes(awaits[i]!) ? it.effects : []));
  // A round takes time where it has failed, and nowhere else.
  if (waited.length === 0) return undefined;
  // Most elements wait for nothing.
  if (own.every((it) => isForOneCase(file, it, behaviours[awaits.indexOf(it)]!))) return undefined;
  // Few elements cause no long wait.
  if (isOfFew(loop)) return undefined;
  return {
    loop,
    first,
    awaits: own,
    effects: waited,
    writes: waited.some((it) => it.op === 'write'),
    isMostlyWriting: mostlyWrites(
      own.map((it) => ({
        conditions: conditionsOn(it, loop.body).filter(({ kind }) => kind !== 'exit'),
        effects: behaviours[awaits.indexOf(it)]!.effects,
      })),
    ),
    isInTurn: handsOnInTurn(file, iteration, awaits) || isHandedOnInTurn(runner),
    keepsPayloads: keepsPayloads(iteration, effects),
  };
}

type Runner = ReturnType<typeof runnerOf>;

function handsOn(file: FileFacts, loop: Loop): boolean {
  return carriesOver(file, iterationOf(file, loop), waitsIn(loop));
}

function isHandedOnInTurn(runner: Runner): boolean {
  if (!runner) return false;
  const { file, loop } = runner;
  return handsOnInTurn(file, iterationOf(file, loop), waitsIn(loop));
}

/** `switch (rule.operator)` in what is called, of which few cases ask. */
function isForOneCase(file: FileFacts, wait: Wait, { effects }: Behaviour): boolean {
  const cases = effects.flatMap(
    (effect) =>
      wayTo({ file, node: awaitedBy(wait) }, effect)
        .slice(1)
        .flatMap(({ node: place, root }) => conditionsOn(place, root))
        .find(({ kind }) => kind === 'case')?.node ?? [],
  );
  const [first] = cases;
  const all = first?.parent?.type === 'SwitchStatement' ? first.parent.cases : [];
  return cases.length === effects.length && new Set(cases).size * 2 < all.length;
}

interface WaitedPart {
  /** Without those on which a round leaves before. */
  readonly conditions: readonly Condition[];
  readonly effects: readonly Effect[];
}

/** Where every element waits for something, that counts: a row written now and then is less. */
function mostlyWrites(waits: readonly WaitedPart[]): boolean {
  const always = waits.filter((it) => it.conditions.length === 0 && it.effects.length > 0);
  const usual = always.length > 0 ? always : waits;
  return usual.some(writes) || writesEitherWay(waits.filter(writes));
}

function writes({ effects }: WaitedPart): boolean {
  return effects.some((it) => it.op === 'write');
}

/** `if (known) await update(row); else await insert(row);` */
function writesEitherWay(waits: readonly WaitedPart[]): boolean {
  const sides = waits.flatMap(({ conditions: [first, ...others] }) =>
    first && others.length === 0 ? first : [],
  );
  return sides.some((one) =>
    sides.some((other) => other.node === one.node && other.holds !== one.holds),
  );
}

/** What the awaits do, when all of it is resolved, goes through a pool and cannot end the loop; undefined otherwise. */
function behavioursOf(
  file: FileFacts,
  awaits: readonly Wait[],
  { body, node }: Loop,
): readonly Behaviour[] | undefined {
  const scope = functionAround(node) ?? file.ast;
  const behaviours: Behaviour[] = [];
  for (const it of awaits) {
    // The pause keeps them apart.
    if (pauseOf(file, awaitedBy(it))?.kind === 'sleep') return undefined;
    const behaviour = knownBehaviourOf(file, it, scope);
    if (!behaviour || !isIndependentWork(behaviour)) return undefined;
    // It fails on what it finds: the elements after it are not to be written.
    if (behaviour.mayVeto && !isCaught(it, body) && awaitsWrite(behaviour)) return undefined;
    behaviours.push(behaviour);
  }
  // Answers from memory, or in batches already.
  if (behaviours.every((it) => it.effects.every((effect) => effect.memo))) return undefined;
  return behaviours;
}

function awaitsWrite({ effects }: Behaviour): boolean {
  return effects.some((it) => it.op === 'write');
}

function isIndependentWork({ sleeps, effects }: Behaviour): boolean {
  return !sleeps && effects.every(isIndependentEffect);
}

function isIndependentEffect(effect: Effect): boolean {
  return (
    (effect.op === 'read' || effect.op === 'write') &&
    isOnPool(effect) &&
    WAITING.has(effect.env) &&
    !effect.work
  );
}

function runsBesideOthers(loop: Loop): boolean {
  for (let it = loop.outer; it; it = it.outer) if (it.kind === 'elements') return true;
  return false;
}

function isCaught(node: Node, body: Node): boolean {
  const [handler] = handlersAround(node, body);
  return handler !== undefined && !rethrows(handler.body);
}

function rethrows(handler: TSESTree.BlockStatement): boolean {
  return handler.body.at(-1)?.type === 'ThrowStatement';
}

const PAYLOADS = /^(?:readFile|arrayBuffer|blob|bytes|buffer)$/;

/** Concurrent iterations would hold all payloads in memory. */
function keepsPayloads({ kept, file, results }: Iteration, effects: readonly Effect[]): boolean {
  if (!kept.some((it) => holdsResult(file, it, results))) return false;
  return effects.some(
    (it) => PAYLOADS.test(it.method) || namesPayload(it.at.file.textOf(it.at.node)),
  );
}

/** `{ includeState: true }`: the column that is left out otherwise, because it is large. */
function namesPayload(call: string): boolean {
  return /\binclude(?:State|Content|Body|Binary|Blob|Data|File)s?:\s*true\b/.test(call);
}

function holdsResult(file: FileFacts, node: Node, results: ReadonlySet<Variable>): boolean {
  let awaits = false;
  walkOwn(node, (it) => {
    if (it.type === 'AwaitExpression') awaits = true;
  });
  return awaits || mentions(file, node, results);
}
