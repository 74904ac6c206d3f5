import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  Hover,
  MarkupContent,
  Range,
  TextEdit,
} from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  clientCommands,
  type EditorFinding,
  requests,
  spoken,
  type TextResult,
} from '../../server/protocol.ts';
import { type Editor, editorFor, type EditorOptions } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker as text } from '../fakes/worker.ts';

const range = { start: { line: 9, character: 4 }, end: { line: 9, character: 4 } };

async function opened(options: EditorOptions = {}) {
  const { path } = folderWith({ 'package.json': '{}', 'src/worker.ts': text });
  const editor = await editorFor({ folders: [path], ...options });
  const uri = pathToFileURL(join(path, 'src/worker.ts')).href;
  await editor.open(uri, text);
  const diagnostics = await editor.itemsOf(uri);
  return { editor, uri, diagnostics };
}

describe('server hover', () => {
  const parts = [
    '**Cost:** 20 ms each time, at most 50 per second. Runs for every job. Estimated 20.4 ms vs 0.2 ms, with sleepMs 20 ms (from the code), workMs 0 ms (assumed), roundTripMs (assumed).',
    '**Fix:** Sleep only when redis.lpop() returned nothing (more runs concurrently: keep it within the pool’s size).',
    '**When it is fine:** The pause is right where it protects a rate limit, a replica that lags, or a lock that other code waits for. State the reason in a comment within three lines of the sleep, or in the name of its constant: both stop the report.',
    '**Prove:** `npx deadtime prove src/worker.ts:10` · [no-hot-path-sleep](deadtime-doc:/no-hot-path-sleep.md)',
  ];
  const rulePages = 'deadtime-doc:/{id}.md';

  it('has the message, the cost and its source, the fix, when it is fine, and the proof', async () => {
    const { editor, uri } = await opened({ options: { rulePages } });
    const hover = await hoverOf(editor, uri, range.start);
    deepStrictEqual((hover?.contents as MarkupContent).value.split('\n\n'), [
      'This worker sleeps 20 ms after every job, so it starts at most 50 jobs per second. Sleep only when `redis.lpop()` returned nothing.',
      ...parts,
    ]);
    deepStrictEqual(hover?.range?.start, { line: 9, character: 4 });
  });

  it('starts with the cost where the client shows the message itself', async () => {
    const { editor, uri } = await opened({ options: { rulePages, showsMessageInHover: true } });
    const hover = await hoverOf(editor, uri, range.start);
    deepStrictEqual(
      (hover?.contents as MarkupContent).value.split('\n\n'),
      parts.map((it) => it.replace(/ · \[.*$/, '')),
    );
  });

  it('is none where nothing is found', async () => {
    const { editor, uri } = await opened();
    strictEqual(await hoverOf(editor, uri, { line: 0, character: 0 }), null);
  });
});

describe('server code actions', () => {
  it('are the rule’s suggestions, an explanation and a comment with a reason', async () => {
    const { editor, uri } = await opened();
    const actions = await actionsAt(editor, uri, range);
    deepStrictEqual(
      actions.map(({ title, kind, command, isPreferred = false }) => [
        title,
        kind,
        command?.command,
        isPreferred,
      ]),
      [
        ['Sleep only when redis.lpop() returned nothing', 'quickfix', undefined, false],
        ['Prove no-hot-path-sleep here', 'quickfix', 'deadtime.server.prove', false],
        ['Explain no-hot-path-sleep', 'quickfix', 'deadtime.server.explainRule', false],
        ['Ignore no-hot-path-sleep here, with a reason', 'quickfix', undefined, false],
      ],
    );
    match(applied(editor, uri, actions[0]!), /if \(!order\) await sleep\(20\);|else/);
    match(
      applied(editor, uri, actions.at(-1)!),
      /\n {4}\/\/ deadtime-ignore-next-line no-hot-path-sleep -- TODO: state why\n {4}await sleep\(20\);\n/,
    );
  });

  it('are commands of the client where it announces them', async () => {
    const announced = Object.values(clientCommands);
    const { editor, uri, diagnostics } = await opened({ options: { clientCommands: announced } });
    const { fingerprint } = diagnostics[0]!.data as { fingerprint: string };
    const commands = (await actionsAt(editor, uri, range)).flatMap(({ command }) => command ?? []);
    deepStrictEqual(
      commands.map((it) => it.command),
      [
        clientCommands.prove,
        clientCommands.explainRule,
        clientCommands.copyFixPrompt,
        clientCommands.ignoreWithReason,
        clientCommands.addToBaseline,
      ],
    );
    for (const it of commands) deepStrictEqual(it.arguments, [{ uri, fingerprint }]);
  });

  it('stay away from other lines, from fixing on save and from texts that have changed', async () => {
    const { editor, uri } = await opened();
    const elsewhere = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
    deepStrictEqual(await actionsAt(editor, uri, elsewhere), []);
    deepStrictEqual(await actionsAt(editor, uri, range, ['source.fixAll']), []);
    await editor.edit(uri, 'export async', '// a line\nexport async');
    deepStrictEqual(await actionsAt(editor, uri, range), []);
  });

  it('disable the finding', async () => {
    const { editor, uri } = await opened();
    const ignore = (await actionsAt(editor, uri, range)).at(-1)!;
    const after = applied(editor, uri, ignore);
    await editor.edit(uri, text, after);
    deepStrictEqual(await editor.itemsOf(uri), []);
  });
});

describe('server requests', () => {
  it('are those of a protocol whose number the server reports', async () => {
    const { editor } = await opened();
    deepStrictEqual(editor.initialized.capabilities.experimental, spoken);
  });

  it('return findings, rule pages, configuration, prompts and the data of a report', async () => {
    const { editor, uri, diagnostics } = await opened();
    const { connection } = editor;
    const ask = <T>(method: string, params: unknown) => connection.sendRequest<T>(method, params);
    const { fingerprint } = diagnostics[0]!.data as { fingerprint: string };

    const findings = await ask<EditorFinding[]>(requests.findings, { uri });
    deepStrictEqual(
      findings.map(({ ruleId, state, severity }) => ({ ruleId, state, severity })),
      [{ ruleId: 'no-hot-path-sleep', state: 'estimated', severity: 'warning' }],
    );
    match(
      (await ask<TextResult>(requests.rulePage, { ruleId: 'no-hot-path-sleep' })).text,
      /## Reported/,
    );
    strictEqual(await ask(requests.rulePage, { ruleId: '../../package' }), null);
    const prompt = await ask<TextResult>(requests.fixPrompt, { uri, fingerprint });
    match(
      prompt.text,
      /^Fix src\/worker\.ts:10 \(deadtime\/no-hot-path-sleep\): This worker sleeps 20 ms/,
    );
    ok(prompt.text.length < 1_000, prompt.text);
    strictEqual(await ask(requests.fixPrompt, { uri, fingerprint: 'another' }), null);
    match(
      (await ask<TextResult>(requests.configuration, { uri })).text,
      /"profile": "recommended"/,
    );
    match(
      (await ask<TextResult>(requests.diagnosticsReport, null)).text,
      /^deadtime 0\.0\.0, Node\.js v/,
    );
    const edit = await ask<{ documentChanges: { edits: TextEdit[] }[] }>(requests.ignore, {
      ...{ uri, fingerprint },
      reason: 'the wiki\n asks for it',
    });
    strictEqual(
      edit.documentChanges[0]?.edits[0]?.newText,
      '    // deadtime-ignore-next-line no-hot-path-sleep -- the wiki asks for it\n',
    );
  });

  it('report each analysis to clients that show it', async () => {
    const { editor, uri } = await opened({ options: { hasStatus: true } });
    const told = editor.told<{ uri: string; version: number; findings: EditorFinding[] }>(
      'deadtime/analysed',
    );
    await editor.edit(uri, 'await sleep(20);', '');
    await editor.itemsOf(uri);
    const { version, findings } = await told;
    deepStrictEqual([version, findings], [2, []]);
  });

  it('analyse on demand what is analysed by hand only', async () => {
    const { editor, uri, diagnostics } = await opened({ settings: { run: 'manual' } });
    deepStrictEqual(diagnostics, []);
    const { findings } = await editor.connection.sendRequest<{ findings: EditorFinding[] }>(
      requests.check,
      { uri },
    );
    strictEqual(findings.length, 1);
    strictEqual((await editor.itemsOf(uri)).length, 1);
  });
});

function hoverOf(editor: Editor, uri: string, position: Range['start']): Promise<Hover | null> {
  return editor.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
}

function actionsAt(editor: Editor, uri: string, range: Range, only?: readonly string[]) {
  const context = { diagnostics: [], ...(only ? { only } : {}) };
  const params = { textDocument: { uri }, range, context };
  return editor.connection.sendRequest<CodeAction[]>('textDocument/codeAction', params);
}

function applied(editor: Editor, uri: string, { edit }: CodeAction): string {
  const [change] = edit?.documentChanges ?? [];
  const edits = change && 'edits' in change ? (change.edits as TextEdit[]) : [];
  return TextDocument.applyEdits(
    TextDocument.create(uri, 'typescript', 1, editor.textOf(uri)),
    edits,
  );
}
