import { serveAgent } from '../../mcp/serve.ts';
import { packageFile, packageVersion } from '../package.ts';
import type { TrustOption } from '../trust.ts';
import { explanationOf } from './explain.ts';

/** Serves the agent at the other end of standard input and output, and ends with it. */
export function serveTools({ trustConfig = false }: TrustOption): void {
  // Clients send it when they are in a hurry: a proof ends with this process, by its exit.
  process.once('SIGTERM', () => process.exit());
  serveAgent({
    version: packageVersion(),
    folder: process.cwd(),
    program: [process.execPath, ...process.execArgv, process.argv[1]!],
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
    trustsConfiguration: trustConfig,
    explain: (name, cwd) => explanationOf(name, cwd, { trustConfig }),
  });
}
