import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';

describe('the command line', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const run = (args: readonly string[], files: Readonly<Record<string, string | Buffer>> = {}) =>
    cli.run(args, { cwd: folderWith(files).path });

  it('exits with 0 when nothing is found', async () => {
    const clean = await run([], { 'a.js': 'run();' });
    deepStrictEqual(clean, {
      ...{ code: 0, stderr: '' },
      stdout:
        'No dead time found in 1 file, 1 line. `deadtime coverage` shows what Deadtime understands of it.\n',
    });
  });

  it('exits with 2 where it scans no file, and prints why', async () => {
    const test = { 'jobs.test.js': 'wait(9);', 'node_modules/x.js': '', 'notes.txt': '' };
    const cases: readonly (readonly [Parameters<typeof folderWith>[0], args: string[], RegExp])[] =
      [
        [{}, [], /^deadtime: There is no JavaScript or TypeScript code in \.\.\n$/],
        [test, [], /Skipped: jobs\.test\.js \(tests, .*\); node_modules \(dependencies\)\./],
        [{ ...test, 'a.spec.js': '' }, [], /Skipped: a\.spec\.js and 1 more \(tests, /],
        [{ 'a.js': '', '.deadtimeignore': '*.js' }, [], /a\.js \(excluded by .*\.deadtimeignore/],
        [{ 'src/a.js': '' }, ['src', '--ignore-pattern', 'src'], /Skipped: src \(excluded by /],
        [{ 'half.js': 'wait(9' }, [], /^deadtime: half\.js: could not parse: [^\n]*\n$/],
      ];
    for (const [files, args, reason] of cases) {
      const { code, stdout, stderr } = await run(args, files);
      deepStrictEqual([code, stdout], [2, 'No file was scanned.\n']);
      match(stderr, reason);
    }
  });

  it('exits with 0 where one part of a run is empty: others may have files', async () => {
    strictEqual((await run(['--shard', '1/2'])).code, 0);
  });

  it('counts the scanned files, from the cache or not, and no ignored file', async () => {
    const files = { 'a.js': 'run();\n', 'b.js': Buffer.from('\0\0\0\0'), 'half.js': 'wait(9' };
    const { path } = folderWith(files);
    for (const from of ['0 of 1', '1 of 1']) {
      const { stdout, stderr } = await cli.run(['--timing'], { cwd: path });
      strictEqual(stdout, 'Nothing found in 1 file, 1 line. 2 files not scanned.\n');
      match(stderr, /^deadtime: b\.js: is binary\ndeadtime: half\.js: could not parse: /);
      match(stderr, new RegExp(`^${from} files from the cache$`, 'm'));
    }
  });

  it('prints findings, and exits with 1 for an error, or for less with --fail-on', async () => {
    const { code, stdout } = await run(['check', 'src'], { 'src/a.js': 'wait(9);' });
    strictEqual(code, 0);
    strictEqual((await run(['--fail-on', 'warn'], { 'a.js': 'wait(9);' })).code, 1);
    const config = '{ "rules": { "no-wait": "error" } }';
    strictEqual((await run([], { 'a.js': 'wait(9);', 'deadtime.config.json': config })).code, 1);
    strictEqual(
      stdout,
      [
        'src/a.js:1:1  warning  no-wait',
        '  Waits 9 ms.',
        '  Cost: 9 ms each time. Runs at startup',
        '    src/a.js:1  the wait',
        '  Prove it: npx deadtime prove src/a.js:1',
        '',
        '1 finding (1 warning) in 1 file, 1 line.',
        '',
      ].join('\n'),
    );
  });

  it('does not mix a proof into JSON', async () => {
    const { code, stderr } = await run(['--prove', '-f', 'json', '.'], { 'a.js': '' });
    strictEqual(code, 2);
    match(stderr, /--prove prints text/);
  });

  it('exits with 2 for a missing path, and suggests a similar one', async () => {
    const missing = await run(['nowhere', 'a.js'], { 'a.js': '' });
    deepStrictEqual(missing, {
      ...{ code: 2, stdout: '' },
      stderr: 'deadtime: No such file or folder: nowhere\n',
    });
    const behind = await run(['a.js/b.js'], { 'a.js': '' });
    deepStrictEqual(
      [behind.code, behind.stderr],
      [2, 'deadtime: No such file or folder: a.js/b.js\n'],
    );
    for (const [word, meant] of [
      ['chekc', 'check'],
      ['basline', 'baseline'],
      ['help', '--help'],
    ] as const) {
      const { stderr } = await run([word]);
      strictEqual(
        stderr,
        `deadtime: No such file or folder: ${word}. Did you mean deadtime ${meant}?\n`,
      );
    }
    const second = await run(['a.js', 'chekc'], { 'a.js': '' });
    strictEqual(second.stderr, 'deadtime: No such file or folder: chekc\n');
    const rule = await run(['--rule', 'no-wiat', '.']);
    deepStrictEqual(rule, {
      ...{ code: 2, stdout: '' },
      stderr: 'deadtime: There is no rule "no-wiat". Did you mean no-wait?\n',
    });
    const far = await run(['--rule', 'semicolons', '.']);
    match(far.stderr, /The rules are: no-wait\./);
    strictEqual((await run(['--format', 'pdf'])).code, 2);
    strictEqual((await run(['--nonsense'])).code, 2);
  });

  it('exits with 3 when a rule failed and nothing else was found', async () => {
    const failed = await run([], { 'a.js': 'crash();' });
    strictEqual(failed.code, 3);
    match(failed.stderr, /^deadtime: a\.js: no-wait failed: TypeError: this rule cannot read/);
    const both = { 'a.js': 'crash();', 'b.js': 'wait(9);' };
    strictEqual((await run(['--fail-on', 'warn'], both)).code, 1);
  });

  it('exits with 3 when it fails itself, and names its functions in what is to be reported', async () => {
    const { path } = folderWith({
      'clock.cjs': "performance.now = () => { throw Error('broken') }",
    });
    const env = { NODE_OPTIONS: `--require "${join(path, 'clock.cjs').replaceAll('\\', '/')}"` };
    const { code, stderr } = await cli.run(['check'], { cwd: path, env });
    strictEqual(code, 3);
    match(stderr, /^deadtime: internal error, please report it:\nError: broken\n/);
    match(stderr, /^ +at check \(.*command-line\.cjs:\d+:\d+\)$/m);
  });

  it('prints JSON with paths relative to the working directory', async () => {
    const { code, stdout } = await run(['-f', 'json'], {
      'a.js': 'wait(9);',
      'half.js': 'wait(9',
    });
    strictEqual(code, 0);
    const report = JSON.parse(stdout) as Record<string, unknown[]>;
    deepStrictEqual(
      [Object.keys(report), report['findings']?.length],
      [['version', 'findings', 'notices', 'stats'], 1],
    );
    deepStrictEqual(report['notices'], [
      {
        ...{ file: 'half.js', reason: 'syntax' },
        message: 'could not parse: Expected `)` but found `EOF` (line 1)',
      },
    ]);
  });

  it('runs the rules and the profile that are asked for', async () => {
    const files = { 'a.js': 'wait(1);' };
    const codeOf = async (...args: readonly string[]) =>
      (await run(['--fail-on', 'any', ...args], files)).code;
    strictEqual(await codeOf(), 0);
    strictEqual(await codeOf('--profile', 'strict'), 1);
    strictEqual(await codeOf('--profile', 'strict', '--rule', 'deadtime/no-wait'), 1);
  });

  it('applies the configuration next to a file, and its own options before that', async () => {
    const files = {
      'a.js': 'wait(9);',
      'strict/deadtime.config.json': '{ "profile": "strict", "rules": { "no-wait": "error" } }',
      'strict/b.js': 'wait(1);',
    };
    const { stdout } = await run(['-f', 'json'], files);
    const { findings } = JSON.parse(stdout) as { findings: { severity: string }[] };
    deepStrictEqual(
      findings.map((it) => it.severity),
      ['error', 'warning'],
    );
    const options = ['--profile', 'recommended', '--fail-on', 'any'];
    strictEqual((await run([...options, 'strict'], files)).code, 0);
    const shown = await run(['--print-config', 'strict/b.js', '--profile', 'audit'], files);
    match(shown.stdout, /"from": ".*strict.deadtime\.config\.json",\n  "profile": "audit"/);
  });

  it('exits with 2 for an invalid configuration, with a valid alternative', async () => {
    const text = '{ "rules": { "no-wait": "warn" } }';
    const { code, stderr } = await run([], { 'a.js': '', 'deadtime.config.json': text });
    strictEqual(code, 2);
    match(stderr, /^deadtime: .*deadtime\.config\.json:1:14: "no-wait" is one of "off", "error", /);
  });

  it('obeys ignore files, patterns and comments', async () => {
    const files = {
      '.gitignore': 'a.js',
      'a.js': 'wait(9);',
      'b.js': 'wait(9);',
      'c.js': 'wait(9); // eslint-disable-line deadtime/no-wait -- paced',
    };
    const options = ['--fail-on', 'any'];
    strictEqual((await run([...options, '--ignore-pattern', 'b.js'], files)).code, 0);
    strictEqual((await run(options, files)).code, 1);
  });

  it('lists ignored files on stderr, except with --quiet', async () => {
    const files = {
      'binary.js': Buffer.from('\0\0\0\0wait'),
      'half.ts': 'wait(9); class {',
      'large.js': `wait(9);${'run();\n'.repeat(1_500_000)}`,
      'minified.js': 'for(;;){wait(9);a(b,c)}'.repeat(500),
      'nested.js': `wait(9); ${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      'z.js': 'wait(9);',
    };
    const { code, stderr, stdout } = await run([], files);
    strictEqual(code, 0);
    match(stdout, /^z\.js:1:1 /);
    deepStrictEqual(stderr.trimEnd().split('\n'), [
      'deadtime: binary.js: is binary',
      'deadtime: half.ts: could not parse: Expected `}` but found `EOF` (line 1)',
      'deadtime: large.js: is larger than 5 MB',
      'deadtime: minified.js: is minified',
      'deadtime: nested.js: nested too deeply to parse',
    ]);
    strictEqual((await run(['--quiet'], files)).stderr, '');
  });

  it('counts lines and columns after CRLF and a byte-order mark', async () => {
    const { stdout } = await run([], { 'a.js': '\uFEFFwait(9);\r\n\r\n  wait(9);\r\n' });
    deepStrictEqual(stdout.match(/^a\.js:\d+:\d+(?=  w)/gm), ['a.js:1:1', 'a.js:3:3']);
  });

  it('has colors on request, and none in a pipe', async () => {
    const { path } = folderWith({ 'a.js': 'wait(9);' });
    const stdoutOf = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
      (await cli.run(args, { cwd: path, env })).stdout;
    doesNotMatch(await stdoutOf([], {}), /\x1b/);
    match(await stdoutOf([], { FORCE_COLOR: '1' }), /\x1b\[33mwarning/);
    doesNotMatch(await stdoutOf(['--no-color'], { FORCE_COLOR: '1' }), /\x1b/);
    doesNotMatch(await stdoutOf([], { FORCE_COLOR: '1', NO_COLOR: '1' }), /\x1b/);
  });

  it('prints where the time went', async () => {
    const { stderr } = await run(['--timing'], { 'a.js': 'wait(9);' });
    for (const stage of ['search', 'read', 'prefilter', 'parse', 'facts', 'no-wait']) {
      match(stderr, new RegExp(`^ +\\d+\\.\\d ms  ${stage}$`, 'm'));
    }
  });

  it('explains a rule', async () => {
    const { code, stdout } = await run(['explain', 'no-wait']);
    strictEqual(code, 0);
    strictEqual(
      stdout,
      `no-wait: Disallow waiting.

Why
  Time that is waited is gone.

Not a problem
  When somebody asked for it.

Fix
  Wait for nothing.

Prove it
  npx deadtime prove no-wait
`,
    );
    const unknown = await run(['explain', 'wait-no']);
    deepStrictEqual([unknown.code, unknown.stdout], [2, '']);
  });

  it('explains the finding at a place, however sure it is', async () => {
    const files = { 'a.js': '\nwait(1);' };
    const { code, stdout } = await run(['explain', 'a.js:2'], files);
    strictEqual(code, 0);
    strictEqual(
      stdout,
      `a.js:2:1  hint  no-wait

Why
  Waits 1 ms, which is little.
  Time that is waited is gone.

Cost
  Runs at startup
  Estimated: 1 ms vs 1 ms: \`sleepMs vs 1\`
  sleepMs 1 ms (from the code), how long it sleeps
  port 0 (assumed: the default of node 20), where it listens

See
  a.js:2  the wait

Not a problem
  When somebody asked for it.

Fix
  Remove the wait of 1 ms (the order of effects changes)

Prove it
  npx deadtime prove a.js:2
`,
    );
    const elsewhere = await run(['explain', 'a.js:1'], files);
    strictEqual(elsewhere.code, 2);
    match(
      elsewhere.stderr,
      /There is no finding at a\.js:1\. The nearest are:\n  a\.js:2  no-wait/,
    );
  });

  it('reports why a place has nothing to explain', async () => {
    const files = { 'half.js': 'wait(1', 'a\nb.js': 'wait(1);' };
    const saidOf = async (place: string) => (await run(['explain', place], files)).stderr;
    match(
      await saidOf('half.js:1'),
      /: There is no finding at half\.js:1\. half\.js: could not parse/,
    );
    for (const place of ['none.js:1', 'half.js/a.js:1', `${'long'.repeat(1_000)}:1`]) {
      strictEqual(await saidOf(place), `deadtime: No such file: ${place.slice(0, -2)}\n`);
    }
    // Windows has no such names.
    if (process.platform !== 'win32') strictEqual(await saidOf('a\nb.js:1'), '');
  });

  it('prints its version and shows examples', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    deepStrictEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await run(['--help']);
    strictEqual(help.code, 0);
    match(help.stdout, /Examples:\n  deadtime  /);
    const commands = [...help.stdout.matchAll(/^  ([a-z][\w-]*) .*/gm)].map((it) => it[1]!);
    const named = commands.filter((it) => it !== 'deadtime');
    ok(named.length > 10);
    for (const it of named) {
      match((await run([it, '--help'])).stdout, /\n(?:Examples|Claude Code, .*):\n  /, it);
    }
  });

  it('begins each error with its name, from any source, and points at the help of that command', async () => {
    const saidOf = async (...args: readonly string[]) => (await run(args)).stderr;
    strictEqual(
      await saidOf('--fromat', 'json'),
      [
        "deadtime: Unknown option '--fromat'",
        '(Did you mean --format?)',
        '(deadtime check --help shows the options and examples)',
        '',
      ].join('\n'),
    );
    strictEqual(
      await saidOf('explain'),
      "deadtime: Missing required argument 'what'\n(deadtime explain --help shows the options and examples)\n",
    );
    match(
      await saidOf('--format', 'pdf'),
      /^deadtime: Option .* is invalid\. The formats are .*\.\n/,
    );
    match(
      await saidOf('init', '--ci', 'none'),
      /^deadtime: Option .* Allowed choices are github, gitlab\.\n/,
    );
    match(await saidOf('--rule', 'semicolons'), /^deadtime: There is no rule/);
  });

  it('stops without a word when its reader has read enough', async () => {
    const { path } = folderWith({ 'a.js': 'wait(9);\n'.repeat(20_000) });
    const { stderr } = await cli.run(['-f', 'json'], { cwd: path, readsOnce: true });
    strictEqual(stderr, '');
  });

  it('exits with 130 when interrupted, and prints nothing', async () => {
    const text = 'wait(1);\n'.repeat(2_000);
    const names = Array.from({ length: 100 }, (_, i) => [`b${i}.js`, text]);
    const { path } = folderWith({ 'a.js': 'interrupt();', ...Object.fromEntries(names) });
    deepStrictEqual(await cli.run([], { cwd: path }), { code: 130, stdout: '', stderr: '' });
  });
});
