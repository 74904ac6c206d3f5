import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptPath } from '../src/scan/cache/kept.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { trusting } from '../src/scan/configuration-program.ts';
import { folderWith } from './fakes/folder.ts';
import { looksAt } from './fakes/looks.ts';

describe('what is kept of runs', () => {
  it('is not taken for that of another kind which has the same checksum', async () => {
    const [one, other] = [['plumless'], ['buckeroo']];
    const [path, samePath] = [one, other].map((it) => keptPath('', JSON.stringify(it)));
    strictEqual(path, samePath);
    const folder = folderWith({ '.git/HEAD': '', 'package.json': '{}', 'a.ts': 'export {};\n' });
    const looks = looksAt(folder, one);
    await looks.next();
    const recalled = (kind: readonly string[]) => {
      const { run } = trusting();
      const memory = scanMemory({ ...{ folder: looks.kept, version: '1', kind }, run: run! });
      return memory.recall(memory.search([folder.path], { cwd: folder.path }))?.size;
    };
    deepStrictEqual([one, other].map(recalled), [1, 0]);
  });

  it('is removed after a week without use, also the cache of earlier builds', async () => {
    const looks = looksAt(folderWith({ '.git/HEAD': '', 'package.json': '{}', 'a.ts': '' }));
    const old = ['0123abcd.json', '0123abcd.names.json', '0123456789abcdef.json', 'notes.json'];
    for (const it of old) {
      writeFileSync(join(looks.kept, it), '');
      utimesSync(join(looks.kept, it), 0, 0);
    }
    await looks.next();
    const left = readdirSync(looks.kept).filter((it) => old.includes(it));
    deepStrictEqual(left, ['notes.json']);
  });
});
