import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { cliBuild } from '../../tools/build/build.ts';
import { startProgram } from '../../server/analysis/thread.ts';
import { type Analysis, notifications, requests, type ScanSummary } from '../../server/protocol.ts';
import { builtOnce } from '../fakes/built-once.ts';
import { editorFor } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker } from '../fakes/worker.ts';

/** Long enough to analyse a file on a busy machine. */
const LIMIT_SECONDS = 5;

/** As a file of JavaScript: a thread does not read the sources. */
async function hangingWorker(): Promise<URL> {
  const entryPoints = { 'hanging-worker': 'test/fakes/hanging-worker.ts' };
  const folder = await builtOnce('hanging-worker', async (outdir) => {
    await build({ ...cliBuild(), entryPoints, outdir });
  });
  return pathToFileURL(join(folder, 'hanging-worker.js'));
}

async function inFolder(files: Readonly<Record<string, string>>) {
  const folder = folderWith({ 'package.json': '{}', ...files });
  const program = await hangingWorker();
  const editor = await editorFor({
    folders: [folder.path],
    options: { hasStatus: true, maximumMemoryMb: 128 },
    environment: {
      start: (options) => startProgram(program, { ...options, limitSeconds: LIMIT_SECONDS }),
    },
  });
  const pathOf = (name: string) => join(folder.path, name);
  return { editor, folder, pathOf, uriOf: (name: string) => pathToFileURL(pathOf(name)).href };
}

const scanned = (editor: Awaited<ReturnType<typeof inFolder>>['editor']) =>
  editor.connection.sendRequest<ScanSummary>(requests.scanWorkspace, {});

describe('server watchdog', function () {
  this.timeout(180_000);
  const late = `took longer than ${LIMIT_SECONDS} s, and is ignored until it changes`;
  const large = 'needed more than 128 MB of memory, and is ignored until it changes';

  for (const [kind, reason] of [
    ['endless', late],
    ['huge', large],
  ] as const) {
    it(`leaves out an open text that is ${kind}, until it changes, and goes on with the others`, async () => {
      const { editor, uriOf, pathOf } = await inFolder({});
      const told = editor.told<Analysis>(notifications.analysed);
      await editor.open(uriOf('bad.ts'), `// ${kind}\n${worker}`);
      const bad = editor.itemsOf(uriOf('bad.ts'));
      await editor.open(uriOf('good.ts'), worker);
      strictEqual((await editor.itemsOf(uriOf('good.ts'))).length, 1);
      deepStrictEqual(await bad, []);
      const first = await told;
      if (first.uri === uriOf('bad.ts')) deepStrictEqual(first.notices, [reason]);
      deepStrictEqual(editor.warnings, [`Deadtime: ${pathOf('bad.ts')} ${reason}.`]);

      const check = () =>
        editor.connection.sendRequest<Analysis>(requests.check, { uri: uriOf('bad.ts') });
      deepStrictEqual((await check()).notices, [reason]);
      await editor.edit(uriOf('bad.ts'), `// ${kind}`, '');
      strictEqual((await editor.itemsOf(uriOf('bad.ts'))).length, 1);
      deepStrictEqual((await check()).notices, []);
      strictEqual(editor.warnings.length, 1);
    });
  }

  it('goes on with a scan where one has ended', async () => {
    const { editor, folder, pathOf } = await inFolder({
      ...{ 'a.ts': worker, 'b.ts': `// endless\n${worker}`, 'c.ts': worker },
      ...{ 'd.ts': `// huge\n${worker}`, 'e.ts': worker },
    });
    const summary = await scanned(editor);
    deepStrictEqual(
      [summary.files, summary.findings, summary.isCancelled, summary.text],
      [5, 3, false, '3 findings in 5 files. Ignored: b.ts, d.ts.'],
    );
    deepStrictEqual(editor.warnings, [
      `Deadtime: ${pathOf('b.ts')} ${late}.`,
      `Deadtime: ${pathOf('d.ts')} ${large}.`,
    ]);
    folder.write({ 'b.ts': worker, 'd.ts': worker });
    strictEqual((await scanned(editor)).text, '5 findings in 5 files.');
  });

  it('gives a scan up that ends over one file after the other, and says why', async () => {
    const names = Array.from({ length: 7 }, (_, i) => [`${i}.ts`, '// huge'] as const);
    const { editor } = await inFolder({ 'a.ts': worker, ...Object.fromEntries(names) });
    const asked = editor.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
    await rejects(asked, /2\.ts needed more than 128 MB of memory/);
    const { isCancelled, text } = await scanned(editor);
    strictEqual(isCancelled, false);
    match(
      text,
      /^0 findings in 0 files, then stopped: .*5\.ts needed more than 128 MB of memory\. Ignored: (?:\d\.ts, ){5}5\.ts\.$/,
    );
  });
});
