import { join } from 'node:path';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { visible } from '../../report/visible.ts';
import { clientMessages } from '../../../server/client-messages.ts';
import { serve } from '../../../server/serve.ts';
import { endAtSignals } from '../interruption.ts';
import { packageFile, packageFileUrl, packageVersion } from '../package.ts';
import { userCacheFolder } from '../../system/own-files.ts';

/** Serves the editor at the other end of standard input and output, and ends with it. */
export function serveEditor(): void {
  endAtSignals();
  const writer = new StreamMessageWriter(process.stdout);
  const reader = clientMessages(process.stdin, {
    writer,
    onBroken(reason) {
      process.stderr.write(`deadtime lsp: ${visible(reason)}. The server ends.\n`);
      process.exit(1);
    },
    onEnd: ({ isShutDown }) => process.exit(isShutDown ? 0 : 1),
  });
  serve(createConnection(ProposedFeatures.all, reader, writer), {
    version: packageVersion(),
    program: [...process.execArgv.filter((it) => !it.startsWith('--inspect')), process.argv[1]!],
    storagePath: join(userCacheFolder(), 'proofs'),
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
    pageUrlOf: (ruleId) => packageFileUrl(`rules/${ruleId}/README.md`),
  });
}
