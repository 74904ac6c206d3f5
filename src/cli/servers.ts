// The commands that a program starts, not a person: they answer on standard output until their input ends.
import { type Command, Option } from 'commander';
import { lspExamples, mcpExamples } from './examples.ts';
import { trustOption } from './shared-options.ts';
import type { TrustOption } from './trust.ts';

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('server for a coding agent: Model Context Protocol on standard input and output')
    .addOption(trustOption())
    .addHelpText('after', mcpExamples)
    .action(async ({ trustConfig = false }: TrustOption) => {
      const { serveTools } = await import('./commands/mcp.ts');
      serveTools({ trustConfig });
    });
}

export function addLsp(program: Command): void {
  program
    .command('lsp')
    .description('server for an editor: the language server')
    .requiredOption('--stdio', 'communicate over standard input and output')
    // Clients add it; the connection reads it and ends with that process.
    .addOption(new Option('--clientProcessId <pid>').hideHelp())
    .addHelpText('after', lspExamples)
    .action(async () => {
      const { serveEditor } = await import('./commands/lsp.ts');
      serveEditor();
    });
}
