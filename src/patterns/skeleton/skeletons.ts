import { bodyOf } from '../../engine/tracked-tree.ts';
import { functionAround, isLoop, type Node } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { hotSleepsOf } from '../pauses/hot-sleeps.ts';
import { independentRunsOf } from '../independence/independence.ts';
import type { IndependenceTerms } from '../independence/terms.ts';
import { independentIterationsOf } from '../independence/iterations.ts';
import { loopedCheckoutsOf } from '../pools/looped-checkouts.ts';
import { pausesOf } from '../../analysis/loops/pauses.ts';
import { type Loop, loopAround, loopsOf, repeatedParts } from '../../analysis/flow/loops.ts';
import { lineOf } from '../../analysis/ownership/witness.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { holdsFlagged, type Skeleton, type Unreadable } from './shape.ts';
import { skeletonStepsOf } from './skeleton.ts';

/** What a finding is about: sleeps and turns between iterations, reads in a row, a loop of awaits, checkouts in a loop. */
export type SkeletonSubject = 'sleep' | 'turn' | 'reads' | 'loop' | 'checkout';

/** The waits of the code around the finding that begins at `offset`. */
export function skeletonAt(
  file: FileFacts,
  subject: SkeletonSubject,
  offset: number,
): Skeleton | Unreadable {
  const place = places[subject](file, offset);
  if (!place) return { unreadable: 'the waits of its kind are not part of it' };
  const { roots, unit } = unitOf(file, place);
  const steps = skeletonStepsOf(file, roots, new Set(place.flagged));
  if ('unreadable' in steps) return steps;
  if (!holdsFlagged(steps)) return { unreadable: 'what it waits for could not be followed' };
  return { unit, steps };
}

/** Whether a run deserves a report was the rule's question; here it is only looked up. */
const EVERY_RUN: IndependenceTerms = {
  declared: { reads: [], writes: [] },
  guardVerbs: [],
  isPoolAware: false,
};

interface SubjectPlace {
  readonly flagged: readonly Node[];
  /** One iteration of this loop is the unit; without one it is a call of the function around. */
  readonly loop: Loop | undefined;
}

const places: Readonly<
  Record<SkeletonSubject, (file: FileFacts, offset: number) => SubjectPlace | undefined>
> = {
  sleep(file, offset) {
    const sleep = hotSleepsOf(file, []).find(({ node }) => startsAt(node) === offset);
    return sleep && { flagged: [sleep.node], loop: sleep.loop };
  },
  turn(file, offset) {
    const turn = loopsOf(file)
      .flatMap((it) => pausesOf(file, it))
      .find(({ node }) => startsAt(node) === offset);
    return turn && { flagged: [turn.node], loop: turn.loop };
  },
  reads(file, offset) {
    const run = independentRunsOf(file, EVERY_RUN).find(({ reads }) =>
      reads.some(({ shape }) => startsAt(shape.node) === offset),
    );
    const flagged = run?.reads.map((it) => it.shape.node);
    return flagged?.[0] && { flagged, loop: loopAround(file, flagged[0]) };
  },
  loop(file, offset) {
    const loop = loopsOf(file).find((it) => {
      const iterations = independentIterationsOf(file, it);
      return iterations && startsAt(iterations.first) === offset;
    });
    return loop && { flagged: [loop.node], loop: loop.outer };
  },
  checkout(file, offset) {
    const looped = loopedCheckoutsOf(file).find((it) => startsAt(it.at) === offset);
    const flagged = looped?.trips.map((it) => it.checkout?.call ?? it.query);
    return looped && flagged && { flagged, loop: looped.loop };
  },
};

function unitOf(
  file: FileFacts,
  { flagged, loop }: SubjectPlace,
): { readonly roots: readonly Node[]; readonly unit: string } {
  if (loop) {
    const what = isLoop(loop.node) ? 'iteration of the loop' : 'run of the function';
    const unit = `one ${what} at line ${lineOf(file, loop.body)}`;
    return { roots: isLoop(loop.node) ? repeatedParts(loop.node) : [loop.body], unit };
  }
  const fn = functionAround(flagged[0]!);
  if (!fn || !bodyOf(fn)) return { roots: bodyOf(file.ast), unit: 'the module' };
  const name = nameOfFunction(fn);
  const unit = name
    ? `one call of ${name}()`
    : `one call of the function at line ${lineOf(file, fn)}`;
  return { roots: [bodyOf(fn)], unit };
}
