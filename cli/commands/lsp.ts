import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from '../../server/serve.ts';
import { endAtSignals } from '../interruption.ts';
import { packageFile, packageFileUrl, packageVersion } from '../package.ts';
import { userCacheFolder } from '../../system/own-files.ts';

/** Serves the editor at the other end of standard input and output, and ends with it. */
export function serveEditor(): void {
  endAtSignals();
  serve(createConnection(ProposedFeatures.all), {
    version: packageVersion(),
    program: [...process.execArgv.filter((it) => !it.startsWith('--inspect')), process.argv[1]!],
    storagePath: join(userCacheFolder(), 'proofs'),
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
    pageUrlOf: (ruleId) => packageFileUrl(`rules/${ruleId}/README.md`),
  });
}
