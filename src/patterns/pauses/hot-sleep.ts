import type { Place } from '../../analysis/file/place.ts';
import type { LoopPause } from '../../analysis/loops/pauses.ts';
import type { WorkSource } from './work-sources.ts';
import type { Work } from './work.ts';

/** The place of the sleep between two pieces of work: docs/internals/rules.md, "Variants of a hot sleep". */
export type Variant = 'after-work' | 'skip-branch' | 'full-batch' | 'idle-poll';

/** A sleep between two iterations of which at least one has work. */
export interface HotSleep extends LoopPause {
  readonly variant: Variant;
  /** 'items' come from data that is there already, 'jobs' from a source that is asked again and again. */
  readonly of: 'items' | 'jobs';
  readonly source: WorkSource | undefined;
  readonly works: readonly Work[];
  /** Only iterations that do this work sleep: a branch holds both. */
  readonly isBeside: boolean;
  /** The size of the batch, where the code contains it. */
  readonly batch: number | undefined;
  /** The size of the batch by default: a caller or the environment can change it. */
  readonly isBatchByDefault: boolean;
  /** The step that asks other people's services, for the work or about each piece of it: the pause may be for their sake. */
  readonly external: Work | undefined;
  /** Where the loop pauses that this work is given to; else it is here. */
  readonly rest?: Place;
}
