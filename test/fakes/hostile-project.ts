import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from './folder.ts';
import { type GitRepository, repositoryWith } from './git-repository.ts';

/** A repository of which every file that a tool might run leaves a trace when it is run. */
export interface HostileProject extends GitRepository {
  /** What a command has after `npx`, or where somebody put `.` in front; and a home without caches. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of what has been run so far. */
  traces(): readonly string[];
  forget(trace: string): void;
  /** A module's text, of either format. */
  trap(name: string): string;
}

/** With a finding of `no-wait` that is committed, in `src/a.js`, and one that is not, in `src/b.js`. */
export function hostileProject(): HostileProject {
  const [traces, home] = [folderWith({}).path, folderWith({}).path];
  const traced = (name: string) => join(traces, name);
  // No `touch`: it may run without a PATH.
  const script = (name: string) => `#!/bin/sh\n: > '${traced(name)}'\n`;
  const module = (name: string) =>
    `process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(traced(name))}, '');\n`;
  const programs = [
    ...['git', 'node', 'npx', 'sh', 'unshare'],
    ...['postgres', 'initdb', 'mariadbd', 'mysqld'],
  ];
  const bins = ['', 'node_modules/.bin/'].flatMap((folder) =>
    programs.map((it) => [`${folder}${it}`, script(`program ${it}`)] as const),
  );
  const packages = [
    ...['typescript', '@typescript/native', 'oxc-parser'],
    ...['eslint', 'pg', 'mysql2'],
  ];
  const repository = repositoryWith({
    'package.json': JSON.stringify({
      name: 'hostile',
      scripts: { prepare: `touch ${traced('prepare')}`, test: `touch ${traced('test')}` },
    }),
    '.gitattributes': '* filter=trap diff=trap\n',
    '.env': 'NODE_OPTIONS=--require ./required.js\n',
    '.npmrc': 'node-options=--require ./required.js\nscript-shell=./sh\n',
    'required.js': module('NODE_OPTIONS'),
    '.pnp.cjs': module('.pnp.cjs'),
    'tsconfig.json': JSON.stringify({
      extends: './base.js',
      compilerOptions: { plugins: [{ name: './required.js' }] },
    }),
    'base.js': module('extends of tsconfig.json'),
    'eslint.config.js': module('eslint.config.js'),
    ...Object.fromEntries(bins),
    ...Object.fromEntries(
      packages.flatMap((it) => [
        [
          `node_modules/${it}/package.json`,
          JSON.stringify({ name: it, version: '6.0.3', main: 'index.js' }),
        ],
        [`node_modules/${it}/index.js`, module(`package ${it}`)],
      ]),
    ),
    'src/a.js': `import { run } from './c.js';\nimport ts from 'typescript';\nwait(7);\n`,
    'src/c.js': `${module('import')}export const run = (tool) => tool();\n`,
  });
  for (const [name] of bins) chmodSync(join(repository.path, name), 0o755);
  repository.write({
    'src/a.js': `import { run } from './c.js';\nimport ts from 'typescript';\nrun(ts);\nwait(7);\n`,
    'src/b.js': 'wait(8);\n',
  });
  setTraps(repository, traced, script);
  return {
    ...repository,
    env: {
      PATH: `${join(repository.path, 'node_modules/.bin')}:.:${process.env['PATH']}`,
      ...{ HOME: home, XDG_CACHE_HOME: home },
    },
    traces: () => readdirSync(traces).sort(),
    forget: (name) => rmSync(traced(name)),
    trap: module,
  };
}

/** In `.git/`, which comes with an archive of a project, though not with a clone. */
function setTraps(
  { git, path, write }: GitRepository,
  traced: (name: string) => string,
  script: (name: string) => string,
): void {
  const settings = [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass'],
    ...['core.gitProxy', 'core.alternateRefsCommand', 'credential.helper', 'gpg.program'],
    ...['diff.external', 'diff.trap.command'],
  ];
  for (const it of settings) git('config', it, `touch '${traced(it)}';:`);
  for (const it of ['diff.trap.textconv', 'filter.trap.clean', 'filter.trap.smudge']) {
    git('config', it, `touch '${traced(it)}'; cat`);
  }
  write({
    '.git/included': `[filter "trap"]\n\tprocess = touch '${traced('filter.trap.process')}'; false\n`,
  });
  git('config', 'include.path', 'included');
  for (const it of ['diff', 'rev-parse', 'ls-files']) {
    git('config', `alias.${it}`, `!touch '${traced(`alias ${it}`)}'`);
  }
  // A partial clone fetches the objects that it lacks.
  git('config', 'remote.trap.url', `ext::touch ${traced('fetch')}`);
  git('config', 'remote.trap.promisor', 'true');
  git('config', 'extensions.partialClone', 'trap');
  git('config', 'protocol.ext.allow', 'always');
  const hooks = ['post-index-change', 'reference-transaction', 'pre-commit', 'post-checkout'];
  for (const it of hooks) {
    write({ [`.git/hooks/${it}`]: script(`hook ${it}`) });
    chmodSync(join(path, '.git/hooks', it), 0o755);
  }
}
