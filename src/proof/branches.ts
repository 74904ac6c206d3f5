/** Whether the `i`th iteration takes a branch that `share` of them take: evenly spread, never by chance. */
export function isTaken(i: number, share: number): boolean {
  return turnsUntil(i + 1, share) > turnsUntil(i, share);
}

function turnsUntil(i: number, share: number): number {
  // A share of 0.2 is not quite a fifth in binary.
  return Math.floor(i * share + 1e-9);
}

/** How many iterations form one cycle of the branch: the unit of a sample. */
export function periodOf(share: number): number {
  return share > 0 ? Math.max(1, Math.round(1 / share)) : 1;
}
