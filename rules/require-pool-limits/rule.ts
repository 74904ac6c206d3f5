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
    setTimeout: 'Set how long callers wait for a connection (then they get an error)',
    listen: 'Log errors of idle connections (the process continues)',
  },
  options: {
    variants: {
      default: ['per-call', ...Object.keys(reportsOf)],
      description:
        'Which pools are reported: created per item, job or request (`per-call`), without a limit on the wait (`no-timeout`), of default size in several processes (`unsized`), ' +
        'larger than the server allows (`over-limit`), closing connections between polls (`idle-churn`), validating at each checkout (`validate-on-borrow`), without an error listener (`no-error-listener`).',
    },
    timeoutMs: {
      default: 5_000,
      description: 'The suggested time-out (milliseconds).',
    },
    serverMaxConnections: {
      default: 0,
      description:
        'How many connections the server accepts; 0: `max_connections` from a compose file or postgresql.conf, else 100 (PostgreSQL) or 151 (MySQL).',
    },
  },
  trigger: CONNECTION,

  *check(file, { variants, ...options }) {
    // No user waits for a script, and its pools end with it.
    if (isExcluded(file)) return;
    const perCall = openingsOf(file).filter(({ kind }) => kind === 'pool');
    const repeated = new Set(perCall.map((it) => it.made.call));
    for (const it of variants.includes('per-call') ? perCall : []) yield perCallReport(file, it);
    for (const made of madePoolsOf(file)) {
      // The report above covers the number of pools, which costs more than the options of each.
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
