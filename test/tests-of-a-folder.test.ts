import { deepStrictEqual } from 'node:assert/strict';
import { relative } from 'node:path';
import { filesOf } from '../src/scan/files.ts';
import { folderWith } from './fakes/folder.ts';

describe('the search for files', () => {
  it('finds tests where they are asked for, and nothing else that is excluded', () => {
    const { path } = folderWith({
      'src/orders.ts': '',
      'src/orders.test.ts': '',
      'src/test-helpers/pool.ts': '',
      'test/api/orders.ts': '',
      'src/orders.bench.ts': '',
      'src/orders.stories.ts': '',
      'migrations/one.ts': '',
      'test/fixtures/broken.ts': '',
      'node_modules/pg/test/pool.js': '',
    });
    const found = (options: { readonly withTests?: boolean }) =>
      filesOf(['.'], { cwd: path, ...options }).files.map((it) =>
        relative(path, it).replaceAll('\\', '/'),
      );
    deepStrictEqual(found({}), ['src/orders.ts']);
    deepStrictEqual(found({ withTests: true }), [
      'src/orders.test.ts',
      'src/orders.ts',
      'src/test-helpers/pool.ts',
      'test/api/orders.ts',
    ]);
  });
});
