import type { FileFacts } from '../file/file.ts';
import { query } from '../../engine/query.ts';
import { type Flow, incomingOf, type Step } from '../flow/graph.ts';
import { forgetterOf } from './live-facts.ts';
import { keyOfState, type State, type Tour, type Visit } from './state.ts';
import { isBeginning, successorsOf } from './steps.ts';

/** Points that one obligation may take, callees included; a function with more is left alone. */
const MAXIMUM_STATES = 40_000;

/**
 * Follows the obligation along every path that its facts allow. The visits where a path ends are returned: at an exit,
 * or where the same thing is taken again while it is still held. Undefined when there are too many paths.
 */
export function explored(tour: Tour, flow: Flow, start: State): readonly Visit[] | undefined {
  const seen = new Map<Step, Set<string>>();
  const ends: Visit[] = [];
  const queue: Visit[] = [{ step: flow.entry, state: start, before: undefined }];
  const useful = stepsBefore(flow, tour);
  const withoutOld = forgetterOf(tour, flow);
  // Most steps leave the state as it is.
  const keys = new Map<State, string>();
  const keyFor = (state: State) => {
    let key = keys.get(state);
    if (key === undefined) keys.set(state, (key = keyOfState(state)));
    return key;
  };
  for (const visit of queue) {
    const { step, state } = visit;
    if (step.edges.length === 0) {
      ends.push(visit);
      continue;
    }
    // no veto: nothing is taken, and nothing can be any more
    if (state.phase === 'none' && !useful.has(step) && !tour.isBlind) continue;
    if (state.phase === 'held' && isBeginning(tour, step)) ends.push(visit);
    note(tour, step, state);
    for (const { edge, state: next } of successorsOf(tour, step, state)) {
      const after = withoutOld(edge.to, next);
      const key = keyFor(after);
      const states = seen.get(edge.to);
      if (states?.has(key)) continue;
      if (states) states.add(key);
      else seen.set(edge.to, new Set([key]));
      // no veto: too many paths
      if (++tour.budget.states > MAXIMUM_STATES) return undefined;
      queue.push({ step: edge.to, state: after, before: visit });
    }
  }
  return ends;
}

function note({ notes }: Tour, step: Step, { phase, failure, sawError, aliases }: State): void {
  if (failure !== 'none') return;
  // no veto: a callback that has seen an error was given nothing.
  if (sawError) return;
  if (phase === 'held') notes.heldAt.add(step);
  else if (phase === 'gone') {
    // no veto: its names have come to mean something else.
    if (aliases.size > 0) notes.goneAt.add(step);
  } else notes.freeAt.add(step);
}

/** Steps from which the place where the obligation starts can still be reached. */
function stepsBefore(flow: Flow, tour: Tour): ReadonlySet<Step> {
  const incoming = keptIncomingOf(tour.file, flow);
  const found = new Set(flow.steps.filter((it) => isBeginning(tour, it)));
  for (const step of found) for (const it of incoming.get(step) ?? []) found.add(it);
  return found;
}

const keptIncomingOf = query(
  'incoming edges',
  (_: FileFacts, flow: Flow): ReadonlyMap<Step, readonly Step[]> => incomingOf(flow),
  { whileCyclic: new Map(), isCompared: false },
);
