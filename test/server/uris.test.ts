import { strictEqual } from 'node:assert/strict';
import { pathOfUri } from '../../server/uris.ts';

describe('the path of a URI', () => {
  const onWindows = { windows: true, real: (path: string) => path };

  it('has one spelling, for drives in any case', () => {
    for (const uri of ['file:///c%3A/app/a.ts', 'file:///C:/app/a.ts', 'file:///c:/app/a.ts']) {
      strictEqual(pathOfUri(uri, onWindows), 'C:\\app\\a.ts');
    }
  });

  it('is spelled as on disk where that differs in capitals, and follows no links', () => {
    const real = (path: string) =>
      path.startsWith('/linked/') ? '/elsewhere/a.ts' : path.replace(/pool/i, 'pool');
    strictEqual(pathOfUri('file:///app/Pool.ts', { windows: false, real }), '/app/pool.ts');
    strictEqual(pathOfUri('file:///app/pool.ts', { windows: false, real }), '/app/pool.ts');
    strictEqual(pathOfUri('file:///linked/a.ts', { windows: false, real }), '/linked/a.ts');
  });

  it('is none for what is no file', () => {
    strictEqual(pathOfUri('untitled:a.ts'), undefined);
    strictEqual(pathOfUri('file://host/a.ts', { windows: false }), undefined);
  });
});
