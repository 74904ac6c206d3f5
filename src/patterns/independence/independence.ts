import { guardVerbs } from '../../analysis/words/work.ts';
import { patternOf } from '../../analysis/words/word-list.ts';
import { collectFrom } from '../../engine/regions.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  functionAround,
  isFunction,
  type Node,
} from '../../analysis/syntax/ast.ts';
import { type AwaitShape, renews } from './await-shapes.ts';
import { type Behaviour, knownBehaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { type Effect, isOnPool } from '../../analysis/effects/effects.ts';
import { isLimitedByComment } from '../../analysis/contexts/comments.ts';
import { areExclusive } from './exclusive-reads.ts';
import { isFallbackOf } from './fallbacks.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import {
  type Group,
  type GroupRead,
  type IndependentRead,
  isAmong,
  mentionsOutcome,
  needs,
  newGroup,
  questionOf,
  spread,
} from './group.ts';
import {
  blocksWithAwaits,
  mayBeginRun,
  statementsIn,
  stretchesOf,
  type Block,
} from './stretches.ts';
import { type IndependenceTerms, keyOfTerms } from './terms.ts';
import { isHarmless } from '../../analysis/behaviour/harmless.ts';
import { measuresTime } from '../../analysis/provenance/clock.ts';
import { holdsBuilder } from '../../analysis/effects/held-builders.ts';
import type { Location } from '../../analysis/effects/memory.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { fillsFor } from '../../analysis/behaviour/read-through.ts';
import { isNamedAsRead } from '../../analysis/effects/presumed-reads.ts';
import { isInTransaction } from '../../analysis/effects/transaction-scopes.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/** Awaits of one block that run sequentially although none needs another: docs/internals/rules.md, "Independence". */
export interface IndependentRun {
  readonly reads: readonly IndependentRead[];
  /** A read that can fail on its data precedes a further read: starting both changes which error is reported. */
  readonly mayVeto: boolean;
  /** The read after the run, where it needs only some reads of the run. */
  readonly follower: Follower | undefined;
  /** Lists that grow between two reads: an earlier read that uses one needs a copy of it when both run concurrently. */
  readonly growths: readonly Node[];
}

/** A read that ends a run: the reads in `unneeded` could run concurrently with it and with the reads that it needs. */
export interface Follower {
  readonly shape: AwaitShape;
  readonly needed: readonly IndependentRead[];
  readonly unneeded: readonly IndependentRead[];
}

/**
 * Runs that hold calls which are not resolved, and which are named like reads: each rests on one assumption, that calls of one
 * name only read. Those that need no assumption are not among them.
 */
export function presumedRunsOf(file: FileFacts, terms: IndependenceTerms): readonly PresumedRun[] {
  return presumedRuns(file, terms);
}

export interface PresumedRun extends IndependentRun {
  /** The assumption, as part of a sentence: "`rates.latest()` only reads". */
  readonly assumed: string;
}

const presumedRuns = collectFrom(
  'presumed runs',
  blocksWithAwaits,
  (file: FileFacts, it: Block, terms: IndependenceTerms): readonly PresumedRun[] => {
    const statements = statementsIn(it);
    const asked = stretchesOf(file, statements)
      .flat(1)
      .flatMap(({ shapes }) => shapes);
    // no veto: without an unresolved read, the runs are those that need no assumption.
    if (!asked.some(({ node }) => isUnresolvedRead(file, node)) || isInTransaction(file, it))
      return [];
    const declared = { ...terms.declared, presumesReads: true } as const;
    return runsIn(file, statements, { ...terms, declared }).flatMap(
      (run): readonly PresumedRun[] => {
        const effects = run.reads.flatMap((it) => it.effects);
        const [assumed, ...others] = new Set(effects.flatMap((it) => it.assumed ?? []));
        return assumed !== undefined && others.length === 0 ? [{ ...run, assumed }] : [];
      },
    );
  },
  { keyOf: keyOfTerms },
);

function isUnresolvedRead(file: FileFacts, node: TSESTree.AwaitExpression): boolean {
  return (
    isNamedAsRead(awaitedName(node)) &&
    knownBehaviourOf(file, node, functionAround(node) ?? file.ast) === undefined
  );
}

/** Calls that are there to stop what follows, by the verb they start with: docs/internals/rules.md, "Independence". */
// veto: the call is a guard by its verb (`ensure`, `verify`, `check`), which can stop the calls after it
const GUARD = patternOf(guardVerbs, { isFirst: true });

/** Nobody asks for what the caller may not see: `loadOwnedOrder(id)`, which throws where the order is somebody else's. */
// veto: the call can fail, and its name speaks of permission or ownership
const PERMISSION = /\b(?:(?:has|with) access|allowed|authori[sz]ed|owned|permissions?|permitted)\b/;

/** Each read is compared with those before it in its run: this bounds the time. */
const MAXIMUM_READS = 50;

export function independentRunsOf(
  file: FileFacts,
  terms: IndependenceTerms,
): readonly IndependentRun[] {
  return independentRuns(file, terms);
}

const independentRuns = collectFrom(
  'independent runs',
  blocksWithAwaits,
  (file: FileFacts, it: Block, terms: IndependenceTerms): readonly IndependentRun[] =>
    isInTransaction(file, it) ? [] : runsIn(file, statementsIn(it), terms),
  { keyOf: keyOfTerms },
);

function runsIn(
  file: FileFacts,
  statements: readonly TSESTree.Statement[],
  terms: IndependenceTerms,
): IndependentRun[] {
  const runs: IndependentRun[] = [];
  let group = newGroup();
  const scope = functionOf(statements);

  for (const stretch of stretchesOf(file, statements)) {
    for (const [at, { statement, shapes }] of stretch.entries()) {
      for (const shape of shapes) {
        // no veto: spares the question what it calls.
        if (group.reads.length > 0 || mayBeginRun(file, stretch, at, shape)) take(shape);
      }
      // no veto: nothing to keep in mind yet.
      if (group.reads.length === 0) continue;
      // veto: a statement between the reads measures time
      const isHeld =
        !measuresTime(file, statement) && isHarmless(file, statement, scope, terms.declared);
      if (isHeld) spread(file, group, statement, scope);
      else flush();
    }
    flush();
  }
  return runs;

  function take(shape: AwaitShape): void {
    const behaviour = knownBehaviourOf(file, shape.node, scope, terms.declared);
    const isRest = behaviour !== undefined && isRestOfAnswer(behaviour);
    // no veto: the wait was that of the request before it.
    if (isRest && needs(file, group.reads, shape, scope).length > 0) return;
    const isRead = behaviour !== undefined && !doesMoreThanRead(behaviour, terms);
    // no veto: flushed; it is no read itself.
    if (!isRead) return flush();
    const isInTheWay = isConflicting(file, group, shape, behaviour, scope);
    if (isInTheWay || needs(file, group.reads, shape, scope).length > 0) {
      flush(isInTheWay ? undefined : followerOf(file, group.reads, shape, scope));
    }
    group.mayVeto ||= group.reads.some((it) => it.behaviour.mayVeto);
    const { effects } = behaviour;
    group.reads.push({
      shape,
      effects,
      behaviour,
      results: new Set(shape.results),
      given: new Set(),
    });
    const name = awaitedName(shape.node);
    const isPermission = behaviour.mayVeto && PERMISSION.test(wordsOf(name));
    if (isPermission || isGuard(name, terms.guardVerbs)) flush();
    // no veto: so many are generated code.
    if (group.reads.length === MAXIMUM_READS) flush();
  }

  function flush(follower?: Follower): void {
    const { reads, mayVeto } = group;
    const last = reads.at(-1)?.shape.node;
    const growths = group.growths.filter((it) => last && startsAt(it) < startsAt(last));
    const isMeant = reads.some(({ shape }) => isLimitedByComment(file, shape.statement));
    if (reads.length > 1 && !isMeant) runs.push({ reads, mayVeto, follower, growths });
    group = newGroup();
  }
}

function isGuard(name: string, verbs: readonly string[]): boolean {
  return (
    GUARD.test(wordsOf(name)) ||
    verbs.some((it) => name.startsWith(it) && !/^[a-z]/.test(name.slice(it.length)))
  );
}

function functionOf(statements: readonly TSESTree.Statement[]): Node {
  let it: Node | undefined = statements[0];
  while (it && !isFunction(it) && it.type !== 'Program') it = it.parent;
  return it!;
}

/** Not proved to read and to wait, through a pool, for a result of its own. */
function doesMoreThanRead({ sleeps, effects }: Behaviour, terms: IndependenceTerms): boolean {
  return (
    sleeps || effects.every((it) => it.memo) || effects.some((it) => isOtherThanRead(it, terms))
  );
}

/** `await response.json()`: what is left of an answer that is on its way. */
function isRestOfAnswer({ effects, sleeps, memoryWrites, mayVeto }: Behaviour): boolean {
  const isRest = effects.length > 0 && effects.every((it) => it.env === 'http' && it.memo);
  return isRest && !sleeps && !mayVeto && memoryWrites.size === 0;
}

function isOtherThanRead(effect: Effect, { isPoolAware }: IndependenceTerms): boolean {
  const isRead = effect.op === 'read' || effect.readThrough;
  // no veto: the project has said that the size of a pool is no reason.
  if (effect.handle === 'single' && !isPoolAware) return !isRead;
  return !isRead || !isOnPool(effect);
}

/** A read that needs only a part of the run; undefined where all of the run is needed. */
function followerOf(
  file: FileFacts,
  reads: readonly GroupRead[],
  shape: AwaitShape,
  scope: Node,
): Follower | undefined {
  const needed = needs(file, reads, shape, scope);
  const unneeded = reads.filter((it) => !needed.includes(it));
  return unneeded.length > 0 ? { shape, needed, unneeded } : undefined;
}

/** Whether a read may be meant to run after the group for another reason than its results, or after what came since. */
function isConflicting(
  file: FileFacts,
  group: Group,
  shape: AwaitShape,
  behaviour: Behaviour,
  scope: Node,
): boolean {
  const asked = askedAs(file, shape);
  return (
    // The same question asked twice is asked because the answer may have changed.
    group.reads.some((it) => askedAs(file, it.shape) === asked) ||
    group.reads.some((it) => areExclusive(file, it.shape, shape)) ||
    group.reads.some((it) => isFallbackOf(file, it, shape)) ||
    group.reads.some((it) => renews(file, shape, it.results)) ||
    group.reads.some((it) => holdsBuilder(file, it.shape.node, group.changed)) ||
    overlap(behaviour.memoryReads, group.written) ||
    overlap(behaviour.memoryWrites, group.looked) ||
    group.reads.some((it) => collide(it.behaviour, behaviour)) ||
    // Each is given what it is at that moment: `ids.push(id)` between them.
    isOfAnotherMoment(file, group, shape) ||
    // What the first was given may still be read when the second changes it.
    group.reads.some((it) =>
      mentionsOutcome(
        file,
        it.shape.node,
        { results: new Set(), given: new Set(), behaviour },
        scope,
      ),
    )
  );
}

/** The question as written, however its lines are broken. */
function askedAs(file: FileFacts, { node }: AwaitShape): string {
  return file
    .textOf(node)
    .replaceAll(/\s+/g, '')
    .replaceAll(/,(?=[)\]}])/g, '');
}

/** What has changed since is part of both questions: started together, one of them would be another. */
function isOfAnotherMoment(file: FileFacts, { changed, reads }: Group, shape: AwaitShape): boolean {
  const asked = [...changed].filter((it) =>
    questionOf(shape).some((node) => mentions(file, node, new Set([it]))),
  );
  const both = new Set(asked);
  return reads.some((it) => questionOf(it.shape).some((node) => mentions(file, node, both)));
}

function collide(a: Behaviour, b: Behaviour): boolean {
  return (
    sharesAnswers(a, b) ||
    changesFor(a, b) ||
    changesFor(b, a) ||
    fillsFor(a.effects, b.effects) ||
    fillsFor(b.effects, a.effects)
  );
}

/** Whether the second may find in memory what the first has asked for: started together, both would still ask once. */
function sharesAnswers(a: Behaviour, b: Behaviour): boolean {
  const [all, others] = [a, b].map((it) => new Set(it.effects.map(({ at }) => at.node)));
  const shared = b.effects.filter((it) => all!.has(it.at.node));
  // Of one function that is asked for two keys, each finds its own.
  const isOneFunction = all!.size === others!.size && shared.length === b.effects.length;
  const isCached = !isOneFunction && [...a.memoryWrites].some((it) => b.memoryWrites.has(it));
  return shared.some((it) => isCached || it.isRemembered);
}

/** Whether `a` sets what `b` reads or sets; two that fill one cache find in it what they would have put there. */
function changesFor(a: Behaviour, b: Behaviour): boolean {
  return [...a.memoryWrites].some((it) => {
    const isCache = b.memoryWrites.has(it) && !a.memoryChanges.has(it) && !b.memoryChanges.has(it);
    return !isCache && (isAmong(it, b.memoryReads) || isAmong(it, b.memoryWrites));
  });
}

function overlap(a: ReadonlySet<Location>, b: ReadonlySet<Location>): boolean {
  return [...a].some((it) => isAmong(it, b));
}

function awaitedName(node: Node): string {
  const it = bare(node);
  if (it.type === 'AwaitExpression') return awaitedName(it.argument);
  if (it.type !== 'CallExpression') return '';
  return (calledName(it.callee) ?? '').replace(/^[_$#]+/, '');
}
