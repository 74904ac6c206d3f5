import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { rules } from '../../rules/index.ts';
import type { ToolAnswer } from './answer.ts';
import type { CallScope } from './answer-calls.ts';
import { prover } from './prove-finding.ts';
import { toolThreads } from './tool-threads.ts';
import { resolver } from './resolve-unknowns.ts';
import { workspaceAt } from './workspace.ts';

/** The options of the program that starts the server. */
export interface Environment extends CallScope {
  readonly version: string;
  /** Starts the command line: `[node, '/…/dist/cli.js']`. */
  readonly program: readonly string[];
  /** A rule's page, in Markdown. */
  pageOf(ruleId: string): string | undefined;
  /** The program of a thread that answers calls. */
  readonly worker: URL;
}

/** Serves a coding agent over standard input and output, and ends with it. */
export function serveAgent(environment: Environment): void {
  serveStdio(() => serverFor(environment));
}

/** Every word of a schema is read by a model in each of its sessions: the list has a limit, which a test holds. */
function serverFor(environment: Environment): McpServer {
  const { version, folder, program, pageOf, trustsConfiguration, worker } = environment;
  const server = new McpServer({ name: 'deadtime', version });
  const workspace = workspaceAt(folder);
  const prove = prover(workspace, { program, trustsConfiguration });
  const session = randomUUID();
  const resolve = resolver(workspace, { program, trustsConfiguration, session });
  const data: CallScope = { folder, trustsConfiguration };
  const call = toolThreads({ program: worker, data, cwd: workspace.cwd });

  server.registerTool(
    'check_code',
    {
      description:
        'Find dead time in Node.js code: sleeps in hot loops, sequential awaits, leaked or per-query connections.',
      inputSchema: z.object({
        paths: z.array(z.string()).optional().describe('Files or folders; default all'),
        diff: z.string().optional().describe('Unified diff: only its findings'),
        code: z.string().optional().describe('Text to check instead of the file'),
        max: z.int().min(1).max(200).default(20),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (input, { mcpReq: { signal } }) =>
      resultOf(await call({ tool: 'check_code', input }, signal)),
  );
  server.registerTool(
    'explain_finding',
    {
      description: 'Why it costs, when it is no problem, how to fix it.',
      inputSchema: z.object({ id: z.string().describe('file:line or a rule') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ id }, { mcpReq: { signal } }) =>
      resultOf(await call({ tool: 'explain_finding', id }, signal)),
  );
  server.registerTool(
    'prove_finding',
    {
      description:
        'Measure the cost of a finding by a benchmark of its shape; project code is not run.',
      inputSchema: z.object({
        id: z.string().describe('file:line'),
        maxSeconds: z.int().min(1).max(60).default(5),
      }),
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    async (input, { mcpReq }) => resultOf(await prove(input, mcpReq.signal)),
  );
  server.registerTool(
    'measured_waits',
    {
      description: 'What the running program waited for, by request and line, from deadtime run.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (_, { mcpReq: { signal } }) => resultOf(await call({ tool: 'measured_waits' }, signal)),
  );
  server.registerTool(
    'resolve_unknowns',
    {
      description:
        'List functions that Deadtime cannot follow, with their text; or record what they do in deadtime.facts.json.',
      inputSchema: z.object({
        paths: z.array(z.string()).optional(),
        answers: z.array(z.string()).optional().describe('"src/rates.ts#latest=http.read"'),
      }),
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    async (input, { mcpReq }) => resultOf(await resolve(input, mcpReq.signal)),
  );
  for (const { id, description } of rules) {
    const uri = `deadtime://rules/${id}`;
    const mimeType = 'text/markdown';
    server.registerResource(id, uri, { description, mimeType }, () => ({
      contents: [{ uri, mimeType, text: pageOf(id) ?? `# ${id}\n\n${description}.\n` }],
    }));
  }
  return server;
}

function resultOf({ text, data }: ToolAnswer) {
  return { content: [{ type: 'text' as const, text }], structuredContent: { ...data } };
}
