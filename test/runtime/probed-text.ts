import { factsOf } from '../../src/analysis/facts.ts';
import type { FileProbes } from '../../src/runtime/plan.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { positionsOf } from '../../src/scan/positions.ts';
import { probesOf } from '../../src/scan/probes.ts';

export function probesIn(text: string, path = 'a.js'): FileProbes {
  const source = sourceOf(text, path);
  if (isFailure(source)) throw new Error(source.message);
  return probesOf(factsOf(source), positionsOf(text), []);
}
