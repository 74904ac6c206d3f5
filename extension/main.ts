import { type ExtensionContext, window } from 'vscode';
import { registerCommands } from './commands.ts';
import { registerFindings } from './findings.ts';
import { registerProofs } from './proofs.ts';
import { registerReport } from './report.ts';
import { registerRulePages } from './rule-pages.ts';
import { registerSample } from './sample.ts';
import { createServer } from './server.ts';
import { registerStatus } from './status.ts';
import { registerTexts } from './texts.ts';
import { registerTools } from './tools.ts';

/** VS Code calls it when a file of ours is opened or a command of ours is run. */
export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('Deadtime', { log: true });
  const server = createServer(context, output);
  const findings = registerFindings(server);
  const report = registerReport(server);
  const proofs = registerProofs(server, findings, report);
  context.subscriptions.push(
    output,
    server,
    findings,
    report,
    proofs,
    registerStatus(server, findings),
    registerRulePages(context),
    registerTexts(server),
    registerSample(context, findings, proofs),
    registerTools(server),
    registerCommands(server, findings, proofs, report, output, context),
  );
  await server.start();
}
