import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { requireCompiled } from '../cli/compiled/compiled.ts';
import { builtCli } from './fakes/built-cli.ts';
import { type TemporaryProject, temporaryProject } from './projects.ts';

const source = `const { basename } = require('node:path');
module.exports = { greet: (name) => [moduleUrl, basename('/hello') + ' ' + name] };`;
const moduleUrl = 'file:///package/dist/cli.js';

describe('what is kept compiled', () => {
  let project: TemporaryProject;
  const folder = () => project.pathOf('compiled');
  const loaded = (use = 'check') => {
    const it = requireCompiled(project.pathOf('greet.cjs'), { moduleUrl, folder: folder(), use });
    const { greet } = it.exports as { greet(name: string): readonly string[] };
    return { ...it, said: greet('a') };
  };
  const said = [moduleUrl, 'hello a'];
  const onlyFile = () => {
    const [name, ...others] = readdirSync(folder());
    deepStrictEqual(others, []);
    return join(folder(), name!);
  };

  beforeEach(() => (project = temporaryProject(new Map([['greet.cjs', source]]))));
  afterEach(() => project.remove());

  it('is written once, and does what its source does', () => {
    loaded().keep();
    const { ino } = statSync(onlyFile());
    const next = loaded();
    next.keep();
    deepStrictEqual(next.said, said);
    strictEqual(statSync(onlyFile()).ino, ino);
  });

  it('is another for another text, another use and another Node.js', () => {
    const { digest } = loaded();
    notStrictEqual(loaded('hook').digest, digest);
    const version = Object.getOwnPropertyDescriptor(process, 'version')!;
    Object.defineProperty(process, 'version', { ...version, value: 'v0.0.0' });
    try {
      notStrictEqual(loaded().digest, digest);
    } finally {
      Object.defineProperty(process, 'version', version);
    }
    // V8 takes a text of the same length for the same.
    writeFileSync(project.pathOf('greet.cjs'), source.replace('hello', 'howdy'));
    notStrictEqual(loaded().digest, digest);
    deepStrictEqual(loaded().said, [moduleUrl, 'howdy a']);
  });

  for (const [damage, damaged] of [
    ['of zeros from somewhere on', (it: Buffer) => Buffer.from(it).fill(0, it.length >> 1)],
    ['changed by a bit', (it: Buffer) => it.with(it.length >> 1, it[it.length >> 1]! ^ 1)],
    ['cut off', (it: Buffer) => it.subarray(0, it.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
  ] as const) {
    it(`is made anew where it is ${damage}`, () => {
      loaded().keep();
      const whole = readFileSync(onlyFile());
      writeFileSync(onlyFile(), damaged(whole));
      const next = loaded();
      deepStrictEqual(next.said, said);
      next.keep();
      strictEqual(readFileSync(onlyFile()).length, whole.length);
    });
  }

  it('is made anew where others can read it, as they can what comes with a checkout', function () {
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
      const { exports, keep } = requireCompiled(project.pathOf('greet.cjs'), {
        ...{ moduleUrl, folder, use: 'check' },
      });
      keep();
      ok(exports);
    }
    strictEqual(readFileSync(project.pathOf('greet.cjs'), 'utf8'), source);
  });

  describe('of the command line', function () {
    this.timeout(60_000);
    let cli: string;
    before(async () => (cli = await builtCli()));
    const compiled = () => join(project.pathOf('cache'), 'deadtime', 'compiled');
    const run = (...parameters: readonly string[]) =>
      new Promise<string>((done) => {
        const cache = project.pathOf('cache');
        const child = spawn(process.execPath, [cli, ...parameters], {
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

    it('is what a check needs, whatever ran before it', async () => {
      await run('--version');
      await run('explain', 'no-hot-path-sleep');
      ok(!readdirSync(project.root).includes('cache'));
      const first = await run('check', '--no-cache');
      const [name, ...others] = readdirSync(compiled());
      deepStrictEqual(others, []);
      const { ino } = statSync(join(compiled(), name!));
      deepStrictEqual(await run('--no-cache', '.'), first);
      strictEqual(statSync(join(compiled(), name!)).ino, ino);
    });

    it('is whole after checks at the same time, also where the folder goes meanwhile', async () => {
      const first = await run('--no-cache');
      rmSync(compiled(), { recursive: true });
      const all = Array.from({ length: 4 }, () => run('--no-cache'));
      deepStrictEqual(new Set(await Promise.all(all)), new Set([first]));
      strictEqual(readdirSync(compiled()).length, 1);
      rmSync(compiled(), { recursive: true });
      mkdirSync(project.pathOf('cache/deadtime'), { recursive: true });
      writeFileSync(compiled(), 'in the way');
      strictEqual(await run('--no-cache'), first);
    });
  });
});
