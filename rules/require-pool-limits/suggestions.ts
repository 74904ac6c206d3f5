import type { FileFacts } from '../../src/analysis/file/file.ts';
import { optionInsertion } from '../../src/patterns/pools/option-insertion.ts';
import { isWaitLeftToEnvironment } from '../../src/analysis/values/pool-limits.ts';
import type { MadePool } from '../../src/patterns/pools/made-pools.ts';
import { endsAt, indentAt, startsAt } from '../../src/analysis/syntax/places.ts';
import type { Suggestion } from '../define-rule.ts';

export function timeoutSuggestion(
  file: FileFacts,
  { call, handle, pool }: MadePool,
  timeoutMs: number,
): readonly Suggestion[] {
  const { waitOption, optionsAt = 0 } = pool;
  // Nested options, and those that have no place of their own, are for a person to write.
  if (!waitOption || waitOption.includes('.') || optionsAt === 'last') return [];
  // The setting has a place of its own.
  if (isWaitLeftToEnvironment(handle)) return [];
  const edit = optionInsertion(file, call, optionsAt, `${waitOption}: ${timeoutMs}`);
  return edit ? [{ messageId: 'setTimeout', edits: [edit], changes: 'errors' }] : [];
}

const LISTS = /^(?:Program|BlockStatement|StaticBlock|TSModuleBlock|ExportNamedDeclaration)$/;

/** `pool.on('error', …)` below the statement that makes the pool. */
export function listenerSuggestion(file: FileFacts, { call }: MadePool): readonly Suggestion[] {
  const declarator = call.parent;
  if (declarator.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') return [];
  const declaration = declarator.parent;
  // The other variables of the declaration would come before it.
  if (declaration.declarations.length > 1) return [];
  // In the head of a loop, or alone below an `if`, a second statement has no place.
  if (!LISTS.test(declaration.parent.type)) return [];
  const { name } = declarator.id;
  const indent = indentAt(file, startsAt(declaration));
  const text = `\n${indent}${name}.on('error', (error) => console.error(error));`;
  const end = endsAt(declaration);
  return [{ messageId: 'listen', edits: [{ range: [end, end], text }], changes: 'errors' }];
}
