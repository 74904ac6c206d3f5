import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { isWaitOfPage } from '../../src/analysis/contexts/pages.ts';
import { type Importance, importanceOf } from '../../src/analysis/contexts/importance.ts';
import {
  type IndependentRun,
  independentRunsOf,
} from '../../src/patterns/independence/independence.ts';
import { defineRule, type Severity } from '../define-rule.ts';
import { evidenceOf, messageOf, relatedOf } from './evidence.ts';
import { suggestionsFor } from './suggestions.ts';

const found =
  '{{count}} reads run one after another but none uses another’s result: {{calls}} each only read {{what}}. ';
const cost = 'the waits of {{count}} reads, one after another, instead of the longest';

const together = {
  changes: 'errors',
  steps: ['Use one `Promise.all`.'],
} as const;

export default defineRule({
  id: 'no-sequential-independent-awaits',
  description: 'Disallow sequential awaits of reads when none needs another',
  messages: {
    reads: {
      text: `${found}Awaiting them together costs 1 round trip instead of {{count}}.`,
      cost,
      severity: 'information',
      fix: together,
    },
    slowest: {
      text: `${found}Awaiting them together takes as long as the slowest of them, not as long as all in line.`,
      cost,
      severity: 'information',
      fix: together,
    },
    likely: {
      text: `${found}Awaiting them together takes as long as the slowest of them; the only change is which error is seen when more than one fails.`,
      cost,
      severity: 'information',
      fix: together,
    },
    pageAndCount: {
      text: `${found}Awaiting them together costs 1 round trip instead of {{count}}; one statement for both ({{both}}) also keeps page and total from the same moment.`,
      cost,
      severity: 'information',
      fix: {
        changes: 'errors',
        steps: ['Use one `Promise.all`.', 'Or ask for page and total with one statement.'],
      },
    },
  },
  suggestions: {
    together:
      'Await them together with Promise.all (up to {{count}} at once; the first rejection wins)',
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
        'Further verbs at the start of names of functions that are there to stop what follows them.',
    },
    treatAsRead: {
      default: [],
      description:
        'Calls that only read, by their names (`catalog.find`): for functions that nobody can follow.',
    },
    treatAsWrite: {
      default: [],
      description: 'Calls that do more than read, by their names.',
    },
    poolAware: {
      default: true,
      description:
        'Heed the pool: silent where it holds one connection, a hint where the code runs beside itself and the pool is the limit.',
    },
  },
  trigger: /\bawait\b[\s\S]*?\bawait\b/,

  *check(file, { minAwaits, envs, guardVerbs, treatAsRead, treatAsWrite, poolAware }) {
    // Tests, command-line tools and code for a browser keep no server's user waiting.
    if (isExcluded(file)) return;

    const declared = { reads: treatAsRead, writes: treatAsWrite };
    for (const run of independentRunsOf(file, { declared, guardVerbs, isPoolAware: poolAware })) {
      if (run.reads.length < minAwaits) continue;

      const effects = run.reads.flatMap((it) => it.effects);
      // What the project itself calls a read counts whatever it asks.
      if (!effects.every((it) => envs.includes(it.env) || it.env === 'declared')) continue;

      // The first one that waits for nothing.
      const { node } = run.reads[1]!.shape;
      // The page beside a route's own loader: it waits in the browser.
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
  // A stat or two from the page cache is no wait worth a warning, and one is all that is gained beside a longer wait.
  const longer = reads.filter(({ effects }) => effects.some((it) => it.env !== 'fs'));
  const isOnDisk = longer.length === 0 || (longer.length === 1 && reads.length === 2);
  if (isOnDisk || importance === 'once' || importance === 'beside') return 'hint';
  return importance === 'hot' ? 'warning' : 'information';
}
