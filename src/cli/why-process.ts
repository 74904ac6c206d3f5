// `node why-process.js PATH LINE FOLDER TRUST`: writes the answer about one line as JSON. A process of its own, because in its build
// the analysis reports each condition that ends a candidate.
import { reasonsOf } from '../scan/reasons.ts';
import type { WhyAnswer } from './commands/why.ts';
import { UsageError } from './failure.ts';
import { timeLimit } from './time-limit.ts';
import { diskFor } from './trust.ts';

const [path = '', line = '', cwd = '', trust = ''] = process.argv.slice(2);
const files = await diskFor({ trustConfig: trust === 'trusted' });
try {
  const reasons = await reasonsOf(
    { path, line: Number(line), cwd },
    { files, watch: timeLimit(cwd) },
  );
  process.stdout.write(JSON.stringify({ reasons } satisfies WhyAnswer));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stdout.write(JSON.stringify({ mistake: error.message } satisfies WhyAnswer));
}
