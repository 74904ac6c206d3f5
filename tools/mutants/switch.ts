import { workerData } from 'node:worker_threads';

/** By mutant: 1 where its veto was reached. */
let reached: 1[] = [];
/** What is decided while modules load is decided once: such a mutant has a worker of its own from the start. */
let active = (workerData as { readonly mutant?: number } | undefined)?.mutant;

/** Placed before each veto: whether it is removed. */
export function isOut(mutant: number): boolean {
  return mutant === active;
}

/** Placed around each veto. A condition that does not hold is `false`, as without it: only one that holds is reached. */
export function reachedBy<T>(mutant: number, veto: T): T {
  if (veto) reached[mutant] = 1;
  return veto;
}

/** Takes out the veto of one mutant, and puts back the one before. */
export function takeOut(mutant: number): void {
  active = mutant;
}

/** The mutants whose vetoes were reached since this was called last. */
export function takeReached(): readonly number[] {
  const mutants = Object.keys(reached).map(Number);
  reached = [];
  return mutants;
}
