import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { Flood } from '../../src/patterns/load/floods.ts';
import { limiterIn } from '../../src/patterns/independence/limiters.ts';
import { limitedMapEdit } from '../../src/patterns/independence/limited-map.ts';
import type { Suggestion } from '../define-rule.ts';
import { roomFor } from './evidence.ts';

/** With p-map where the file already imports it; the project chooses any other limiter. */
export function suggestionsFor(file: FileFacts, flood: Flood): readonly Suggestion[] {
  const limiter = limiterIn(file);
  if (limiter?.kind !== 'map') return [];
  const edit = limitedMapEdit(file, flood.fanOut, limiter.name, roomFor(flood));
  return edit ? [{ messageId: 'limited', edits: [edit], changes: 'load' }] : [];
}
