import {
  type CancellationToken,
  Disposable,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  type PreparedToolInvocation,
  Uri,
  workspace,
} from 'vscode';
import { requests, type TextResult, type ToolParams } from '../server/protocol.ts';
import type { Server } from './server.ts';

/** For language models in the editor: the tools of `deadtime mcp`; `check_code` takes files that the editor can open, and no text, diff or `max`. */
export function registerTools(server: Server): Disposable {
  async function ask(params: ToolParams, token: CancellationToken) {
    const { text } = await server.ask<TextResult>(requests.tool, params, token);
    return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
  }
  return Disposable.from(
    lm.registerTool<{ readonly paths: readonly string[] }>('deadtime_check_code', {
      async invoke({ input }, token) {
        const uris = await Promise.all(input.paths.map(openedAt));
        return ask({ tool: 'check_code', uris }, token);
      },
    }),
    lm.registerTool<FindingInput>('deadtime_explain_finding', {
      invoke: async ({ input }, token) =>
        ask({ tool: 'explain_finding', ...(await placeOf(input)) }, token),
    }),
    lm.registerTool<FindingInput & { readonly maxSeconds?: number }>('deadtime_prove_finding', {
      prepareInvocation: ({ input }) => consentTo(input),
      async invoke({ input: { maxSeconds, id } }, token) {
        const limit = maxSeconds === undefined ? {} : { maxSeconds };
        return ask({ tool: 'prove_finding', ...(await placeOf({ id })), ...limit }, token);
      },
    }),
    lm.registerTool('deadtime_measured_waits', {
      invoke: async (_, token) => ask({ tool: 'measured_waits' }, token),
    }),
  );
}

interface FindingInput {
  /** "src/worker.ts:41" */
  readonly id: string;
}

function consentTo({ id }: FindingInput): PreparedToolInvocation {
  return {
    invocationMessage: `Measuring ${id}`,
    confirmationMessages: {
      title: 'Prove a finding',
      message: `A benchmark of the shape of ${id} runs on this machine for some seconds. Project code is not run.`,
    },
  };
}

async function placeOf({ id }: FindingInput) {
  const [, path, line, column, ordinal] = /^(.+?):(\d+)(?::(\d+)(?:#(\d+))?)?$/.exec(id) ?? [];
  if (path === undefined) throw new Error(`${id} is no place: use file:line.`);
  return {
    ...{ uri: await openedAt(path), line: Number(line) },
    ...(column !== undefined && { column: Number(column) }),
    ...(ordinal !== undefined && { ordinal: Number(ordinal) }),
  };
}

/** The server has open documents: this one is opened before the question. */
async function openedAt(path: string): Promise<string> {
  const folders = workspace.workspaceFolders ?? [];
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  const uris = isAbsolute ? [Uri.file(path)] : folders.map(({ uri }) => Uri.joinPath(uri, path));
  for (const uri of uris.filter((it) => workspace.getWorkspaceFolder(it))) {
    const isFile = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (isFile) return (await workspace.openTextDocument(uri)).uri.toString();
  }
  throw new Error(`There is no file ${path} in the folders of the workspace.`);
}
