import { extname } from 'node:path';
import type { CallScope } from '../../mcp/answer-calls.ts';
import { serveAgent } from '../../mcp/serve.ts';
import { endAtSignals } from '../interruption.ts';
import { packageFile, packageVersion } from '../package.ts';
import type { TrustOption } from '../trust.ts';

/** Serves the agent at the other end of standard input and output, and ends with it. */
export function serveTools({ trustConfig = false }: TrustOption): void {
  endAtSignals();
  // A thread that hangs would keep the process.
  for (const event of ['end', 'close']) process.stdin.once(event, () => process.exit());
  const scope: CallScope = { folder: process.cwd(), trustsConfiguration: trustConfig };
  serveAgent({
    ...scope,
    version: packageVersion(),
    program: [process.execPath, ...process.execArgv, process.argv[1]!],
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
    worker: workerUrl(),
  });
}

/** Its module is the same file in the sources and in the build, where it is next to cli.js. */
function workerUrl(): URL {
  const url = import.meta.url;
  return new URL(`./mcp-worker${extname(new URL(url).pathname)}`, url);
}
