import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { madePoolsOf } from '../../src/patterns/pools/made-pools.ts';
import { openingsOf } from '../../src/patterns/pools/openings.ts';
import { defineRule } from '../define-rule.ts';
import { CONNECTION } from '../trigger.ts';
import { messages } from './messages.ts';
import { perCallReport, reportsOf } from './reports.ts';

export default defineRule({
  id: 'require-pool-limits',
  description: 'Require pools that are made once and whose size, waits and errors are bounded',
  messages,
  suggestions: {
    setTimeout: 'Set how long callers wait for a connection (later they get an error)',
    listen: 'Log what the pool reports of connections without work (the process goes on)',
  },
  options: {
    variants: {
      default: ['per-call', ...Object.keys(reportsOf)],
      description:
        'Which places are reported: pools made per item, job or request (`per-call`), whose callers wait for ever (`no-timeout`), of a size that nobody chose in several processes (`unsized`), ' +
        'larger than the server (`over-limit`), that close connections between polls (`idle-churn`), that ask the server at each checkout (`validate-on-borrow`), to whose errors nobody listens (`no-error-listener`).',
    },
    timeoutMs: {
      default: 5_000,
      description: 'The time-out that is suggested, in milliseconds.',
    },
    serverMaxConnections: {
      default: 0,
      description:
        'How many connections the server takes; 0: as `max_connections` in a compose file or postgresql.conf says, else 100 (PostgreSQL) or 151 (MySQL).',
    },
  },
  trigger: CONNECTION,

  *check(file, { variants, ...options }) {
    // Nobody waits for a script, and its pools end with it.
    if (isExcluded(file)) return;
    const perCall = openingsOf(file).filter(({ kind }) => kind === 'pool');
    const repeated = new Set(perCall.map((it) => it.made.call));
    for (const it of variants.includes('per-call') ? perCall : []) yield perCallReport(file, it);
    for (const made of madePoolsOf(file)) {
      // That there are many of it is said above, and costs more than how each is set up.
      if (repeated.has(made.call)) continue;

      for (const [variant, reportOf] of Object.entries(reportsOf)) {
        // The user has left it out.
        if (!variants.includes(variant)) continue;

        const report = reportOf(file, made, options);
        if (report) yield report;
      }
    }
  },
});
