import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from '../../server/serve.ts';
import { packageFile, packageVersion } from '../package.ts';

/** Serves the editor at the other end of standard input and output, and ends with it. */
export function serveEditor(): void {
  serve(createConnection(ProposedFeatures.all), {
    version: packageVersion(),
    pageOf: (ruleId) => packageFile(`rules/${ruleId}/README.md`),
  });
}
