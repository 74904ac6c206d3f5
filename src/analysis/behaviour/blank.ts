import type { Place } from '../file/place.ts';
import type { Effect } from '../effects/effects.ts';
import type { Location } from '../effects/memory.ts';
import type { ParameterCall } from '../effects/parameter-calls.ts';
import type { Reached } from './read-through.ts';

/** A behaviour while it is being collected. */
export interface Collected {
  readonly effects: Effect[];
  readonly reached: Reached[];
  unknown: Place | undefined;
  unknownResult: Place | undefined;
  readonly parameterCalls: ParameterCall[];
  readonly memoryWrites: Set<Location>;
  readonly memoryChanges: Set<Location>;
  readonly memoryReads: Set<Location>;
  mayVeto: boolean;
  sleeps: boolean;
}

export function nothingYet(): Collected {
  return {
    effects: [],
    reached: [],
    unknown: undefined,
    unknownResult: undefined,
    parameterCalls: [],
    memoryWrites: new Set(),
    memoryChanges: new Set(),
    memoryReads: new Set(),
    mayVeto: false,
    sleeps: false,
  };
}
