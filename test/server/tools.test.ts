import { match, strictEqual } from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  notifications,
  requests,
  type TextResult,
  type ToolParams,
} from '../../server/protocol.ts';
import { editorFor } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker } from '../fakes/worker.ts';

describe('server tools for agents', () => {
  const uriIn = (folder: string, name: string) => pathToFileURL(join(folder, name)).href;

  async function workshop() {
    const { path } = folderWith({ 'src/worker.ts': worker });
    const editor = await editorFor({
      folders: [path],
      environment: {
        program: [resolve('test/fakes/prove.mjs')],
        storagePath: join(path, 'proofs'),
      },
    });
    const uri = uriIn(path, 'src/worker.ts');
    await editor.open(uri, worker);
    const ask = async (params: ToolParams) =>
      (await editor.connection.sendRequest<TextResult>(requests.tool, params)).text;
    return { editor, uri, ask };
  }

  it('list the findings of open texts, as they are now', async () => {
    const { editor, uri, ask } = await workshop();
    match(
      await ask({ tool: 'check_code', uris: [uri] }),
      /^deadtime: 1 finding\nsrc\/worker\.ts:10 no-hot-path-sleep \(changes load\): Sleep only/,
    );
    await editor.edit(uri, 'await sleep(20)', '');
    strictEqual(await ask({ tool: 'check_code', uris: [uri] }), 'deadtime: no findings');
  });

  it('explain the finding on a line', async () => {
    const { uri, ask } = await workshop();
    const text = await ask({ tool: 'explain_finding', uri, line: 10 });
    match(text, /^src\/worker\.ts:10:5 {2}warning {2}no-hot-path-sleep\n\nWhy\n/);
    match(text, /\nNot a problem\n/);
    match(await ask({ tool: 'explain_finding', uri, line: 1 }), /^There is no finding on line 1/);
  });

  it('prove the finding on a line, and say how to repeat it', async () => {
    const { editor, uri, ask } = await workshop();
    const environment = { FAKE_PROOF: 'slower' };
    await editor.connection.sendNotification(notifications.proofSetup, { environment });
    const text = await ask({ tool: 'prove_finding', uri, line: 10, maxSeconds: 7 });
    match(text, /^11x slower: 22 ms vs 2 ms\. 20 ms of each iteration is dead time\.\nRepeat: /);
  });

  it('refuse a proof where nothing may be started', async () => {
    const { path } = folderWith({ 'worker.ts': worker });
    const editor = await editorFor({ folders: [path], options: { isTrusted: false } });
    const uri = uriIn(path, 'worker.ts');
    await editor.open(uri, worker);
    const params: ToolParams = { tool: 'prove_finding', uri, line: 10 };
    const { text } = await editor.connection.sendRequest<TextResult>(requests.tool, params);
    match(text, /^Proofs start programs, and this workspace is not trusted/);
  });
});
