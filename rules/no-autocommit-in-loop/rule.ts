import { isPacedByComment } from '../../src/analysis/contexts/comments.ts';
import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { independentIterationsOf } from '../../src/patterns/independence/iterations.ts';
import { loopedWritesOf } from '../../src/patterns/writes/looped-writes.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { writesRelated } from '../../src/patterns/writes/row-writes.ts';
import { syncWritesOf } from '../../src/patterns/writes/sync-writes.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, messageOf, placesOf, severityOf, syncEvidence } from './evidence.ts';
import { AWAIT, GIVEN, THEN } from '../trigger.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

/** Sends a statement or a message without an await. */
const SENDS =
  /\b(?:Promise|yield)\b|\.(?:batch|exec|execute|query|run)\b|sqlite|\.(?:publish|send)/i;

export default defineRule({
  id: 'no-autocommit-in-loop',
  description: 'Disallow sending and committing the rows of a loop one at a time',
  messages,
  suggestions: { transaction: 'Run the loop in one transaction (all rows or none)' },
  options: {
    kinds: {
      default: ['insert', 'update', 'delete', 'enqueue', 'redis', 'sqliteSync'],
      description:
        'Which writes are reported: rows by operation, jobs and messages (`enqueue`), Redis commands, ' +
        'synchronous SQLite statements.',
    },
    allowTryCatchPerRow: {
      default: false,
      description: 'Accept a `catch` in the loop that keeps the other rows: no hint about it.',
    },
  },
  trigger: {
    all: [
      {
        any: [
          /\b(?:for|while|forEach|reduce|each\w*)\s*(?:await\s*)?(?:[(<!]|\?\.|\/[/*])/i,
          GIVEN,
        ],
      },
      { any: [AWAIT, THEN, SENDS] },
    ],
  },

  *check(file, { kinds, allowTryCatchPerRow }) {
    // Tests, scripts and tools keep no user waiting.
    if (isExcluded(file)) return;

    for (const looped of loopedWritesOf(file)) {
      const [first] = looped.writes;
      if (!kinds.includes(first.kind)) continue;

      // No one statement writes rows with those of other tables, and they share a commit already.
      if (looped.commit === 'scope' && writesRelated(first.effect)) continue;

      // The author wrote down that one by one is meant.
      if (isPacedByComment(file, looped.loop, { honourOtherLinters: false })) continue;

      // One row that fails is to leave the others as they are: a few at a time, each stays on its own.
      if (looped.isIsolated && allowTryCatchPerRow) continue;
      if (looped.isIsolated && independentIterationsOf(file, looped.loop)?.isInTurn === false)
        continue;

      yield {
        messageId: messageOf(file, looped),
        at: firstLine(file, first.place),
        evidence: evidenceOf(file, looped),
        ...severityOf(file, looped),
        related: placesOf(file, looped),
      };
    }

    for (const looped of kinds.includes('sqliteSync') ? syncWritesOf(file) : []) {
      yield {
        messageId: 'sqlite',
        at: firstLine(file, looped.place),
        evidence: syncEvidence(file, looped),
        ...(looped.isRelaxed ? { severity: 'information' } : {}),
        related: [{ path: file.path, range: looped.loop.head, message: 'the loop' }],
        suggestions: suggestionsFor(file, looped),
      };
    }
  },
});
