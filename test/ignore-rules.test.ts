import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { ignoreRulesOf } from '../src/project/ignore-rules.ts';
import { folderWith } from './fakes/folder.ts';
import { callsIn } from './fakes/work.ts';
import { isFull } from './lanes.ts';

/** Those of the paths that the lines ignore. One that ends in a slash is a folder. */
function ignored(lines: readonly string[], ...paths: readonly string[]): readonly string[] {
  const { says } = ignoreRulesOf(lines);
  return paths.filter((it) => says(it.replace(/\/$/, ''), it.endsWith('/')) === true);
}

describe('the rules of an ignore file', () => {
  const rows: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
    'are for a name in every folder': [['a.js'], ['a.js', 'b/a.js'], ['xa.js', 'a.js/b']],
    'are for a path from the folder of the file, where they have a slash': [
      ['/a', 'b/c'],
      ['a', 'b/c'],
      ['b/a', 'x/b/c', 'b/c/d', 'c'],
    ],
    'are for folders alone with a slash at the end': [['a/'], ['a/', 'b/a/'], ['a', 'b/a']],
    'have stars that no slash fits': [
      ['*.log', 'x/*.js', 'a*c'],
      ['.log', 'y/a.log', 'x/a.js', 'abbc', 'ac'],
      ['a.logs', 'x/y/a.js', 'y/x/a.js', 'a/c'],
    ],
    'have two stars for any folders': [
      ['**/a/b', 'c/**/d', 'e/**', '**/f'],
      ['a/b', 'x/y/a/b', 'c/d', 'c/x/y/d', 'e/x', 'e/x/y', 'f', 'x/f'],
      ['xa/b', 'cd', 'c/xd', 'e', 'xf'],
    ],
    'have as many stars as they like where there are others beside them': [
      ['a***b', 'x/?**?/y'],
      ['ab', 'axxb', 'x/ab/y', 'x/abc/y'],
      ['a/b', 'x/a/y', 'x/a/b/y'],
    ],
    'have question marks for one character': [
      ['a?c', 'é?'],
      ['abc', 'éa', 'é😀'],
      ['ac', 'a/c'],
    ],
    'have sets of characters': [
      ['[ab]1', '[c-e]2', '[!x-z]3', '[]-]4', '[^\\]]5', '[[:digit:][:upper:]_-]6'],
      ['a1', 'd2', 'a3', ']4', '-4', 'a5', '76', 'x6', '_6', '-6'],
      ['c1', 'f2', 'y3', 'a4', ']5', '.6'],
    ],
    'have sets that no slash is in': [
      ['a[!b]c', 'x/[.-0]/y'],
      ['axc', 'x/0/y'],
      ['a/c', 'x///y'],
    ],
    'fit nothing with a set that is not closed, or of an unknown name': [
      ['[', '[]', 'a[b', '[[:dig:]]', '[[:'],
      [],
      ['[', '[]', 'a[b', 'd', 'ab'],
    ],
    'have backslashes before what is meant as it stands': [
      ['\\*', '\\!a', '\\#b', 'c\\d', 'e\\'],
      ['*', '!a', '#b', 'cd'],
      ['x', 'a', 'b', 'e', 'e\\'],
    ],
    'are not comments and spaces at the end': [
      ['# a', '', '  ', 'a  ', 'b\\ ', '#', ' c'],
      ['a', 'b ', ' c'],
      ['# a', 'b', 'c', '#'],
    ],
    'take back in what those before them have ignored': [
      ['*.js', '!a.js', 'lib/a.js', '!b', 'b'],
      ['b.js', 'lib/a.js', 'b'],
      ['a.js', 'x/a.js'],
    ],
    'do not care for capitals': [
      ['Build/', '[A-C]x', '*.LOG', 'É', '[^q]Q'],
      ['build/', 'bX', 'a.Log', 'é', 'zq'],
      ['dx', 'qq', 'Qq'],
    ],
    'are nothing for lines of slashes and marks': [['/', '!', '//', 'a//', '!!'], [], ['a', 'a/']],
  };
  for (const [name, [lines, yes, no]] of Object.entries(rows)) {
    it(name, () => deepStrictEqual(ignored(lines, ...yes, ...no), yes));
  }

  it('distinguish a path that is included again from one without a rule', () => {
    const { says } = ignoreRulesOf(['!a', 'b']);
    deepStrictEqual(
      [says('a', false), says('b', false), says('c', false)],
      [false, true, undefined],
    );
  });

  it('give the same result as git for any path', function () {
    this.timeout(120_000);
    const { path: cwd, write } = folderWith({});
    execFileSync('git', ['init', '--quiet', cwd]);
    const pieces = [
      ...['a', 'b', 'ab', '.', '-', '*', '**', '?', '/', '/', '**/', '/**', 'a*', '*.b', '!', '#'],
      ...['[a-b]', '[!a]', '[]a]', '[^b]', '[b-a]', '[[:alpha:]]', '[[:digit:]a-]', '[', ']'],
      ...['\\*', '\\a', '\\', ' '],
    ];
    const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 });
    const lines = fc.array(
      pattern.map((it) => it.join('')),
      { minLength: 1, maxLength: 4 },
    );
    const name = fc.stringMatching(/^[ab*[\]1-][ab.*[\]1-]{0,3}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((it) => it.join('/'));
    const cases = fc.tuple(lines, fc.array(path, { minLength: 10, maxLength: 30 }));
    fc.assert(
      fc.property(cases, ([lines, paths]) => {
        write({ '.gitignore': `${lines.join('\n')}\n` });
        const said = paths.map((it) => whole(lines, it));
        deepStrictEqual(said, saidByGit(cwd, paths));
      }),
      { numRuns: isFull ? 300 : 100 },
    );
  });

  it('take a time in proportion to the lengths of pattern and path', () => {
    const shapes: Readonly<Record<string, (size: number) => readonly [string, string]>> = {
      'folders and stars': (it) => [`${'a*/**/'.repeat(it / 6)}b`, 'a/'.repeat(it / 2) + 'a'],
      stars: (it) => [`${'*a'.repeat(it / 2)}b`, 'a'.repeat(it)],
      marks: (it) => [`*${'?'.repeat(it)}b`, 'a'.repeat(2 * it)],
      sets: (it) => [`x/**${'/[ab]*'.repeat(it / 6)}b`, `x${'/a'.repeat(it / 2)}`],
    };
    for (const [name, shape] of Object.entries(shapes)) {
      const work = ([pattern, path]: readonly [string, string]) => {
        const { says, isCut } = ignoreRulesOf([pattern]);
        strictEqual(isCut, false);
        return callsIn(() => says(path, false));
      };
      for (const size of isFull ? [120, 240, 480] : [60, 120, 240]) {
        const [pattern, path] = shape(size);
        const calls = work([pattern, path]);
        ok(calls <= 3 * pattern.length * path.length + 100, `${name}: ${calls} calls for ${size}`);
      }
    }
  });

  it('are looked up where they are spelled out, however many', () => {
    const { says, isCut } = ignoreRulesOf(Array.from({ length: 20_000 }, (_, i) => `/gen/${i}.js`));
    strictEqual(isCut, false);
    const calls = callsIn(() => deepStrictEqual(says('gen/19999.js', false), true));
    ok(calls < 20, `${calls}`);
  });

  it('are ignored where they take too long', () => {
    const long = `${'*?'.repeat(501)}`;
    const many = Array.from({ length: 3_000 }, (_, i) => `*${i}?`);
    for (const lines of [[long], many, Array.from({ length: 10_001 }, (_, i) => `*.${i}`)]) {
      strictEqual(ignoreRulesOf(lines).isCut, true);
      const { says } = ignoreRulesOf(['/first', ...lines, '/last']);
      deepStrictEqual([says('first', false), says('last', false)], [true, true]);
    }
    strictEqual(ignoreRulesOf(['[ab]?*'], 9_995).isCut, true);
    strictEqual(ignoreRulesOf(['[ab]?'], 9_995).isCut, false);
  });
});

/** What the rules say of a path, or of a folder above it, which decides where it is ignored. */
function whole(lines: readonly string[], path: string): boolean | undefined {
  const { says } = ignoreRulesOf(lines);
  const names = path.split('/');
  const isAbove = names.some((_, i) => i > 0 && says(names.slice(0, i).join('/'), true) === true);
  return isAbove || says(path, false);
}

function saidByGit(cwd: string, paths: readonly string[]): readonly (boolean | undefined)[] {
  // Whatever the machine is set to.
  const settings = ['core.ignorecase=true', 'core.excludesFile=/dev/null'];
  const command = ['check-ignore', '--verbose', '--non-matching', '-z', '--no-index', '--stdin'];
  const { stdout, stderr } = spawnSync(
    'git',
    [...settings.flatMap((it) => ['-c', it]), ...command],
    { cwd, input: paths.join('\0'), encoding: 'utf8' },
  );
  strictEqual(stderr, '');
  // Of each path: file, line, pattern, path.
  const fields = stdout.split('\0');
  return paths.map((_, i) => {
    const [source, , pattern = ''] = fields.slice(4 * i);
    return source === '' ? undefined : !pattern.startsWith('!');
  });
}
