import assert from 'node:assert/strict';
import { disk } from '../src/project/files.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { filesOf as filesAt } from './fakes/files.ts';
import { exportOf, modulesOver, POOL } from './fakes/modules.ts';

/** A project in memory. */
const filesOf = (texts: Record<string, string>) => filesAt('/app', texts);

/** Where each specifier leads from `from`, without the root. */
function pathsOf(
  texts: Record<string, string>,
  from: string,
  specifiers: readonly string[],
): Record<string, string | undefined> {
  const modules = modulesOver(filesOf(texts));
  return Object.fromEntries(
    specifiers.map((it) => [it, modules.pathOf(it, `/app/${from}`)?.slice('/app/'.length)]),
  );
}

const manifest = (it: object): string => JSON.stringify(it);

describe('module resolution', () => {
  it('probes extensions, index files and the TypeScript source of a .js import', () => {
    const texts = {
      'package.json': '{}',
      'src/db.ts': '',
      'src/pool.tsx': '',
      'src/user.service.ts': '',
      'src/old.js': '',
      'src/esm.mts': '',
      'src/models/index.js': '',
      'src/typed.d.ts': '',
      'src/lib/package.json': manifest({ main: './main.js' }),
      'src/lib/main.ts': '',
    };
    assert.deepEqual(
      pathsOf(texts, 'src/app.ts', [
        './db',
        './db.js',
        './db.ts',
        './pool.js',
        './user.service',
        './user.service.js',
        './old',
        './esm.mjs',
        './models',
        './models/',
        './typed',
        './lib',
        '../src/db',
        './absent',
        './config.json',
        'pg',
        'node:fs',
      ]),
      {
        './db': 'src/db.ts',
        './db.js': 'src/db.ts',
        './db.ts': 'src/db.ts',
        './pool.js': 'src/pool.tsx',
        './user.service': 'src/user.service.ts',
        './user.service.js': 'src/user.service.ts',
        './old': 'src/old.js',
        './esm.mjs': 'src/esm.mts',
        './models': 'src/models/index.js',
        './models/': 'src/models/index.js',
        './typed': 'src/typed.d.ts',
        './lib': 'src/lib/main.ts',
        '../src/db': 'src/db.ts',
        './absent': undefined,
        './config.json': undefined,
        pg: undefined,
        'node:fs': undefined,
      },
    );
  });

  it('follows paths and baseUrl through extends, also where a base is not installed', () => {
    const texts = {
      'package.json': '{}',
      'tsconfig.base.json':
        '{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["libs/*/src"], } } }',
      'server/tsconfig.json': `{
        // comments are allowed, and "//" in a string is none
        "extends": ["@tsconfig/node20/tsconfig.json", "../tsconfig.base"],
        "compilerOptions": { "outDir": "out//x", },
      }`,
      'server/main.ts': '',
      'libs/db/src/index.ts': '',
      'client/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'client/tsconfig.app.json':
        '{ "compilerOptions": { "paths": { "#shared": ["./src/shared.ts"], "@/*": ["./src/*"] } } }',
      'client/src/shared.ts': '',
      'client/src/api.ts': '',
      'jobs/jsconfig.json': '{ "compilerOptions": { "baseUrl": "./lib" } }',
      'jobs/lib/queue.js': '',
    };
    assert.deepEqual(pathsOf(texts, 'server/main.ts', ['@lib/db', 'server/main', '@lib/none']), {
      '@lib/db': 'libs/db/src/index.ts',
      'server/main': undefined,
      '@lib/none': undefined,
    });
    assert.deepEqual(pathsOf(texts, 'client/src/app.ts', ['@/api', '#shared']), {
      '@/api': 'client/src/api.ts',
      '#shared': 'client/src/shared.ts',
    });
    assert.deepEqual(pathsOf(texts, 'jobs/run.js', ['queue']), { queue: 'jobs/lib/queue.js' });
  });

  it('takes workspace packages from their source, built or not', () => {
    const texts = {
      'package.json': manifest({ workspaces: ['packages/*', '!packages/old'] }),
      'packages/db/package.json': manifest({
        name: '@acme/db',
        exports: {
          '.': { types: './dist/index.d.ts', default: './dist/index.js' },
          './pool': './dist/esm/pool.js',
          './jobs/*': './dist/jobs/*.js',
        },
      }),
      'packages/db/src/index.ts': '',
      'packages/db/dist/index.js': '',
      'packages/db/src/pool.ts': '',
      'packages/db/src/jobs/mail.ts': '',
      'packages/util/package.json': manifest({
        name: 'util-kit',
        main: 'lib/util.js',
        source: 'code/entry.ts',
      }),
      'packages/util/code/entry.ts': '',
      'packages/plain/package.json': manifest({ name: 'plain', main: 'build/main' }),
      'packages/plain/tsconfig.json':
        '{ "compilerOptions": { "rootDir": "./app", "outDir": "./build" } }',
      'packages/plain/app/main.ts': '',
      'packages/plain/other.ts': '',
      'packages/old/package.json': manifest({ name: 'old', main: 'index.js' }),
      'packages/old/index.js': '',
    };
    const specifiers = [
      '@acme/db',
      '@acme/db/pool',
      '@acme/db/jobs/mail',
      'util-kit',
      'plain',
      'plain/other',
      'old',
    ];
    assert.deepEqual(pathsOf(texts, 'packages/plain/app/x.ts', specifiers), {
      '@acme/db': 'packages/db/src/index.ts',
      '@acme/db/pool': 'packages/db/src/pool.ts',
      '@acme/db/jobs/mail': 'packages/db/src/jobs/mail.ts',
      'util-kit': 'packages/util/code/entry.ts',
      plain: 'packages/plain/app/main.ts',
      'plain/other': 'packages/plain/other.ts',
      old: undefined,
    });
  });

  it('reads pnpm-workspace.yaml, nested globs, imports and linked packages', () => {
    const texts = {
      'package.json': manifest({
        name: 'root',
        imports: { '#db': './dist/db.js', '#jobs/*': { node: './jobs/*.js' } },
      }),
      'pnpm-workspace.yaml':
        'catalog:\n  pg: ^8\npackages:\n  # all of them\n  - "libs/**"\n  - apps/web # the site\nonlyBuilt:\n  - x\n',
      'libs/a/b/package.json': manifest({ name: 'deep' }),
      'libs/a/b/src/index.ts': '',
      'apps/web/package.json': manifest({
        name: 'web',
        dependencies: { shared: 'file:../../shared' },
      }),
      'apps/web/index.js': '',
      'shared/package.json': manifest({ name: 'anything', main: './pool.js' }),
      'shared/pool.js': '',
      'src/db.ts': '',
      'jobs/mail.js': '',
    };
    assert.deepEqual(
      pathsOf(texts, 'src/app.ts', ['#db', '#jobs/mail', '#none', 'deep', 'web', 'shared', 'root']),
      {
        '#db': 'src/db.ts',
        '#jobs/mail': 'jobs/mail.js',
        '#none': undefined,
        deep: 'libs/a/b/src/index.ts',
        web: 'apps/web/index.js',
        shared: undefined,
        root: undefined,
      },
    );
    assert.deepEqual(pathsOf(texts, 'apps/web/index.js', ['shared', 'web']), {
      shared: 'shared/pool.js',
      web: undefined,
    });
  });

  it('guesses @/ and ~/ only where one place has the file', () => {
    const texts = {
      'package.json': '{}',
      'src/db.ts': '',
      'lib/pool.ts': '',
      'both.ts': '',
      'src/both.ts': '',
    };
    assert.deepEqual(pathsOf(texts, 'src/app.ts', ['@/db', '~/lib/pool', '@/both', '@/none']), {
      '@/db': 'src/db.ts',
      '~/lib/pool': 'lib/pool.ts',
      '@/both': undefined,
      '@/none': undefined,
    });
  });

  it('stays inside the repository and out of node_modules', () => {
    const texts = {
      'repo/.git/HEAD': '',
      'repo/src/app.ts': '',
      'outside.ts': '',
      'repo/node_modules/pool/index.js': '',
    };
    assert.deepEqual(pathsOf(texts, 'repo/src/app.ts', ['../../outside', '../node_modules/pool']), {
      '../../outside': undefined,
      '../node_modules/pool': undefined,
    });
  });

  it('works on the disk and never throws', () => {
    const modules = modulesOver(disk);
    assert.equal(
      modules.pathOf('../src/project/modules.ts', import.meta.filename),
      import.meta.filename.replace('test/modules.test.ts', 'src/project/modules.ts'),
    );
    assert.equal(modules.factsAt('/nowhere/at/all.ts'), undefined);
    assert.equal(modules.resolve('./\0', import.meta.filename), undefined);
  });
});

describe('the project', () => {
  const texts = {
    'package.json': '{}',
    'db.ts': POOL,
    'index.ts': "export * from './db'",
    'app.ts': "export { pool } from './index'\nexport { later } from './later'",
    'other.ts': "export { a } from './a'",
    'a.ts': 'export const a = 1',
  };

  it('resolves the exports of imported files, and which files depend on them', () => {
    const modules = modulesOver(filesOf(texts));
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Pool');
    assert.deepEqual(modules.dependenciesOf('/app/app.ts'), ['/app/db.ts', '/app/index.ts']);
  });

  it('sees unsaved text, and forgets only what rests on it', () => {
    const modules = modulesOver(filesOf({ ...texts, 'open.ts': '' }));
    modules.overlay('/app/open.ts', 'export {}');
    exportOf(modules, '/app/app.ts', 'pool');
    exportOf(modules, '/app/other.ts', 'a');
    const [app, other] = [modules.factsAt('/app/app.ts'), modules.factsAt('/app/other.ts')];
    modules.overlay('/app/db.ts', POOL.replaceAll('Pool', 'Client'));
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Client');
    assert.notEqual(modules.factsAt('/app/app.ts'), app);
    assert.equal(modules.factsAt('/app/other.ts'), other);
    modules.overlay('/app/db.ts', undefined);
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Pool');
  });

  it('resolves members added to an application, and forgets them with their text', () => {
    const modules = modulesOver(
      filesOf({
        ...texts,
        'package.json': '{}',
        'set-up.ts': `${POOL}\nimport express from 'express';\nexpress().locals.db = pool;`,
        'asks.ts': `import type { Application } from 'express';\nexport const db = (app: Application) => app.locals.db;`,
      }),
    );
    assert.equal(exportOf(modules, '/app/asks.ts', 'db'), '() => pg.Pool');
    assert.deepEqual(modules.dependenciesOf('/app/asks.ts'), ['/app/set-up.ts']);
    const late = "import express from 'express';\nexpress().locals.db = {};";
    modules.overlay('/app/a.ts', late);
    assert.equal(exportOf(modules, '/app/asks.ts', 'db'), '() => unknown');
    modules.overlay('/app/a.ts', undefined);
    assert.equal(exportOf(modules, '/app/asks.ts', 'db'), '() => pg.Pool');
    modules.overlay('/app/set-up.ts', late.replace('{}', '1'));
    assert.equal(exportOf(modules, '/app/asks.ts', 'db'), '() => unknown');
  });

  it('looks again for a file that was missing', () => {
    const modules = modulesOver(filesOf(texts));
    assert.equal(exportOf(modules, '/app/app.ts', 'later'), 'unknown');
    modules.overlay('/app/later.ts', POOL.replace('pool', 'later'));
    assert.equal(exportOf(modules, '/app/app.ts', 'later'), 'pg.Pool');
  });

  it('notices changes on disk on request', () => {
    const changing: Record<string, string> = { ...texts };
    const modules = modulesOver(filesOf(changing));
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Pool');
    changing['db.ts'] = POOL.replaceAll('Pool', 'Client');
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Pool');
    modules.refresh();
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Client');
  });

  it('takes the tree of a host as the file at its path', () => {
    const modules = modulesOver(filesOf(texts));
    const source = sourceOf(POOL, '/app/a.ts', { modules: () => modules });
    assert.ok(!isFailure(source));
    modules.adopt(source);
    assert.equal(modules.factsAt('/app/a.ts')?.ast, source.ast);
  });

  it('parses again what it has dropped, and drops only between files', () => {
    const files = filesOf(texts);
    const modules = modulesOver(files, { maximumText: 10 });
    const first = modules.factsAt('/app/db.ts');
    assert.equal(modules.factsAt('/app/db.ts'), first);
    modules.trim();
    assert.notEqual(modules.factsAt('/app/db.ts'), first);
    assert.equal(exportOf(modules, '/app/app.ts', 'pool'), 'pg.Pool');
  });

  it('reads a broken file once', () => {
    const files = filesOf({ ...texts, 'bad.ts': 'export const = ;;; ((((' });
    const modules = modulesOver(files);
    exportOf(modules, '/app/bad.ts', 'x');
    exportOf(modules, '/app/bad.ts', 'x');
    assert.equal(files.reads.filter((it) => it === '/app/bad.ts').length, 1);
  });

  it('sums a file up as plain data', () => {
    const modules = modulesOver(
      filesOf({
        'package.json': '{}',
        'db.ts': `${POOL}export const getClient = async () => pool.connect()\nexport class Db {}\nexport const n = 1`,
      }),
    );
    const { hash, ...summary } = modules.summaryOf('/app/db.ts')!;
    assert.match(hash, /^[\w+/]{22}$/);
    assert.deepEqual(summary, {
      path: '/app/db.ts',
      exports: { pool: 'pg.Pool', getClient: '() => Promise<pg.PoolClient>', Db: 'class Db' },
      everythingFrom: [],
    });
  });
});
