import { workerData } from 'node:worker_threads';

/** By mutant: 1 where its veto was asked. */
let reached: 1[] = [];
/** What is decided while modules load is decided once: such a mutant has a worker of its own from the start. */
let active = (workerData as { readonly mutant?: number } | undefined)?.mutant;

/** Stands in place of each veto: whether it is taken out. */
export function isOut(mutant: number): boolean {
  reached[mutant] = 1;
  return mutant === active;
}

/** Takes out the veto of one mutant, and puts back the one before. */
export function takeOut(mutant: number): void {
  active = mutant;
}

/** The mutants whose vetoes were asked since this was called last. */
export function takeReached(): readonly number[] {
  const mutants = Object.keys(reached).map(Number);
  reached = [];
  return mutants;
}
