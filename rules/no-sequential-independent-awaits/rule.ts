import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { isWaitOfPage } from '../../src/analysis/contexts/pages.ts';
import { type Importance, importanceOf } from '../../src/analysis/contexts/importance.ts';
import {
  type IndependentRun,
  independentRunsOf,
  presumedRunsOf,
} from '../../src/patterns/independence/independence.ts';
import { defineRule, type Severity } from '../define-rule.ts';
import { evidenceOf, messageOf, relatedOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-sequential-independent-awaits',
  description: 'Disallow sequential awaits of reads when none needs another',
  messages,
  suggestions: {
    together:
      'Await them together with Promise.all (up to {{count}} concurrently; the first rejection wins)',
  },
  options: {
    minAwaits: { default: 2, description: 'How many independent reads in a row are reported.' },
    envs: {
      default: ['db', 'http', 'redis', 'fs'],
      description: 'Which kinds of reads count: db, http, redis, fs.',
    },
    guardVerbs: {
      default: [],
      description:
        'Further verbs at the start of names of functions that guard the code after them.',
    },
    treatAsRead: {
      default: [],
      description:
        'Calls that only read, by name (`catalog.find`), for functions that Deadtime cannot follow.',
    },
    treatAsWrite: {
      default: [],
      description: 'Calls that do more than read, by name.',
    },
    poolAware: {
      default: true,
      description:
        'Respect the pool: no report where it holds one connection, a hint where the code runs concurrently and the pool is the limit.',
    },
  },
  trigger: /\bawait\b[\s\S]*?\bawait\b/,
  replays: 'reads',

  *check(file, { minAwaits, envs, guardVerbs, treatAsRead, treatAsWrite, poolAware }) {
    // Tests, command-line tools and code for a browser keep no server's user waiting.
    if (isExcluded(file)) return;

    const declared = { reads: treatAsRead, writes: treatAsWrite };
    const terms = { declared, guardVerbs, isPoolAware: poolAware };
    const runs = independentRunsOf(file, terms);
    const reported = new Set(runs.flatMap(({ reads }) => reads.map(({ shape }) => shape.node)));
    const presumed = presumedRunsOf(file, terms).filter(({ reads }) =>
      reads.every(({ shape }) => !reported.has(shape.node)),
    );
    for (const run of [...runs, ...presumed]) {
      if (run.reads.length < minAwaits) continue;

      const effects = run.reads.flatMap((it) => it.effects);
      // A call that the project declares as a read counts for any environment.
      if (!effects.every((it) => envs.includes(it.env) || it.env === 'declared')) continue;

      // The first one that waits for nothing.
      const { node } = run.reads[1]!.shape;
      // The page next to a route's own loader: it waits in the browser.
      if (isWaitOfPage(file, node, effects)) continue;

      const importance = importanceOf(file, node);
      const messageId = messageOf(file, run);
      yield {
        messageId,
        at: node,
        evidence: evidenceOf(file, run, messageId),
        severity: severityOf(importance === 'beside' && !poolAware ? 'hot' : importance, run),
        related: relatedOf(file, run),
        suggestions: suggestionsFor(file, run),
      };
    }
  },
});

function severityOf(importance: Importance, { reads }: IndependentRun): Severity {
  // A stat or two from the page cache are no wait worth a warning, and next to a longer wait the fix saves only one of them.
  const longer = reads.filter(({ effects }) => effects.some((it) => it.env !== 'fs'));
  const isOnDisk = longer.length === 0 || (longer.length === 1 && reads.length === 2);
  if (isOnDisk || importance === 'once' || importance === 'beside') return 'hint';
  return importance === 'hot' ? 'warning' : 'information';
}
