import { isRemoval } from './removals.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collectFrom } from '../../engine/regions.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  isLoop,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { completes, type Condition } from '../../analysis/syntax/conditions.ts';
import { type Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isLogging } from '../../analysis/flow/failures.ts';
import { usesOf } from '../../analysis/provenance/function-uses.ts';
import { isOfFew } from '../../analysis/loops/item-loops.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import { movesOn } from '../../analysis/loops/progress.ts';
import { conditionsIn, type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { isUntilStopped } from '../../analysis/contexts/one-shot.ts';
import { type Outcome, outcomeOf, outcomeOfTest } from '../../analysis/flow/outcomes.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { resultsOf, scopeAround, variantsOf } from '../../analysis/loops/variants.ts';
import { answersOf } from './answers.ts';
import { answeredRests, isMetAfterWork, withLeastTime, withTime } from './answered-rests.ts';
import { isAskedAgain, isOfAnother } from './asking.ts';
import type { HotSleep, Variant } from './hot-sleep.ts';
import { restsForCallers, sleepsAfterGivenSteps, sleepsOfSubclasses } from './given-steps.ts';
import { isStatusWait } from './status-waits.ts';
import { isPassedBy } from './ways-round.ts';
import { isLimitedByOthers, workForOthers } from './other-services.ts';
import { awaitsIn, type Work, workOf } from './work.ts';
import { resultVariable } from './result-variable.ts';
import { sourceOf, type WorkSource } from './work-sources.ts';
import { stepQuantityOf } from '../../analysis/loops/batches.ts';

/** Every sleep of the file that delays work that is there; `sourceNames` are further functions that take work. */
export function hotSleepsOf(file: FileFacts, sourceNames: readonly string[]): readonly HotSleep[] {
  return [
    ...hotSleeps(file, sourceNames),
    ...sleepsAfterGivenSteps(file),
    ...sleepsOfSubclasses(file),
  ];
}

const hotSleeps = collectFrom(
  'hot sleeps',
  loopsOf,
  (file: FileFacts, loop: Loop, sourceNames: readonly string[]) =>
    hotSleepsIn(file, loop, sourceNames),
);

function hotSleepsIn(
  file: FileFacts,
  loop: Loop,
  sourceNames: readonly string[],
): readonly HotSleep[] {
  const pauses = [
    ...pausesOf(file, loop).filter((it) => it.pause.kind === 'sleep'),
    ...answeredRests(file, loop, sourceNames),
  ];
  // veto: the loop only runs a step that callers or subclasses pass, so the report belongs to them
  if (pauses.length > 0 && restsForCallers(file, loop)) return [];
  const hot = pauses
    .flatMap((it) => hotSleepAt(file, it, sourceNames) ?? [])
    // veto: the pause is the longer of two times, and the loop uses the shorter one after work
    .filter((it) => !(it.isChosen && it.variant === 'idle-poll'));
  // The nap of the empty branch is not the cause where the worker also sleeps after work.
  const worst = hot.filter((it) => it.variant !== 'idle-poll');
  return oncePerPlace(worst.length > 0 ? worst : hot);
}

/** The requests of the loop to other systems. */
export function effectsOf(file: FileFacts, { loop: { node, body } }: HotSleep): readonly Effect[] {
  return behaviourOf(file, isLoop(node) ? node : body, scopeAround(file, body)).effects;
}

/** A timer that is set from several places of the round is one sleep. */
function oncePerPlace(sleeps: readonly HotSleep[]): readonly HotSleep[] {
  return sleeps.filter((it, i) => sleeps.findIndex(({ node }) => node === it.node) === i);
}

function hotSleepAt(
  file: FileFacts,
  pause: LoopPause,
  sourceNames: readonly string[],
): HotSleep | undefined {
  const { loop } = pause;
  if (isPeriodic(file, loop) || isOfFew(loop)) return undefined;
  const found = amongItems(file, pause) ?? amongJobs(file, pause, sourceNames);
  if (!found || found.source?.effect) return found;
  // veto: the loop polls the status of a different system until that system is done
  return isStatusWait(file, loop) ? undefined : found;
}

/** What is said about the work, or done after it, and asked of nobody: `job.updateProgress(50)`, `lock.release()`. */
const ASIDE = /^(?:\w*progress|log|(?:release|unlock)\w*)$/i;

/**
 * `await channel.send(item); await sleep(2000)`: a method of an object that nobody knows may ask a service of others for
 * each element, and the pause keeps that one's limit, or leaves people the time to read.
 */
function asksStranger(
  file: FileFacts,
  { loop, conditions }: LoopPause,
  source?: WorkSource,
): boolean {
  const results = source ? resultsOf(file, loop) : [];
  const elements = new Set([...variantsOf(file, loop), ...results]);
  return awaitsIn(loop.body).some((node) => {
    // no veto: where work comes from has been looked at.
    if (node === source?.node) return false;
    const call = bare(node.argument);
    if (call.type !== 'CallExpression') return false;
    const callee = bare(call.callee);
    // What an object of the code's own does is the work itself.
    if (callee.type !== 'MemberExpression' || callee.object.type === 'ThisExpression') return false;
    // veto of an exclusion: the awaited call uses nothing of the element
    if (!mentions(file, call, elements)) return false;
    // veto of an exclusion: the awaited call only logs, reports progress or releases a lock
    if (isLogging(call) || ASIDE.test(propertyName(callee) ?? '')) return false;
    // veto of an exclusion: the awaited method is resolved: the project or a supported library declares it
    if (!/^(?:unknown|declared)$/.test(valueOf(file, callee).kind)) return false;
    // veto of an exclusion: all effects of the awaited call are resolved
    if (!behaviourOf(file, node, scopeAround(file, node)).unknown) return false;
    // veto: an unresolved call with the element runs on the same path as the pause
    return conditionsIn(loop, node).every((it) => isGoverned(conditions, it));
  });
}

/** `for await (const _ of setInterval(1000))`: a schedule. */
function isPeriodic(file: FileFacts, loop: Loop): boolean {
  if (!loop.over) return false;
  const over = valueOf(file, loop.over);
  return over.kind === 'library' && over.type.isPeriodic === true;
}

function amongItems(file: FileFacts, pause: LoopPause): HotSleep | undefined {
  const { loop } = pause;
  // veto: the work of the loop is in a `catch`, so it runs only after a failure
  const works = workOf(file, loop).filter((it) =>
    it.conditions.every(({ kind }) => kind !== 'catch'),
  );
  const results = resultsOf(file, loop);
  if (works.length === 0) return undefined;
  // veto: an endless outer loop calls this function, and only this pause keeps it from spinning
  if (isPaceOfRounds(file, loop)) return undefined;
  // veto: an unresolved method gets the element, and its service can limit the rate of requests
  if (asksStranger(file, pause)) return undefined;
  let variant: Variant = 'after-work';
  for (const condition of pause.conditions) {
    const governed = works.filter((it) => isGoverned(it.conditions, condition));
    const outcome = outcomeOf(file, condition, results);
    if (governed.length > 0) {
      if (isWaitingExit(file, condition, outcome, results)) return undefined;
      continue;
    }
    const role = roleAmongItems(file, { condition, outcome, works, loop });
    if (!role) return undefined;
    if (role === 'skip-branch') variant = role;
  }
  // What runs only where the pause does is what somebody may pause for.
  const beside = works.filter((it) => isBeside(it, pause));
  const paced = beside.length > 0 ? beside : works;
  // veto: the loop only removes rows, and the pause leaves the database time for other queries
  if (!loop.over && paced.every(isRemoval)) return undefined;
  const isOnlyExternal = paced.every((it) => it.kind === 'external');
  const isLimited = (it: Work) => isPage(file, it, pause) || isLimitedByOthers(it);
  const external =
    paced.find(isLimited) ?? (isOnlyExternal ? paced[0] : undefined) ?? works.find(isLimited);
  const step = stepQuantityOf(file, loop);
  return {
    ...pause,
    variant,
    of: 'items',
    source: undefined,
    works: paced,
    isBeside: beside.length > 0,
    batch: step?.value,
    isBatchByDefault: step?.source === 'default',
    external,
  };
}

/** The loop's function is run until somebody stops it, by a loop that itself pauses after failures only: without this pause, that one would spin. */
function isPaceOfRounds(file: FileFacts, { node }: Loop): boolean {
  const fn = functionAround(node);
  const uses = fn ? usesOf(file, fn) : [];
  return (
    uses.length > 0 &&
    uses.every((it) => {
      const rounds = loopAround(file, it);
      if (!rounds || !isUntilStopped(file, rounds.node)) return false;
      const pauses = pausesOf(file, rounds);
      return (
        pauses.length > 0 &&
        pauses.every(({ conditions }) => conditions.some(({ kind }) => kind === 'catch'))
      );
    })
  );
}

/** `if (isStale(item)) { await api.refresh(item); await sleep(1000); }`: a branch that holds both. */
function isBeside({ conditions }: Work, pause: LoopPause): boolean {
  const branches = pause.conditions.filter((it) => it.kind === 'branch');
  return branches.length > 0 && branches.every((it) => isGoverned(conditions, it));
}

/** `const page = await api.list(cursor); if (page.length === 0) break;`: others hand the work out. */
function isPage(file: FileFacts, { kind, node }: Work, { conditions }: LoopPause): boolean {
  const result = kind === 'external' ? resultVariable(file, node) : undefined;
  // no veto: what has no name is tested nowhere.
  if (!result) return false;
  return conditions.some(({ test }) => test && mentions(file, test, new Set([result])));
}

/** `if (result) return result; await sleep(100)`: the loop tries until something is there. */
function isWaitingExit(
  file: FileFacts,
  condition: Condition,
  outcome: Outcome,
  results: ReadonlySet<Variable>,
): boolean {
  if (!condition.test) return false;
  if (!condition.leaves.some((it) => it === 'return' || it === 'break')) return false;
  if (!mentions(file, condition.test, results)) return false;
  return outcome !== 'found' && outcome !== 'full';
}

interface ItemCondition {
  readonly condition: Condition;
  readonly outcome: Outcome;
  readonly works: readonly Work[];
  readonly loop: Loop;
}

/** What a condition that the work does not share makes of the sleep. */
function roleAmongItems(
  file: FileFacts,
  { condition, outcome, works, loop }: ItemCondition,
): Variant | undefined {
  // veto: the loop handles the same element again after the pause
  if (condition.kind === 'branch' && !movesOn(file, loop, condition)) return undefined;
  const isSkip = condition.kind === 'branch' && isLeavingBranch(condition);
  if ((outcome === 'found' || outcome === 'full') && !isSkip) return 'after-work';
  if (condition.kind === 'exit') {
    const isLeaving = !condition.leaves.includes('continue');
    if (!isLeaving) return undefined;
    const results = resultsOf(file, loop);
    // A guard that ends the loop for another reason (`if (stopped) return`) says nothing about the work.
    return condition.test && mentions(file, condition.test, results) ? undefined : 'after-work';
  }
  if (condition.node.type !== 'IfStatement') return undefined;
  if (outcome !== 'empty' && outcome !== 'other' && outcome !== 'found') return undefined;
  const { test, consequent, alternate } = condition.node;
  const other = condition.holds ? alternate : consequent;
  const after = works.filter((it) => startsAt(it.node) > endsAt(condition.node));
  const beside = works.filter((it) => other && contains(other, it.node));
  const before = works.filter((it) => endsAt(it.node) < startsAt(condition.node));
  if ((isSkip ? after.length : 0) + beside.length === 0) return undefined;
  if (before.some((it) => it.kind !== 'io')) return undefined;
  return mentions(file, test, variantsOf(file, loop)) && !holdsCall(file, test, loop)
    ? 'skip-branch'
    : undefined;
}

/** The branch that the sleep stands in leaves the iteration: `{ await sleep(100); continue; }`. */
function isLeavingBranch({ node, holds }: Condition): boolean {
  if (node.type !== 'IfStatement') return false;
  const own = holds ? node.consequent : node.alternate;
  return own !== null && !completes(own);
}

/** A test that asks something else than the item: `if (await isBusy())`, `if (!this.canAccept())`. */
function holdsCall(file: FileFacts, test: Node, loop: Loop): boolean {
  return file.nodes
    .all('CallExpression', 'AwaitExpression')
    .some((it) => contains(test, it) && !mentions(file, it, variantsOf(file, loop)));
}

function isGoverned(conditions: readonly Condition[], condition: Condition): boolean {
  return conditions.some((it) => it.node === condition.node && it.holds === condition.holds);
}

function amongJobs(
  file: FileFacts,
  pause: LoopPause,
  sourceNames: readonly string[],
): HotSleep | undefined {
  const { loop } = pause;
  const source = sourceOf(file, loop, sourceNames);
  if (!source) return undefined;
  // veto: an iteration fetches work until none is left, and only then pauses
  if (isAskedAgain(file, loop, source)) return undefined;
  // veto: an unresolved method gets the job, and its service can limit the rate of requests
  if (asksStranger(file, pause, source)) return undefined;
  const results = resultsOf(file, loop);
  const shared = conditionsIn(loop, source.node);
  const answers = answersOf(file, source.node);
  const outcomes = new Set<Outcome>();
  const asked = outcomeOfLoopTest(file, loop, source, results);
  if (asked === 'empty' || asked === 'error') {
    // What answers nothing that anybody keeps is tried until it is done.
    // no veto: what ends the loop mostly shows it, too.
    if (!source.result) return undefined;
    outcomes.add(asked);
  }
  for (const condition of pause.conditions) {
    const outcome = isMetAfterWork(answers, condition)
      ? 'found'
      : outcomeOf(file, condition, results);
    if (isGoverned(shared, condition)) continue;
    // veto: the pause depends on a test before the work is fetched, which is not about the work
    if (outcome === 'empty' && isOfAnother(file, condition, source)) return undefined;
    // To return what was taken is to hand it on; to return what was merely there is to have waited for it.
    if (isWaitingExit(file, condition, outcome, results) && !source.isProved) return undefined;
    if (condition.kind === 'exit' && outcome === 'other') {
      if (condition.leaves.includes('continue')) return undefined;
      continue;
    }
    // What ends the loop says nothing about the work.
    if (outcome === 'other' && isGoingOn(file, pause, condition)) continue;
    outcomes.add(outcome);
  }
  const variant = variantAmongJobs(outcomes, source);
  // veto: not every path from the work to the next iteration passes this pause
  if (!variant || (variant !== 'idle-poll' && isPassedBy(pause, source.node))) return undefined;
  const external = variant === 'idle-poll' ? undefined : workForOthers(file, loop, source.node);
  const rest = variant === 'idle-poll' ? pause.pause : withTime(answers, pause.pause);
  return {
    ...pause,
    // no veto: what asks others may spread its requests by chance.
    pause: source.effect && !external ? withLeastTime(rest) : rest,
    variant,
    of: 'jobs',
    source,
    works: [],
    isBeside: false,
    batch: source.batch,
    isBatchByDefault: false,
    external,
  };
}

/**
 * `if (isRunning) setTimeout(run, 100)`, `while (isRunning) { …; if (isRunning) await sleep(100); }`: no round follows otherwise,
 * but after a failure.
 */
function isGoingOn(file: FileFacts, { loop, node }: LoopPause, condition: Condition): boolean {
  const { rounds } = loop;
  const test = loop.node.type === 'WhileStatement' ? loop.node.test : undefined;
  if (test && condition.test && condition.holds) {
    return file.textOf(test) === file.textOf(condition.test);
  }
  return (
    rounds.some((it) => it.timer === node) &&
    rounds.every((it) => {
      const conditions = conditionsIn(loop, it.timer ?? it.node);
      return conditions.some(({ kind }) => kind === 'catch') || isGoverned(conditions, condition);
    })
  );
}

/** `while (!(job = await take())) await sleep(100)`: what the loop's own test says of the work, as long as the loop runs. */
function outcomeOfLoopTest(
  file: FileFacts,
  { node }: Loop,
  source: WorkSource,
  results: ReadonlySet<Variable>,
): Outcome | undefined {
  const test = 'test' in node ? node.test : undefined;
  return test && contains(test, source.node)
    ? outcomeOfTest(file, test as TSESTree.Expression, true, results)
    : undefined;
}

/** `brpop(key, 5)`, and `xread('BLOCK', 5_000, …)`: a stream is only asked without the word. */
function waitsForWork({ op, method, at: { file, node } }: Effect): boolean {
  return op === 'sync' && (!/^xread/i.test(method) || /\bblock\b/i.test(file.textOf(node)));
}

function variantAmongJobs(outcomes: ReadonlySet<Outcome>, source: WorkSource): Variant | undefined {
  const isOnly = (...allowed: Outcome[]) => [...outcomes].every((it) => allowed.includes(it));
  if (isOnly('found', 'full')) {
    return source.batch !== undefined && source.isBatch ? 'full-batch' : 'after-work';
  }
  // veto: the source is a table, which cannot wake its worker, and the pause only follows an empty result
  // veto: the source itself waits for work (`BRPOP`, `BLOCK`), so the loop pauses only after a failure
  if (source.effect && waitsForWork(source.effect)) return undefined;
  return isOnly('empty') && !source.isTable ? 'idle-poll' : undefined;
}
