import { connectionCall } from '../../facts/connection-names.ts';
import { isExcluded } from '../../facts/contexts.ts';
import type { FileFacts } from '../../facts/file.ts';
import { type MadePool, madePoolsOf } from '../../facts/made-pools.ts';
import { type Opening, openingsOf } from '../../facts/openings.ts';
import { firstLine } from '../../facts/places.ts';
import { isWaitBounded } from '../../facts/pool-limits.ts';
import { defineRule } from '../define-rule.ts';
import { perCallEvidence, waitEvidence } from './evidence.ts';
import { messages } from './messages.ts';
import { timeoutSuggestion } from './suggestions.ts';

export default defineRule({
  id: 'require-pool-limits',
  description: 'Require pools that are made once and bounded in what they let callers wait for',
  messages,
  suggestions: {
    setTimeout: 'Set how long callers wait for a connection (later they get an error)',
  },
  options: {
    variants: {
      default: ['per-call', 'no-timeout'],
      description:
        'Which places are reported: pools made per item, job or request (`per-call`), pools whose callers wait for ever (`no-timeout`).',
    },
    timeoutMs: {
      default: 5_000,
      description: 'The time-out that is suggested, in milliseconds.',
    },
  },
  trigger: new RegExp(connectionCall, 'i'),

  *check(file, { variants, timeoutMs }) {
    // Nobody waits for a script, and its pools end with it.
    if (isExcluded(file)) return;
    const perCall = openingsOf(file).filter(({ kind }) => kind === 'pool');
    for (const it of variants.includes('per-call') ? perCall : []) yield perCallReport(file, it);
    for (const made of variants.includes('no-timeout') ? madePoolsOf(file) : []) {
      // That there are many of it is said above, and costs more.
      if (perCall.some((it) => it.made.call === made.call)) continue;

      // It ends by itself, by its options, or nobody knows how.
      if (isWaitBounded(made.handle)) continue;

      yield waitReport(file, made, timeoutMs);
    }
  },
});

function perCallReport(file: FileFacts, opening: Opening) {
  const { made, at } = opening;
  return {
    messageId: 'perCall' as const,
    at: firstLine(file, at),
    evidence: perCallEvidence(opening),
    related:
      made.call === at
        ? []
        : [{ path: made.file.path, range: made.call.range, message: 'it is made here' }],
  };
}

function waitReport(file: FileFacts, made: MadePool, timeoutMs: number) {
  return {
    messageId: made.pool.waitOption ? ('waitsForEver' as const) : ('cannotLimit' as const),
    at: firstLine(file, made.call),
    evidence: waitEvidence(made, timeoutMs),
    suggestions: timeoutSuggestion(file, made, timeoutMs),
  };
}
