import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { notifications, requests, type TextResult } from '../../server/protocol.ts';
import { editorFor, type EditorOptions } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker } from '../fakes/worker.ts';

const off = "export default { rules: { 'no-hot-path-sleep': 'off' } };";
const untyped = { typeChecker: { enabled: false } };

async function opened(options: EditorOptions['options'], settings: EditorOptions['settings'] = {}) {
  const folder = folderWith({ 'package.json': '{}', 'deadtime.config.mjs': off });
  const editor = await editorFor({
    folders: [folder.path],
    settings: { ...untyped, ...settings },
    ...(options && { options }),
  });
  const uriOf = (file: string) => pathToFileURL(join(folder.path, file)).href;
  const uri = uriOf('worker.ts');
  await editor.open(uri, worker);
  const codes = async () => (await editor.itemsOf(uri)).map((it) => it.code);
  const trust = (isTrusted: boolean) =>
    editor.connection.sendNotification(notifications.trustChanged, { isTrusted });
  return { ...{ editor, folder, uri, uriOf, codes, trust } };
}

describe('server configuration that is code', () => {
  it('is heeded where the client says that the workspace is trusted', async () => {
    const { editor, uri, codes } = await opened({ isTrusted: true });
    deepStrictEqual([await codes(), editor.warnings], [[], []]);
    const { text } = await editor.connection.sendRequest<TextResult>(requests.configuration, {
      uri,
    });
    match(text, /"from": ".*deadtime\.config\.mjs"/);
  });

  for (const options of [undefined, { isTrusted: false }]) {
    it(`is told not to be run by a client that says ${JSON.stringify(options)}`, async () => {
      const { editor, codes } = await opened(options, { typeChecker: { enabled: true } });
      deepStrictEqual(await codes(), ['no-hot-path-sleep']);
      strictEqual(editor.warnings.length, 1);
      match(
        editor.warnings[0]!,
        /^Deadtime: .*deadtime\.config\.mjs is code, and Deadtime runs it only with permission\. Pass --trust-config, trust the workspace/,
      );
    });
  }

  it('is heeded once the workspace is trusted, and no more once it is not', async () => {
    const { codes, trust } = await opened({ isTrusted: false });
    deepStrictEqual(await codes(), ['no-hot-path-sleep']);
    await trust(true);
    deepStrictEqual(await codes(), []);
    await trust(false);
    deepStrictEqual(await codes(), ['no-hot-path-sleep']);
  });

  it('is not run outside of the folders that are open', async () => {
    const { editor } = await opened({ isTrusted: true });
    const { path } = folderWith({ 'package.json': '{}', 'deadtime.config.mjs': off });
    const uri = pathToFileURL(join(path, 'worker.ts')).href;
    await editor.open(uri, worker);
    strictEqual((await editor.itemsOf(uri)).length, 1);
  });

  it('is run anew when it is written, and what it says holds for every file', async () => {
    const { editor, folder, uriOf, codes } = await opened({ isTrusted: true });
    deepStrictEqual(await codes(), []);
    folder.write({ 'deadtime.config.mjs': 'export default { profile: "recommended" };' });
    const changes = [{ uri: uriOf('deadtime.config.mjs'), type: 2 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    deepStrictEqual(await codes(), ['no-hot-path-sleep']);
  });
});
