import assert from 'node:assert/strict';
import { blindToCase, filesOf as filesAt } from './fakes/files.ts';
import { modulesOver } from './fakes/modules.ts';

const filesOf = (texts: Record<string, string>) => filesAt('/app', texts);

describe('a file system that ignores case', () => {
  it('has one path for a file where case is ignored, and two paths where it is not', () => {
    const texts = {
      'package.json': '{}',
      'src/db/pool.ts': '',
      'src/User.Service.ts': '',
      'src/Models/index.js': '',
      'src/app.ts': '',
    };
    const specifiers = [
      './DB/Pool',
      './db/POOL.js',
      './user.service',
      './models',
      '../SRC/Db/pool.ts',
    ];
    const files = filesOf(texts);
    const paths = Object.keys(texts).map((it) => `/app/${it}`);
    const blind = modulesOver(blindToCase(files, paths));
    const seeing = modulesOver(files);
    assert.deepEqual(
      specifiers.map((it) => blind.pathOf(it, '/app/src/app.ts')),
      [
        '/app/src/db/pool.ts',
        '/app/src/db/pool.ts',
        '/app/src/User.Service.ts',
        '/app/src/Models/index.js',
        '/app/src/db/pool.ts',
      ],
    );
    assert.equal(blind.pathOf('./DB/Pools', '/app/src/app.ts'), undefined);
    for (const it of specifiers) assert.equal(seeing.pathOf(it, '/app/src/app.ts'), undefined);
  });

  it('forgets what was read of a file under another spelling of its name', () => {
    const texts: Record<string, string> = {
      'package.json': '{}',
      'pool.js': "import { Pool } from 'pg';\nexport const pool = new Pool();",
      'app.js': "import { pool } from './Pool.js';\nimport { pool as other } from './pool.js';",
    };
    const paths = Object.keys(texts).map((it) => `/app/${it}`);
    const modules = modulesOver(blindToCase(filesOf(texts), paths));
    const facts = modules.factsAt('/app/app.js')!;
    const imported = (specifier: string) =>
      facts.modules!.resolve(specifier, '/app/app.js', 'pool');
    assert.equal(imported('./Pool.js'), imported('./pool.js'));
    assert.deepEqual(modules.dependenciesOf('/app/app.js'), ['/app/pool.js']);
    texts['pool.js'] = 'export const pool = 1;';
    assert.deepEqual(
      new Set(modules.changed(['/app/pool.js'])),
      new Set(['/app/app.js', '/app/pool.js']),
    );
  });
});
