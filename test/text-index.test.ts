import assert from 'node:assert/strict';
import type { NameKind } from '../src/analysis/file/source.ts';
import type { Files } from '../src/project/files.ts';
import { namesLoadedIn } from '../src/project/loaded-names.ts';
import { namesPutIn } from '../src/project/put-names.ts';
import { textIndexOf } from '../src/project/text-index.ts';
import { treeOf } from '../src/project/tree.ts';
import { filesOf } from './fakes/files.ts';
import { modulesOver } from './fakes/modules.ts';

/** As many files, in a folder each. */
function fleet(count: number, text: (i: number) => string): Record<string, string> {
  const files = Array.from({ length: count }, (_, i) => [`src/${i}/ship.ts`, text(i)] as const);
  return { 'package.json': '{}', ...Object.fromEntries(files) };
}

function modulesWith(files: Readonly<Record<string, string>>) {
  const modules = modulesOver(filesOf('/app', files));
  return {
    modules,
    naming: () =>
      modules.filesNaming?.('type', 'Ships', '/app/src/0/ship.ts')?.map((it) => it.path),
  };
}

describe('the index of what texts name', () => {
  it('finds files that create something of a type, in any spelling', () => {
    const changing: Record<string, string> = {
      'package.json': '{}',
      'ships.ts': 'export interface Ships {}',
      'pg.ts': 'class PgShips implements Ships {}',
      'tests/fake.ts': 'class FakeShips implements Ships {}',
      'node_modules/x/x.ts': 'class Foreign implements Ships {}',
    };
    const modules = modulesOver(filesOf('/app', changing));
    const naming = () =>
      modules.filesNaming?.('type', 'Ships', '/app/ships.ts')?.map((it) => it.path);
    modules.overlay('/app/open.ts', 'export {}');
    assert.deepEqual(naming(), ['/app/pg.ts']);
    assert.deepEqual(modules.dependenciesOf('/app/ships.ts'), ['/app/pg.ts']);
    const ships = modules.factsAt('/app/ships.ts');
    modules.overlay('/app/a.ts', 'class Other implements Boats {}');
    assert.equal(modules.factsAt('/app/ships.ts'), ships);
    assert.deepEqual(modules.overlay('/app/a.ts', 'class Other implements Ships {}'), [
      '/app/a.ts',
      '/app/ships.ts',
    ]);
    assert.notEqual(modules.factsAt('/app/ships.ts'), ships);
    assert.deepEqual(naming(), ['/app/a.ts', '/app/pg.ts']);
    modules.overlay('/app/a.ts', undefined);
    changing['late.ts'] = 'const late: Ships = {}';
    changing['pg.ts'] = '';
    modules.refresh();
    assert.deepEqual(naming(), ['/app/late.ts']);
  });

  it('leaves out what only browsers are given of a type, and not what is put in such a package', () => {
    const modules = modulesOver(
      filesOf('/app', {
        'package.json': '{ "workspaces": ["*"] }',
        'api/package.json': '{ "dependencies": { "pg": "8" } }',
        'api/pg.ts': 'class PgShips implements Ships {}',
        'page/package.json': '{ "dependencies": { "react-dom": "19" } }',
        'page/fake.ts':
          'class ShownShips implements Ships {}; app.locals.ships = new ShownShips();',
        'page/api/ships.ts': 'class HostedShips implements Ships {}',
      }),
    );
    const naming = (kind: NameKind, name: string, from: string) =>
      modules.filesNaming?.(kind, name, from)?.map((it) => it.path);
    const put = () => naming('put', 'ships', '/app/page/fake.ts');
    const named = () => naming('type', 'Ships', '/app/api/pg.ts');
    assert.deepEqual(put(), ['/app/page/fake.ts']);
    assert.deepEqual(named(), ['/app/api/pg.ts', '/app/page/api/ships.ts']);
    modules.overlay(
      '/app/page/fake.ts',
      'class MoreShips implements Ships {}; app.locals.ships = 1;',
    );
    assert.deepEqual(put(), ['/app/page/fake.ts']);
    assert.deepEqual(named(), ['/app/api/pg.ts', '/app/page/api/ships.ts']);
  });

  it('has no result where they are many, until one of them is removed', () => {
    const changing = fleet(25, (i) => `class S${i} implements Ships {}`);
    const { modules, naming } = modulesWith(changing);
    assert.equal(naming(), undefined);
    changing['src/7/ship.ts'] = '';
    modules.changed(['/app/src/7/ship.ts']);
    assert.equal(naming()?.length, 24);
    modules.overlay('/app/src/7/ship.ts', 'new Ships();');
    assert.equal(naming(), undefined);
  });

  it('notices within some calls changes without a notification: other texts, and new files', () => {
    const changing = fleet(300, () => '');
    const { modules, naming } = modulesWith(changing);
    assert.deepEqual(naming(), []);
    const foundAfter = (path: string): number => {
      for (let turns = 1; turns < 20; turns++) {
        modules.refresh();
        if (naming()?.includes(path)) return turns;
      }
      return Infinity;
    };
    // The walk begins at the last folder.
    changing['src/0/ship.ts'] = 'class Ferry implements Ships {}';
    assert.equal(foundAfter('/app/src/0/ship.ts'), 2);
    changing['src/298/ship.ts'] = 'class Barge implements Ships {}';
    assert.ok(foundAfter('/app/src/298/ship.ts') < 4);
    changing['src/299/late.ts'] = 'class Late implements Ships {}';
    assert.ok(foundAfter('/app/src/299/late.ts') < 8);
    delete changing['src/299/late.ts'];
    modules.refresh();
    assert.equal(naming()?.length, 2);
  });

  it('has no answer for a name that no text is asked for', () => {
    const { modules } = modulesWith(fleet(1, () => 'const a: ships = {}; app["pool of"] = 1;'));
    for (const name of ['ships', 'Größe']) {
      assert.equal(modules.filesNaming?.('type', name, '/app/src/0/ship.ts'), undefined);
    }
    assert.equal(modules.filesNaming?.('put', 'pool of', '/app/src/0/ship.ts'), undefined);
    const facts = modules.factsAt('/app/src/0/ship.ts');
    modules.changed(['/app/src/9/other.ts']);
    assert.equal(modules.factsAt('/app/src/0/ship.ts'), facts);
  });

  it('walks no more folders than a search may take', () => {
    let lists = 0;
    const folders = new Map(
      Array.from({ length: 30_000 }, (_, i) => [`${i}`, 'directory'] as const),
    );
    const files: Files = {
      read: () => undefined,
      list(folder) {
        lists++;
        return { kinds: folder === '/app' ? folders : new Map(), links: new Set() };
      },
      real: (path) => path,
      stamp: () => undefined,
    };
    const index = textIndexOf(files, treeOf(files, '/app'));
    assert.equal(index.filesNaming('put', 'db', '/app/a.ts'), undefined);
    assert.ok(lists < 25_000);
  });

  it('finds the names of the files that a text loads', () => {
    const loads = [
      "import makeBerths from '../repos/berths.js'",
      "export { logbook } from './logbook'",
      "import '@/setup.ts'",
      "const pilots = require('./pilots')(pool)",
      "await import('./tugs.mjs')",
      "const db = require('..')",
      'require(`./${file}`)',
    ];
    assert.deepEqual(
      [...namesLoadedIn(loads.join(';\n'))],
      ['berths', 'logbook', 'setup', 'pilots', 'tugs', 'index'],
    );
  });

  it('takes time in proportion to the text', () => {
    const text = `declare module 'x' {}\n${'a$'.repeat(100_000)}`;
    const start = performance.now();
    namesPutIn(text);
    namesLoadedIn(text);
    assert.ok(performance.now() - start < 1_000);
  });
});
