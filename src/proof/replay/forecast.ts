import type { MachineValues, Values } from '../case.ts';
import { napMs, queryMs } from '../timing.ts';
import type { Program, ProgramStep } from './program.ts';

/** A timer of 0 ms, which Node raises to 1, and a turn of an idle loop (benchmarks of no-yield-per-iteration). */
const TIMER_TURN_MS = 1.1;
const TURN_MS = 0.003;

interface Times {
  readonly query: number;
  readonly service: number;
  readonly disk: number;
  readonly roundTrip: number;
  /** What a sleep of so many milliseconds takes. */
  nap(ms: number): number;
  /** Connections for concurrent work. */
  readonly max: number;
}

/** How long one run of the program takes, on average over its branches, without other load. */
export function forecastMs(program: Program, values: Values, machine: MachineValues): number {
  const networkMs = Number(values['roundTripMs'] ?? 0);
  return sequentialMs(program, {
    query: queryMs(Number(values['queryMs']), machine, networkMs),
    service: queryMs(Number(values['serviceMs'] ?? 0), machine, networkMs),
    disk: queryMs(0, machine, networkMs),
    roundTrip: queryMs(0, machine, networkMs),
    nap: (ms) => napMs(ms, machine),
    max: Number(values['max']),
  });
}

function sequentialMs(program: Program, times: Times): number {
  let ms = 0;
  for (const [i, step] of program.entries()) {
    if (step.op !== 'choose') {
      ms += stepMs(step, times);
      continue;
    }
    // What follows a side that leaves is not part of it.
    const rest = sequentialMs(program.slice(i + 1), times);
    for (const { share, steps, leaves } of step.sides) {
      ms += share * (sequentialMs(steps, times) + (leaves ? 0 : rest));
    }
    return ms;
  }
  return ms;
}

function stepMs(step: Exclude<ProgramStep, { op: 'choose' }>, times: Times): number {
  switch (step.op) {
    case 'io':
      return {
        database: times.query,
        unknown: times.query,
        service: times.service,
        disk: times.disk,
      }[step.to];
    case 'sleep':
      return times.nap(step.ms);
    case 'turn':
      return (step.how === 'timer' ? TIMER_TURN_MS : TURN_MS) / step.every;
    case 'checkout':
      return step.roundTrips * times.roundTrip;
    case 'release':
      return 0;
    case 'together':
      return Math.max(0, ...step.branches.map((it) => sequentialMs(it, times)));
    case 'repeat':
      return (
        Math.ceil(step.count / Math.min(step.limit, times.max)) * sequentialMs(step.body, times)
      );
    case 'call':
      return sequentialMs(step.body, times);
  }
}
