import { deepStrictEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomEdits } from '../../tools/random-edits.ts';
import { type Editor, editorFor } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { withoutMarks } from '../fixtures.ts';

/** The fixtures of a rule below each other: some hundred lines, with what the rule reports and what it does not. */
function manyOf(ruleId: string): string {
  const folder = join('fixtures', ruleId, 'reports');
  const files = readdirSync(folder).filter((it) => it.endsWith('.ts'));
  return files
    .slice(0, 12)
    .map((it) => withoutMarks(readFileSync(join(folder, it), 'utf8')))
    .join('\n');
}

function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const code = names.filter((it) => it.endsWith('.ts'));
  return Object.fromEntries(code.map((it) => [it, readFileSync(join(folder, it), 'utf8')]));
}

const edits = 180;

describe('server under random edits', function () {
  this.timeout(60_000);
  const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'of connections': { 'edited.ts': manyOf('no-leaked-connection') },
    'of reads': { 'edited.ts': manyOf('no-sequential-independent-awaits') },
    'of files that import each other': filesOf('fixtures/projects/parcel-tracker'),
  };

  for (const [i, [name, files]] of Object.entries(projects).entries()) {
    it(`has in the end the result of the text at first sight: ${name}`, async () => {
      const { path } = folderWith({ 'package.json': '{}', ...files });
      const uris = Object.keys(files).map((it) => pathToFileURL(join(path, it)).href);
      const edited = await editorFor({ folders: [path] });
      for (const [n, uri] of uris.entries()) await edited.open(uri, Object.values(files)[n]!);
      ok((await found(edited, uris)).flat().length > 0);

      const random = uris.map((_, n) => randomEdits(100 * i + n));
      for (let n = 1; n <= edits; n++) {
        const which = n % uris.length;
        const uri = uris[which]!;
        await edited.replace(uri, random[which]!.next(edited.textOf(uri)));
        // Most answers are overtaken, as they are when somebody types.
        if (n % 3 === 0) void edited.itemsOf(uris[(n / 3) % uris.length]!);
        if (n % 60 !== 0) continue;
        const fresh = await editorFor({ folders: [path] });
        for (const it of uris) await fresh.open(it, edited.textOf(it));
        deepStrictEqual(await found(edited, uris), await found(fresh, uris));
      }
    });
  }
});

async function found(editor: Editor, uris: readonly string[]) {
  const items = await Promise.all(uris.map((it) => editor.itemsOf(it)));
  return items.map((all) =>
    all.map(({ code, range, message, severity }) => ({ code, range, message, severity })),
  );
}
