import type { Finding } from '../../rules/define-rule.ts';
import { factsOf } from '../../src/analysis/facts.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { FileProbes } from '../../src/runtime/plan.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { positionsOf } from '../../src/scan/positions.ts';
import { probesOf } from '../../src/scan/probes.ts';

/** `findings`: those of the file, where a test is about them. */
export function probesIn(text: string, path = 'a.js', findings = noFindings): FileProbes {
  const source = sourceOf(text, path);
  if (isFailure(source)) throw new Error(source.message);
  const file = factsOf(source);
  return probesOf(file, positionsOf(text), findings(file));
}

function noFindings(_: FileFacts): readonly Finding[] {
  return [];
}
