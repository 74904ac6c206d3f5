import type { FileFacts } from '../../facts/file.ts';
import { optionInsertion } from '../../facts/option-insertion.ts';
import type { MadePool } from '../../facts/made-pools.ts';
import type { Suggestion } from '../define-rule.ts';

export function timeoutSuggestion(
  file: FileFacts,
  { call, pool }: MadePool,
  timeoutMs: number,
): readonly Suggestion[] {
  const { waitOption, optionsAt = 0 } = pool;
  // Nested options, and those that have no place of their own, are for a person to write.
  if (!waitOption || waitOption.includes('.') || optionsAt === 'last') return [];
  const edit = optionInsertion(file, call, optionsAt, `${waitOption}: ${timeoutMs}`);
  return edit ? [{ messageId: 'setTimeout', edits: [edit], changes: 'errors' }] : [];
}
