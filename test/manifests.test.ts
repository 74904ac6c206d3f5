import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict';
import { createClock } from '../src/scan/clock.ts';
import { projectModules } from '../src/scan/project.ts';
import { filesOf } from './fakes/files.ts';

const POOL = "import { Pool } from 'pg'\nexport const pool = new Pool()";

const manifest = (it: object): string => JSON.stringify(it);

/** A project in memory. */
function modulesOver(texts: Readonly<Record<string, string>>) {
  return projectModules('/app', createClock(), { files: filesOf('/app', texts) });
}

describe('files other than code', () => {
  it('contain the version of a package for a file, and invalidate results that depended on a different one', () => {
    const changing: Record<string, string> = {
      'package.json': manifest({
        dependencies: { pg: '^8.11.3', mysql2: '>=2', knex: 'latest' },
        devDependencies: { mongodb: '6.x' },
      }),
      'package-lock.json': manifest({ packages: { 'node_modules/mysql2': { version: '3.4.0' } } }),
      'api/package.json': manifest({ dependencies: { pg: '~7.18' } }),
      'api/db.ts': POOL,
      'db.ts': POOL,
    };
    const modules = modulesOver(changing);
    const versions = () =>
      ['pg', 'mysql2', 'knex', 'mongodb', 'tarn'].map((it) => modules.versionOf(it, '/app/db.ts'));
    deepStrictEqual(versions(), ['8.11.3', '3.4.0', undefined, '6', undefined]);
    strictEqual(modules.versionOf('pg', '/app/api/db.ts'), '7.18');
    const facts = modules.factsAt('/app/db.ts');
    modules.refresh();
    strictEqual(modules.factsAt('/app/db.ts'), facts);
    changing['node_modules/pg/package.json'] = manifest({ version: '8.23.1' });
    deepStrictEqual(modules.changed([]), ['/app/db.ts']);
    notStrictEqual(modules.factsAt('/app/db.ts'), facts);
    strictEqual(versions()[0], '8.23.1');
  });

  it('determine how the code is run, from the files next to it and above it', () => {
    const changing: Record<string, string> = {
      'package.json': manifest({ main: 'main.js', scripts: { start: 'pm2 start api -i 3' } }),
      'main.ts': "process.env.UV_THREADPOOL_SIZE = '6'\nconst unrelated = 'UV_THREADPOOL_SIZE=99'",
      'compose.yaml':
        'services:\n  db:\n    command: postgres -c max_connections=200\n  carts:\n    command: --max-connections=300',
      'api/package.json': manifest({ scripts: { start: 'UV_THREADPOOL_SIZE=12 node .' } }),
      'api/Dockerfile': 'ENV UV_THREADPOOL_SIZE 8\nENV WEB_CONCURRENCY=4',
      'api/db.ts': POOL,
      'web/package.json': '{}',
      'web/pm2.json': manifest({ apps: [{ instances: 2 }] }),
      'web/prisma/schema.prisma': 'datasource db {\n  provider = "sqlite"\n}',
      'web/db.ts': POOL,
    };
    const modules = modulesOver(changing);
    const connections = { postgres: 200, mysql: 300 };
    const deployment = (path: string) => ({ ...modules.deploymentOf(`/app/${path}`) });
    deepStrictEqual(deployment('api/db.ts'), {
      threads: 12,
      processes: 3,
      hasOnlySqlite: false,
      usesCls: false,
      connections,
      prisma: undefined,
    });
    const web = {
      threads: 6,
      processes: 2,
      hasOnlySqlite: false,
      usesCls: false,
      connections,
      prisma: 'sqlite',
    };
    deepStrictEqual(deployment('web/db.ts'), web);
    const facts = modules.factsAt('/app/web/db.ts');
    modules.changed([]);
    strictEqual(modules.factsAt('/app/web/db.ts'), facts);
    changing['web/pm2.json'] = manifest({ apps: [{ instances: 'max' }] });
    deepStrictEqual(modules.changed([]), ['/app/web/db.ts']);
    deepStrictEqual(deployment('web/db.ts').processes, 3);
  });

  it('determine which packages only browsers run', () => {
    const isForBrowsers = (it: object) =>
      modulesOver({ 'package.json': manifest(it) }).runsInBrowsers('/app/orders.ts');
    const pages = { 'react-dom': '^19', axios: '^1' };
    const of = (dependencies: object) => ({ dependencies });
    const forBrowsers = [
      of(pages),
      { devDependencies: { svelte: '^5', vite: '^8', '@types/node': '^24' } },
      { peerDependencies: { vue: '^3' } },
      of({
        ...pages,
        '@supabase/supabase-js': '^2',
        'next-themes': '^1',
        'socket.io-client': '^4',
      }),
      { ...of(pages), scripts: { dev: 'vite', build: 'node build.js', start: 'serve dist' } },
    ];
    for (const it of forBrowsers) strictEqual(isForBrowsers(it), true, manifest(it));
    const others = [
      {},
      of({ react: '^19', axios: '^1' }),
      ...['express', '@types/express', 'next', 'nuxt', '@nestjs/core', '@trpc/server', 'ws'].map(
        (it) => of({ ...pages, [it]: '1.0.0' }),
      ),
      ...['pg', 'drizzle-orm', '@mikro-orm/core', 'bullmq', '@aws-sdk/client-s3', 'electron'].map(
        (it) => of({ ...pages, [it]: '1.0.0' }),
      ),
      { ...of({ 'react-dom': '^19' }), bin: './cli.js' },
      { ...of(pages), scripts: { start: 'node server.js' } },
      { ...of(pages), scripts: { dev: 'concurrently vite "tsx watch api.ts"' } },
    ];
    for (const it of others) strictEqual(isForBrowsers(it), false, manifest(it));
    const modules = modulesOver({ 'package.json': manifest(of(pages)) });
    const paths = ['src/api/orders.ts', 'api/orders.ts', 'supabase/functions/orders/index.ts'];
    deepStrictEqual(
      paths.map((it) => modules.runsInBrowsers(`/app/${it}`)),
      [true, false, false],
    );
  });

  it('determine where a package has Sequelize find transactions automatically', () => {
    const switched = 'import { names } from "./names"\nSequelize.useCLS(names)';
    const packages = (database: string) => ({
      'package.json': manifest({ dependencies: { sequelize: '^6.37.0' } }),
      'api/package.json': '{}',
      'api/src/config/sequelize.ts': database,
      'api/src/orders/totals.ts': POOL,
      'jobs/package.json': '{}',
      'jobs/src/totals.ts': POOL,
    });
    const changing: Record<string, string> = packages(switched);
    const modules = modulesOver(changing);
    const usesCls = (path: string) => modules.deploymentOf(`/app/${path}`).usesCls;
    strictEqual(usesCls('api/src/orders/totals.ts'), true);
    strictEqual(usesCls('jobs/src/totals.ts'), false);
    // An editor's unsaved text, and back to the disk's.
    const path = '/app/api/src/config/sequelize.ts';
    const asked = ['/app/api/src/orders/totals.ts'];
    const inEditor = (text: string | undefined) =>
      modules.overlay(path, text).filter((it) => asked.includes(it));
    deepStrictEqual(inEditor(`${switched};`), []);
    deepStrictEqual(inEditor(switched.replace('Sequelize', '// Sequelize')), asked);
    strictEqual(usesCls('api/src/orders/totals.ts'), false);
    deepStrictEqual(inEditor(undefined), asked);
    strictEqual(usesCls('api/src/orders/totals.ts'), true);
    // In a file of another name, and in a project without the package.
    changing['api/src/orders/later.ts'] = changing['api/src/config/sequelize.ts']!;
    delete changing['api/src/config/sequelize.ts'];
    modules.changed([path]);
    strictEqual(usesCls('api/src/orders/totals.ts'), false);
    const other = modulesOver({ ...packages(switched), 'package.json': '{}' });
    strictEqual(other.deploymentOf('/app/api/src/orders/totals.ts').usesCls, false);
  });
});
