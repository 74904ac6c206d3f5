import type { FileFacts } from '../src/analysis/file/file.ts';
import type { Loop } from '../src/analysis/flow/loops.ts';
import { rowsAsked } from '../src/analysis/values/limited-rows.ts';
import type { Evidence } from './define-rule.ts';
import { numberFrom } from './origins.ts';

/** How many elements a loop has, as the parameter `name` of a proof: proved, or as many as the code asks for. */
export function loopSize(name: string, file: FileFacts, { bound, over }: Loop): Evidence {
  if (bound !== undefined) return numberFrom(name, bound, undefined);
  const asked = over && rowsAsked(file, over);
  return asked?.value === undefined
    ? {}
    : numberFrom(name, asked.value, asked.source === 'default' ? 'fallback' : undefined);
}
