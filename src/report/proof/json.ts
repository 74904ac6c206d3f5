import type { Suite } from '../../proof/suite/result.ts';
import type { Proof } from './html.ts';

/** The version of the format: a field that goes or changes its meaning raises it. */
const formatVersion = 1;

/** Machine-readable results in the order in which they ran; src/proof/result.ts has their fields. */
export function proofJson(proofs: readonly Proof[]): string {
  const results = proofs.map(({ result, finding }) => ({ ...finding, ...result }));
  return `${JSON.stringify({ version: formatVersion, results }, undefined, 2)}\n`;
}

/** The published figures next to this machine's; src/proof/suite/result.ts has the fields. */
export function suiteJson(suite: Suite): string {
  return `${JSON.stringify({ version: formatVersion, ...suite }, undefined, 2)}\n`;
}
