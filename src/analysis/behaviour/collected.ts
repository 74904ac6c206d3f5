import type { Place } from '../file/place.ts';
import type { Effect } from '../effects/effects.ts';
import type { Location } from '../effects/memory.ts';
import type { ParameterCall } from '../effects/parameter-calls.ts';
import type { Reached } from './read-through.ts';

/** The effects of a piece of code, callees included. */
export interface Behaviour {
  /** Waiting calls to the outside, in source order. */
  readonly effects: readonly Effect[];
  /** The first call that could have any effect: an awaited call that is unresolved. */
  readonly unknown: Place | undefined;
  /** The same of what a function that is not async returns: that is waited for only by a caller who waits for the function. */
  readonly unknownResult: Place | undefined;
  /** Functions among its arguments that it calls, and awaits or passes on. */
  readonly parameterCalls: readonly ParameterCall[];
  readonly memoryWrites: ReadonlySet<Location>;
  /** Those of the locations with more changes than a filled cache (cache-fills.ts). */
  readonly memoryChanges: ReadonlySet<Location>;
  readonly memoryReads: ReadonlySet<Location>;
  /** It can fail on its data (`throw` outside a catch, findOrThrow): it may guard the code after it. */
  readonly mayVeto: boolean;
  readonly sleeps: boolean;
}

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

/** As seen by code that waits for the result, too, and has not resolved what callers pass. */
export function waitedFor(behaviour: Behaviour): Behaviour {
  const { unknown, unknownResult, parameterCalls } = behaviour;
  const place = unknownResult ?? parameterCalls[0]?.place;
  const isLazy = behaviour.effects.some((it) => it.isUnsent);
  // To wait for an observable is not to subscribe to it.
  const effects = isLazy ? behaviour.effects.filter((it) => !it.isUnsent) : behaviour.effects;
  return { ...behaviour, effects, unknown: unknown ?? place };
}
