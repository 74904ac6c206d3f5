import {
  inTurn,
  inTurnElsewhere,
  intendedOrder,
  limitedConcurrency,
  separateQuery,
} from './order.ts';
import { pacing, retrying, simulation, spreading, waiting, waitingFirst } from './pacing.ts';
import {
  guardVerbs,
  heavyWork,
  intendedLoad,
  intendedYield,
  limiting,
  pretended,
  readingVerbs,
} from './work.ts';
import type { WordList } from './word-list.ts';

/** All lists, in the order of the pages. */
export const wordLists: readonly WordList[] = [
  ...[pacing, retrying, spreading, waitingFirst, waiting, simulation, pretended],
  ...[heavyWork, intendedYield, intendedLoad, limiting, guardVerbs, readingVerbs],
  ...[intendedOrder, limitedConcurrency, inTurn, inTurnElsewhere, separateQuery],
];
