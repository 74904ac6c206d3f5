import assert from 'node:assert/strict';
import { filesOf } from './fakes/files.ts';
import { modulesOver } from './fakes/modules.ts';

describe('the index of what texts name', () => {
  it('knows which files make something of a type, whatever is written', () => {
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
});
