import { deepStrictEqual } from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { forgetOld } from '../scan/cache/forget-old.ts';
import { folderWith } from './fakes/folder.ts';

describe('files that are kept', () => {
  it('go once they are a week old, though an old folder lies before them', () => {
    const { path } = folderWith({ b: '', c: '', new: '' });
    mkdirSync(join(path, 'a'));
    for (const it of ['a', 'b', 'c']) utimesSync(join(path, it), 0, 0);
    forgetOld(path, (name) => name !== 'c');
    deepStrictEqual(readdirSync(path).sort(), ['a', 'c', 'new']);
    forgetOld(join(path, 'none'));
  });
});
