import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import type { Problem } from '../../src/scan/problem.ts';
import type { Sheet } from '../../server/documents.ts';
import { onlyChanges } from '../../server/only-changes.ts';
import type { Review } from '../../server/protocol.ts';
import { folderWith } from '../fakes/folder.ts';

describe('only what changes bring', () => {
  const old = [{ fingerprint: 'old' }] as unknown as readonly Problem[];
  const nothing = { findings: [], failures: [] } as unknown as Review;

  it('takes the findings of a text for those of the saved one by what was saved at the time', async () => {
    const folder = folderWith({ 'a.js': 'saved' });
    const path = join(folder.path, 'a.js');
    let text = 'written on';
    const sheet = { path, text: () => text } as Sheet;
    const changes = onlyChanges(() => Promise.resolve(nothing));
    const shown = changes.among(sheet, old);
    // The findings were of the text before.
    text = 'saved';
    await shown;
    const later = [{ fingerprint: 'new' }] as unknown as readonly Problem[];
    text = 'more';
    deepStrictEqual(await changes.among(sheet, later), []);
  });

  it('keeps nothing of an answer that has been forgotten meanwhile', async () => {
    const folder = folderWith({ 'a.js': 'saved' });
    let text = 'saved';
    const sheet = { path: join(folder.path, 'a.js'), text: () => text } as Sheet;
    const changes = onlyChanges(() => Promise.resolve(nothing));
    const shown = changes.among(sheet, old);
    changes.forget();
    await shown;
    text = 'more';
    const later = [{ fingerprint: 'new' }] as unknown as readonly Problem[];
    deepStrictEqual(await changes.among(sheet, later), []);
  });
});
