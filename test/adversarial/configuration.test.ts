import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { deploymentsOf } from '../../src/project/deployment.ts';
import { jsonOf } from '../../src/project/json.ts';
import { resolverOf } from '../../src/project/resolver.ts';
import { treeOf } from '../../src/project/tree.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import { createClock } from '../../src/scan/clock.ts';
import { filesOf as filesIn } from '../../src/scan/files.ts';
import { projectModules } from '../../src/scan/project.ts';
import { scanFiles } from '../../src/scan/scan-files.ts';
import { isLasting } from '../../src/scan/left-out.ts';
import { folderWith } from '../fakes/folder.ts';
import { noWait } from '../fakes/no-wait.ts';
import { filesOf } from '../fakes/files.ts';
import { callsIn } from '../fakes/work.ts';

type Texts = Readonly<Record<string, string>>;

/** What imports of a file at the top lead to, and what is said to be left out. */
function resolved(texts: Texts, specifiers: readonly string[]) {
  const { resolve, tree } = resolverOf(
    filesOf('/project', { '.git/HEAD': '', ...texts }),
    undefined,
  );
  const paths = specifiers.map((it) => resolve(it, '/project/main.ts'));
  return { paths, leftOut: tree.leftOut().map(({ path, message }) => `${path} ${message}`) };
}

const json = (value: unknown) => JSON.stringify(value);
const count = (length: number) => Array.from({ length }, (_, i) => i);
const paths = { '@/*': ['./src/*'] };
const source = { 'src/db.ts': '' };
const db = '/project/src/db.ts';

describe('a configuration that leads to itself', () => {
  it('is read once, however often it extends itself', () => {
    const work = (length: number) => {
      const tsconfig = json({
        extends: count(length).map((i) => `./${'./'.repeat(i)}tsconfig.json`),
        references: count(length).map(() => ({ path: './tsconfig.json' })),
        compilerOptions: { paths },
      });
      return callsIn(() => {
        deepStrictEqual(resolved({ 'tsconfig.json': tsconfig, ...source }, ['@/db']), {
          ...{ paths: [db], leftOut: [] },
        });
      });
    };
    work(1);
    const [few, many] = [work(12), work(24)];
    ok(many < 2.5 * few, `${few} calls, then ${many}`);
  });

  it('is read once where others extend it in a lattice', () => {
    const levels = count(40).map((i): [string, string] => [
      `tsconfig.${i}.json`,
      json({ extends: [`./tsconfig.${i + 1}.json`, `./tsconfig.${i + 1}`] }),
    ]);
    const texts = {
      ...Object.fromEntries(levels),
      'tsconfig.json': json({ extends: './tsconfig.0.json' }),
      'tsconfig.40.json': json({ compilerOptions: { paths } }),
    };
    deepStrictEqual(resolved({ ...texts, ...source }, ['@/db']), { paths: [db], leftOut: [] });
  });
});

describe('a configuration of what comes last wins', () => {
  it('over what comes first, and over what either extends', () => {
    const at = (target: string) => ({ paths: { '@/*': [target] } });
    const texts = {
      'tsconfig.json': json({ extends: ['./tsconfig.a.json', './tsconfig.b.json'] }),
      'tsconfig.a.json': json({ compilerOptions: { ...at('./a/*'), baseUrl: './lib' } }),
      'tsconfig.b.json': json({ extends: './tsconfig.c.json' }),
      'tsconfig.c.json': json({ compilerOptions: at('./c/*') }),
      ...{ 'lib/a/db.ts': '', 'lib/c/db.ts': '', 'c/db.ts': '', 'lib/jobs.ts': '' },
    };
    // The base is another's, and holds for all, as for TypeScript.
    deepStrictEqual(resolved(texts, ['@/db', 'jobs']).paths, [
      '/project/lib/c/db.ts',
      '/project/lib/jobs.ts',
    ]);
  });
});

describe('a configuration that says more than anybody writes', () => {
  const overLimits: Readonly<Record<string, readonly [Texts, string]>> = {
    'a chain of files': [
      {
        'tsconfig.json': json({ extends: './tsconfig.0.json', compilerOptions: { paths } }),
        ...Object.fromEntries(
          count(200).map((i) => [`tsconfig.${i}.json`, json({ extends: `./tsconfig.${i + 1}` })]),
        ),
      },
      '/project/tsconfig.json extends over 100 others: the rest is ignored',
    ],
    'bases of one file': [
      {
        'tsconfig.json': json({
          extends: count(10_000).map((i) => `./${i}`),
          compilerOptions: { paths },
        }),
      },
      '/project/tsconfig.json extends over 100 others: the rest is ignored',
    ],
    'parts of one file': [
      {
        'tsconfig.json': json({
          references: count(300).map((i) => ({ path: `./tsconfig.${i}.json` })),
          compilerOptions: { paths },
        }),
      },
      '/project has over 100 configurations of TypeScript: the rest is ignored',
    ],
    'paths with stars': [
      {
        'tsconfig.json': json({
          compilerOptions: {
            paths: {
              ...paths,
              ...Object.fromEntries(count(5_000).map((i) => [`${i}/*`, ['./*']])),
            },
          },
        }),
      },
      '/project/tsconfig.json has over 1,000 names with stars in one table: the rest is ignored',
    ],
    'a workspace of commas': [
      {
        'package.json': json({ workspaces: [`{${','.repeat(400_000)}}`, '{a,b}'.repeat(40)] }),
        'tsconfig.json': json({ compilerOptions: { paths } }),
      },
      '/project has a workspace of over 1,000 characters or 100 alternatives: it is ignored',
    ],
    'a workspace of stars': [
      {
        'package.json': json({ workspaces: count(100).map((i) => '*'.repeat(2_000) + i) }),
        'tsconfig.json': json({ compilerOptions: { paths } }),
      },
      '/project has a workspace of over 1,000 characters or 100 alternatives: it is ignored',
    ],
  };
  for (const [name, [texts, message]] of Object.entries(overLimits)) {
    it(`is named, and what it says before that holds: ${name}`, () => {
      const { paths, leftOut } = resolved({ ...texts, ...source }, ['@/db', 'none']);
      deepStrictEqual([paths, leftOut], [[db, undefined], [message]]);
    });
  }

  it('is named where one import stands for more places than are tried', () => {
    const targets = count(90).map((i) => `./none/${i}`);
    const tsconfig = json({
      compilerOptions: { paths: { a: targets, 'a*': targets, '*': targets } },
    });
    deepStrictEqual(resolved({ 'tsconfig.json': tsconfig }, ['a']).leftOut, [
      '/project has an import with over 200 possible targets: the rest is ignored',
    ]);
    const exports = { '.': count(300).map((i) => `./none/${i}.js`) };
    deepStrictEqual(resolved({ 'package.json': json({ name: 'app', exports }) }, ['app']).leftOut, [
      '/project/package.json has over 200 targets for one name: the rest is ignored',
    ]);
  });

  it('is named where it cannot be read', () => {
    const files = filesOf('/project', { 'package.json': '{}', 'tsconfig.json': '{}' });
    const tree = resolverOf({ ...files, read: () => undefined }, '/project').tree;
    strictEqual(tree.json('/project/tsconfig.json'), undefined);
    deepStrictEqual(tree.leftOut(), [
      { path: '/project/tsconfig.json', message: 'cannot be read, or is larger than 20 MB' },
    ]);
    tree.forget();
    deepStrictEqual(tree.leftOut(), []);
  });
});

describe('what is left out of a configuration', () => {
  it('is told once by a scan, and the files that rest on it are looked at again the next time', async () => {
    const { path } = folderWith({
      'tsconfig.json': json({ extends: count(101).map((i) => `./${i}`) }),
      ...{ 'a.js': "import 'b'; wait(9);", 'b.js': "import 'a'; wait(9);" },
    });
    const asking = {
      ...noWait,
      findings: ({ modules, path }: Parameters<typeof noWait.findings>[0]) => {
        modules?.resolve('none', path);
        return [];
      },
    };
    const { notices } = await scanFiles(filesIn(['.'], { cwd: path }), {
      rules: [asking],
      configurations: configurationsOf([asking]),
      modules: projectModules(path, createClock()),
    });
    deepStrictEqual(notices, [
      {
        path: join(path, 'tsconfig.json'),
        message: 'extends over 100 others: the rest is ignored',
        reason: 'limit',
      },
    ]);
    strictEqual(notices.some(isLasting), false);
  });
});

describe('the work for an import', () => {
  const tables: Readonly<Record<string, (size: number) => Texts>> = {
    paths: (it) => ({
      'tsconfig.json': json({
        compilerOptions: {
          paths: Object.fromEntries(count(it).map((i) => [`p${i}`, ['./src/db']])),
        },
      }),
    }),
    exports: (it) => ({
      'package.json': json({
        name: 'app',
        exports: Object.fromEntries(count(it).map((i) => [`./p${i}`, './src/db.js'])),
      }),
    }),
    imports: (it) => ({
      'package.json': json({
        imports: Object.fromEntries(count(it).map((i) => [`#p${i}`, './src/db.js'])),
      }),
    }),
    aliases: (it) => ({
      'package.json': json({
        _moduleAliases: Object.fromEntries(count(it).map((i) => [`p${i}`, 'src/db'])),
      }),
    }),
    'entries of a folder': (it) => Object.fromEntries(count(it).map((i) => [`other${i}.ts`, ''])),
  };
  const asked: Readonly<Record<string, (i: number) => string>> = {
    ...{ exports: (i) => `app/p${i}`, imports: (i) => `#p${i}` },
    'entries of a folder': (i) => `./none${i}`,
  };
  for (const [name, table] of Object.entries(tables)) {
    it(`does not grow with the number of ${name}`, () => {
      const work = (size: number) => {
        const specifiers = count(size).map(asked[name] ?? ((i) => `p${i}`));
        const files = filesOf('/project', { '.git/HEAD': '', ...source, ...table(size) });
        return callsIn(() => {
          const { resolve } = resolverOf(files, undefined);
          const found = new Set(specifiers.map((it) => resolve(it, '/project/main.ts')));
          deepStrictEqual([...found], [name === 'entries of a folder' ? undefined : db]);
        });
      };
      work(10);
      const [small, large] = [work(500), work(1_000)];
      ok(large < 2.5 * small, `${small} calls, then ${large}`);
    });
  }

  it('does not grow with the stars of workspaces', () => {
    const folders = Object.fromEntries(count(50).map((i) => [`a/b${i}/c/d/package.json`, '{}']));
    const work = (stars: number) =>
      callsIn(() => {
        const workspaces = ['**/'.repeat(stars) + 'none'];
        resolved({ ...folders, 'package.json': json({ workspaces }) }, ['none']);
      });
    work(1);
    const [few, many] = [work(4), work(8)];
    ok(many < 2.5 * few, `${few} calls, then ${many}`);
  });
});

describe('a manifest that is nested without end', () => {
  const depth = 100_000;
  it('is read as far as anybody nests conditions', () => {
    const exports = `${'{"node":'.repeat(depth)}"./src/db.js"${'}'.repeat(depth)}`;
    const { paths, leftOut } = resolved(
      { ...source, 'package.json': `{ "name": "app", "exports": ${exports} }` },
      ['app'],
    );
    deepStrictEqual([paths.length, leftOut.length], [1, 1]);
  });

  it('is no JSON where it is broken, and that takes no time that grows squared', function () {
    this.timeout(60_000);
    const size = 200_000;
    const broken = [
      ...[`"${'\\"'.repeat(size)}`, '/* '.repeat(size), '['.repeat(size), '{"a":'.repeat(size)],
      ...[',  '.repeat(size), '"'.repeat(size)],
    ];
    const read = () => broken.map((it) => jsonOf(`{ // a\n${it}`)).filter((it) => it !== undefined);
    deepStrictEqual([...runInNewContext('read()', { read }, { timeout: 50_000 })], []);
    deepStrictEqual(jsonOf('{ "a\\"//": 1, /* b */ "/*": [2, ], } // c'), { 'a"//': 1, '/*': [2] });
  });
});

describe('a description that is not closed', () => {
  it('is read in a time in proportion to its length', function () {
    this.timeout(120_000);
    const size = 200_000;
    const texts = {
      'package.json': '{ "dependencies": { "@prisma/client": "1" } }',
      'pnpm-workspace.yaml': 'packages: [\n'.repeat(size),
      Dockerfile: `RUN ${'pm2 '.repeat(size)}\n${'instances: 4 replicas: 2\n'.repeat(size)}`,
      'schema.prisma': 'datasource a {\n'.repeat(size),
      'main.ts': '',
    };
    const files = filesOf('/project', { '.git/HEAD': '', ...texts });
    const read = () => {
      resolverOf(files, undefined).resolve('none', '/project/main.ts');
      return deploymentsOf(files, treeOf(files, undefined)).of('/project/main.ts').processes;
    };
    // In a time that grows squared no test would end: it is stopped.
    strictEqual(runInNewContext('read()', { read }, { timeout: 60_000 }), 2);
  });
});
