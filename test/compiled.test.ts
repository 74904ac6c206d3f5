import {
  deepStrictEqual,
  match,
  notStrictEqual,
  ok,
  strictEqual,
  throws,
} from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type CompiledOptions, compiledFrom } from '../src/cli/compiled/compiled.ts';
import { builtCli } from './fakes/built-cli.ts';
import { type TemporaryProject, temporaryProject } from './projects.ts';

/** The first of two files whose modules use each other. */
const source = `const { basename } = require('node:path');
module.exports = {
  './greet.ts': () => ({ greet: (name) => [moduleUrl, basename('/hello') + ' ' + name] }),
};`;
const other = `const { greet } = require('./greet.ts');
module.exports = { './twice.ts': () => ({ twice: (name) => [greet(name), greet(name)] }) };`;
const moduleUrl = 'file:///package/dist/cli.js';

describe('what is kept compiled', () => {
  let project: TemporaryProject;
  const folder = () => project.pathOf('compiled');
  const from = (options: Partial<CompiledOptions> = {}) =>
    compiledFrom([project.pathOf('greet.cjs'), project.pathOf('twice.cjs')], {
      ...{ moduleUrl, folder: folder(), use: 'check', ...options },
    });
  const loaded = (use = 'check') => {
    const it = from({ use });
    const { greet } = it.require('./greet.ts') as { greet(name: string): readonly string[] };
    return { ...it, said: greet('a') };
  };
  const said = [moduleUrl, 'hello a'];
  const onlyFile = () => {
    const [name, ...others] = readdirSync(folder());
    deepStrictEqual(others, []);
    return join(folder(), name!);
  };

  beforeEach(
    () =>
      (project = temporaryProject(
        new Map([
          ['greet.cjs', source],
          ['twice.cjs', other],
        ]),
      )),
  );
  afterEach(() => project.remove());

  it('is written once, and does what its source does', () => {
    loaded().keep();
    const { ino } = statSync(onlyFile());
    const next = loaded();
    next.keep();
    deepStrictEqual(next.said, said);
    strictEqual(statSync(onlyFile()).ino, ino);
  });

  it('differs for a different text, use and Node.js', () => {
    loaded().keep();
    loaded('hook').keep();
    strictEqual(readdirSync(folder()).length, 2);
    const version = Object.getOwnPropertyDescriptor(process, 'version')!;
    Object.defineProperty(process, 'version', { ...version, value: 'v0.0.0' });
    try {
      loaded().keep();
    } finally {
      Object.defineProperty(process, 'version', version);
    }
    strictEqual(readdirSync(folder()).length, 3);
    // V8 takes a text of the same length for the same.
    writeFileSync(project.pathOf('greet.cjs'), source.replace('hello', 'howdy'));
    const next = loaded();
    deepStrictEqual(next.said, [moduleUrl, 'howdy a']);
    next.keep();
    strictEqual(readdirSync(folder()).length, 4);
  });

  it('is of the files that have the modules that were asked for, each once', () => {
    const { require, keep } = from();
    require('./greet.ts');
    strictEqual(require('./greet.ts'), require('./greet.ts'));
    keep();
    onlyFile();
    const { twice } = require('./twice.ts') as { twice(name: string): unknown };
    deepStrictEqual(twice('a'), [said, said]);
    keep();
    strictEqual(readdirSync(folder()).length, 2);
    throws(() => require('./nobody.ts'), /nobody\.ts/);
  });

  for (const [damage, damaged] of [
    ['of zeros from somewhere on', (it: Buffer) => Buffer.from(it).fill(0, it.length >> 1)],
    ['changed by a bit', (it: Buffer) => it.with(it.length >> 1, it[it.length >> 1]! ^ 1)],
    ['cut off', (it: Buffer) => it.subarray(0, it.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
  ] as const) {
    it(`is rebuilt where it is ${damage}`, () => {
      loaded().keep();
      const whole = readFileSync(onlyFile());
      writeFileSync(onlyFile(), damaged(whole));
      const next = loaded();
      deepStrictEqual(next.said, said);
      next.keep();
      strictEqual(readFileSync(onlyFile()).length, whole.length);
    });
  }

  it('is rebuilt where other users can read it, as files of a checkout are', function () {
    if (process.platform === 'win32') return this.skip();
    loaded().keep();
    const { ino } = statSync(onlyFile());
    chmodSync(onlyFile(), 0o644);
    const next = loaded();
    next.keep();
    deepStrictEqual(next.said, said);
    notStrictEqual(statSync(onlyFile()).ino, ino);
    strictEqual(statSync(onlyFile()).mode & 0o777, 0o600);
  });

  it('may be missing: where there is no folder for it, and where nothing can be written', () => {
    for (const folder of [undefined, project.pathOf('greet.cjs')]) {
      const { require, keep } = from({ folder });
      ok(require('./greet.ts'));
      keep();
    }
    strictEqual(readFileSync(project.pathOf('greet.cjs'), 'utf8'), source);
  });

  describe('of the command line', function () {
    this.timeout(60_000);
    let cli: string;
    before(async () => (cli = await builtCli()));
    const compiled = () => join(project.pathOf('cache'), 'deadtime', 'compiled');
    const run = (...parameters: readonly string[]) => runOf(cli, parameters);
    const runOf = (entry: string, parameters: readonly string[]) =>
      new Promise<string>((done) => {
        const cache = project.pathOf('cache');
        const child = spawn(process.execPath, [entry, ...parameters], {
          cwd: project.root,
          env: { ...process.env, XDG_CACHE_HOME: cache, NO_COLOR: '1' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let text = '';
        for (const it of [child.stdout, child.stderr]) it.on('data', (some) => (text += some));
        child.on('close', (code) => done(`${text}${code}`));
      });
    before(function () {
      // Elsewhere the cache has another name.
      if (process.platform !== 'linux') this.skip();
    });

    it('is what a check needs, after any other command', async () => {
      await run('--version');
      await run('explain', 'no-hot-path-sleep');
      ok(!readdirSync(project.root).includes('cache'));
      const first = await run('check', '--no-cache');
      const names = readdirSync(compiled());
      strictEqual(names.length, 2);
      const numbers = () => names.map((it) => statSync(join(compiled(), it)).ino);
      const before = numbers();
      deepStrictEqual(await run('--no-cache', '.'), first);
      deepStrictEqual(numbers(), before);
    });

    it('is of texts in ASCII, which are read faster', () => {
      for (const it of ['command-line.cjs', 'commands.cjs']) {
        ok(isAscii(readFileSync(join(dirname(cli), it))), it);
      }
    });

    it('has the names of the model as lists, which no start makes', () => {
      const code = readFileSync(join(dirname(cli), 'commands.cjs'), 'latin1');
      for (const it of ['acquiringNames', 'serverPackages']) {
        match(code, new RegExp(`\\b${it} ?= ?new Set\\(\\["`));
      }
    });

    it('is one file where an earlier run has answered', async () => {
      const installed = temporaryProject(new Map([['package.json', '{ "type": "module" }']]));
      const check = ['check', '--cache-location', installed.pathOf('kept')];
      try {
        // Otherwise folders above it count, in which others write.
        mkdirSync(project.pathOf('.git'));
        // What is compiled lies in the project, whose folders are looked at.
        await run('--no-cache');
        const first = await run(...check);
        cpSync(dirname(cli), installed.pathOf('dist'), { recursive: true });
        rmSync(installed.pathOf('dist/commands.cjs'));
        strictEqual(await runOf(installed.pathOf('dist/cli.js'), check), first);
        match(await runOf(installed.pathOf('dist/cli.js'), ['--no-cache']), /commands\.cjs/);
      } finally {
        installed.remove();
      }
    });

    it('is whole after checks at the same time, also where the folder goes meanwhile', async () => {
      const first = await run('--no-cache');
      rmSync(compiled(), { recursive: true });
      const all = Array.from({ length: 4 }, () => run('--no-cache'));
      deepStrictEqual(new Set(await Promise.all(all)), new Set([first]));
      strictEqual(readdirSync(compiled()).length, 2);
      rmSync(compiled(), { recursive: true });
      mkdirSync(project.pathOf('cache/deadtime'), { recursive: true });
      writeFileSync(compiled(), 'in the way');
      strictEqual(await run('--no-cache'), first);
    });
  });
});
