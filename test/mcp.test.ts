import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import type { Recording } from '../src/runtime/recording.ts';
import { type Folder, folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';
import { recorded } from './fakes/recorded.ts';

/** What a model reads of the tools in every session. */
const MOST_TOKENS = 560;

// `no-wait` has a benchmark that sleeps, and for waits of 7 ms one that only counts.
const files = {
  'project/.git/HEAD': '',
  'project/src/a.js': 'wait(9);\nwait(7);\n',
  'project/src/b.js': 'run();\nwait(1);\n',
  'secret.js': 'wait(9);\n',
};

interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
}

describe('deadtime mcp', function () {
  this.timeout(60_000);
  let cli: FakeCli;
  let client: Client;
  let folder: Folder;
  let root: string;

  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());
  beforeEach(async () => {
    folder = folderWith(files);
    root = folder.path;
    client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        ...{ command: process.execPath, args: [cli.entry, 'mcp'] },
        cwd: join(root, 'project'),
      }),
    );
  });
  afterEach(() => client.close());

  async function call(
    name: string,
    parameters: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const options = signal === undefined ? {} : { signal };
    const result = await client.callTool({ name, arguments: parameters }, options);
    const [content] = result.content;
    return {
      text: content?.type === 'text' ? content.text : '',
      data: result.structuredContent as Answer['data'],
      isError: result.isError ?? false,
    };
  }

  const idsOf = ({ data }: Answer) =>
    (data?.['findings'] as readonly { readonly id: string }[]).map((it) => it.id);

  it(`has five tools in at most ${MOST_TOKENS} tokens, of which none changes code`, async () => {
    const { tools } = await client.listTools();
    deepStrictEqual(
      tools.map(({ name, annotations }) => [name, annotations]),
      [
        ['check_code', { readOnlyHint: true, openWorldHint: false }],
        ['explain_finding', { readOnlyHint: true, openWorldHint: false }],
        ['prove_finding', { destructiveHint: false, openWorldHint: false }],
        ['measured_waits', { readOnlyHint: true, openWorldHint: false }],
        ['resolve_unknowns', { destructiveHint: false, openWorldHint: false }],
      ],
    );
    const tokens = countTokens(JSON.stringify(tools));
    ok(tokens <= MOST_TOKENS, `${tokens} tokens`);
  });

  it('checks files and folders, and lists ignored files', async () => {
    const all = await call('check_code', {});
    deepStrictEqual(all.data, {
      findings: [
        {
          ...{ id: 'src/a.js:1:1', rule: 'no-wait', severity: 'warning' },
          ...{ message: 'Waits 9 ms.', cost: '9 ms each time' },
        },
        {
          ...{ id: 'src/a.js:2:1', rule: 'no-wait', severity: 'warning' },
          ...{ message: 'Waits 7 ms.', cost: '7 ms each time' },
        },
      ],
      ...{ total: 2, truncated: false },
    });
    match(all.text, /^deadtime: 2 findings\nsrc\/a\.js:1,2 no-wait .*\n/);
    const one = await call('check_code', { paths: ['src'], max: 1 });
    deepStrictEqual([idsOf(one), one.data?.['truncated']], [['src/a.js:1:1'], true]);
    match(one.text, /1 more/);
    deepStrictEqual(idsOf(await call('check_code', { paths: ['src/b.js'] })), []);
  });

  it('checks an unsaved text, under the name of its file', async () => {
    const code = 'run();\nwait(5);\n';
    const given = await call('check_code', { code, paths: ['src/new/c.ts'] });
    deepStrictEqual(idsOf(given), ['src/new/c.ts:2:1']);
    deepStrictEqual(idsOf(await call('check_code', { code })), ['snippet.ts:2:1']);
    const half = await call('check_code', { code: 'wait(5' });
    match(half.text, /snippet\.ts: could not parse/);
  });

  it('reports errors of a configuration', async () => {
    folder.write({ 'project/strict/deadtime.config.json': '{', 'project/strict/c.js': 'wait(9);' });
    const mistake =
      /strict\/deadtime\.config\.json:1:2: close brace expected\. Fix the syntax of its JSON\.$/;
    const diff = '--- /dev/null\n+++ b/strict/d.js\n@@ -0,0 +1 @@\n+wait(9);\n';
    for (const input of [
      { paths: ['strict'] },
      { code: 'wait(9);', paths: ['strict/d.js'] },
      { diff },
    ]) {
      match((await call('check_code', input)).text.replaceAll('\\', '/'), mistake);
    }
  });

  it('names at most 20 unreadable files', async () => {
    const broken = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => [`project/${name}/${i}.js`, 'wait(5'] as const);
    folder.write(
      Object.fromEntries([...broken('few', 20), ...broken('one', 21), ...broken('many', 30)]),
    );
    for (const [path, more] of [
      ['few', []],
      ['one', ['1 more file was ignored.']],
      ['many', ['10 more files were ignored.']],
    ] as const) {
      const { text, data } = await call('check_code', { paths: [path] });
      const notices = data?.['notices'] as readonly string[];
      deepStrictEqual([path, notices.slice(20)], [path, more]);
      deepStrictEqual(text.split('\n').slice(-notices.length), notices);
      strictEqual(text.match(/could not parse/g)?.length, 20);
    }
  });

  it('checks what a diff brings, applied or not', async () => {
    const diffOf = (name: string) =>
      `--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,3 @@\n wait(9);\n wait(7);\n+wait(6);\n`;
    const brought = await call('check_code', { diff: diffOf('src/a.js') });
    deepStrictEqual(idsOf(brought), ['src/a.js:3:1']);
    const stray = await call('check_code', { diff: diffOf('../secret.js') });
    deepStrictEqual(idsOf(stray), []);
    match(stray.text, /\.\.\/secret\.js is outside/);
    symlinkSync(join(root, 'secret.js'), join(root, 'project/link.js'));
    const linked = await call('check_code', {
      diff: '--- a/link.js\n+++ b/link.js\n@@ -1 +1,2 @@\n wait(9);\n+wait(6);\n',
    });
    deepStrictEqual([linked.isError, /is outside/.test(linked.text)], [true, true]);
    const both = await call('check_code', { diff: diffOf('src/a.js'), paths: ['src'] });
    deepStrictEqual(both.isError, true);
  });

  it('takes absolute paths, and stays in the workspace', async () => {
    const path = (name: string) => join(root, name);
    const inside = await call('check_code', { paths: [path('project/src/a.js')], max: 1 });
    deepStrictEqual(idsOf(inside), ['src/a.js:1:1']);
    deepStrictEqual(
      idsOf(await call('check_code', { paths: ['../project/src/../src/a.js'], max: 1 })),
      ['src/a.js:1:1'],
    );
    symlinkSync(path('project'), path('same'));
    symlinkSync(path('secret.js'), path('project/file.js'));
    symlinkSync(root, path('project/folder'));
    const same = await call('check_code', { paths: [path('same/src/a.js')], max: 1 });
    deepStrictEqual(idsOf(same), ['src/a.js:1:1']);
    for (const stray of ['../secret.js', path('secret.js'), 'file.js', 'folder', 'folder/new.js']) {
      const refused = [
        await call('check_code', { paths: [stray] }),
        await call('check_code', { paths: [stray], code: 'wait(9)' }),
        await call('explain_finding', { id: `${stray}:1` }),
        await call('prove_finding', { id: `${stray}:1` }),
      ];
      deepStrictEqual(
        refused.map(({ text, isError }) => [isError, text]),
        refused.map(() => [
          true,
          `${stray} is outside of the workspace. Name a path below ${path('project')}.`,
        ]),
      );
    }
    deepStrictEqual(idsOf(await call('check_code', { paths: ['.'], max: 9 })).length, 2);
  });

  it('explains a finding by its id, and a rule', async () => {
    const finding = await call('explain_finding', { id: 'src/b.js:2:1' });
    match(finding.text, /^src\/b\.js:2:1 {2}hint {2}no-wait\n\nWhy\n {2}Waits 1 ms/);
    const { title, fix } = finding.data ?? {};
    deepStrictEqual(
      [title, fix],
      [
        'src/b.js:2:1  hint  no-wait',
        {
          ...{ kind: 'edit', safety: 'order', edits: [{ range: [7, 14], text: '' }], steps: [] },
          verify: 'npx deadtime check src/b.js --rule no-wait --profile strict --fail-on any',
        },
      ],
    );
    match((await call('explain_finding', { id: 'no-wait' })).text, /^no-wait: Disallow waiting\./);
    const unknown = await call('explain_finding', { id: 'no-wiat' });
    deepStrictEqual(
      [unknown.isError, unknown.text],
      [true, 'There is no rule "no-wiat". Did you mean no-wait?'],
    );
  });

  describe('with a recording of the program', () => {
    const text =
      "import { wait } from './waits.js';\nexport async function load() {\n  await wait(9);\n}\n";
    const cost = 'measured in your program: 4.4 ms per request in GET /dashboard (412 requests)';
    const recording = (content: string) =>
      folder.write({ 'project/.deadtime/run.json': content, 'project/src/c.js': text });
    const matching = () => JSON.stringify(recorded({ 'src/c.js': text }, { rules: [noWait] }));
    const measuredOf = ({ data }: Answer) =>
      (data?.['findings'] as readonly { readonly id: string; readonly measured?: string }[]).map(
        ({ id, measured }) => [id, measured],
      );

    it('ranks findings by it, and states what they have cost', async () => {
      recording(matching());
      deepStrictEqual(measuredOf(await call('check_code', { paths: ['src'] })), [
        ['src/c.js:3:9', cost],
        ['src/a.js:1:1', undefined],
        ['src/a.js:2:1', undefined],
      ]);
      const { text: explained } = await call('explain_finding', { id: 'src/c.js:3' });
      ok(explained.includes(`\n  ${cost}\n`), explained);
    });

    it('states that a text has changed since', async () => {
      recording(matching());
      const code = text.replace('await wait(9)', 'await wait(9, 9)');
      deepStrictEqual(measuredOf(await call('check_code', { code, paths: ['src/c.js'] })), [
        ['src/c.js:3:9', 'measured cost is stale: the code has changed since the run'],
      ]);
      folder.write({ 'project/src/c.js': code });
      const { text: waits, data } = await call('measured_waits', {});
      match(waits, /\nChanged since the run, so lines may differ: src\/c\.js$/);
      deepStrictEqual(data?.['changed'], ['src/c.js']);
    });

    it('lists what the program waited for', async () => {
      recording(matching());
      const { text: waits, data } = await call('measured_waits', {});
      match(waits, /GET \/dashboard {3}412 requests {3}p50 4\.\d ms/);
      match(waits, /src\/c\.js:3 {3}awaited wait: 4\.4 ms per request/);
      const [entry] = data?.['entries'] as readonly Record<string, unknown>[];
      deepStrictEqual(
        [entry?.['name'], entry?.['count'], entry?.['lines']],
        [
          'GET /dashboard',
          412,
          [
            {
              ...{ at: 'src/c.js:3', code: 'wait', count: 412 },
              ...{ totalMs: 1_812.8, rules: ['no-wait'] },
            },
          ],
        ],
      );
    });

    it('refuses one that is broken, and answers without it', async () => {
      recording('{"format":1}');
      const mistake = /^\.deadtime\/run\.json has an invalid field program, so findings have no/m;
      const checked = await call('check_code', { paths: ['src/c.js'] });
      match(checked.text, mistake);
      deepStrictEqual(measuredOf(checked), [['src/c.js:3:9', undefined]]);
      const waits = await call('measured_waits', {});
      deepStrictEqual([waits.isError, mistake.test(waits.text)], [true, true]);
    });

    it('reads no file outside of the workspace that one names', async () => {
      const { files: recordedFiles, ...rest } = JSON.parse(matching()) as Recording;
      const at = (file: string) => ({ file, line: 1 });
      const stray = rest.sites.map((it) => ({ ...it, at: at('../secret.js') }));
      const named = recordedFiles.map((it) => ({ ...it, file: '../secret.js' }));
      recording(JSON.stringify({ ...rest, sites: stray, files: named }));
      deepStrictEqual((await call('measured_waits', {})).data?.['changed'], ['../secret.js']);
    });

    it('states how to make one where there is none', async () => {
      const { isError, text: refusal } = await call('measured_waits', {});
      deepStrictEqual([isError, refusal.includes('npx deadtime run -- node')], [true, true]);
    });
  });

  it('proves a finding', async () => {
    const { text, data } = await call('prove_finding', { id: 'src/a.js:2' });
    match(text, /^Before: request 51 failed; after: none failed\.\nRan the rule’s own case/);
    match(
      text,
      /\nSimulated on Node\.js .*\nDoes not show: Anything real\.\nRepeat: npx deadtime prove /,
    );
    const { rule, state, verdict, flagged } = data ?? {};
    deepStrictEqual(
      [rule, state, verdict, flagged],
      ['no-wait', 'completed', 'slower', 'request 51 failed'],
    );
    const nothing = await call('prove_finding', { id: 'src/b.js:1' });
    deepStrictEqual([nothing.isError, /There is no finding at/.test(nothing.text)], [true, true]);
  });

  it('gives a proof the requested time, and at most a minute', async () => {
    const short = await call('prove_finding', { id: 'src/a.js:2', maxSeconds: 2 });
    match(short.text, /Repeat: npx deadtime prove src\/a\.js:2 --max-seconds 2$/);
    const long = await call('prove_finding', { id: 'src/a.js:2', maxSeconds: 61 });
    deepStrictEqual([long.isError, long.data], [true, undefined]);
  });

  it('ends a proof without a waiting caller, before the next one', async () => {
    const controller = new AbortController();
    const cancelled = call(
      'prove_finding',
      { id: 'src/a.js:1', maxSeconds: 60 },
      controller.signal,
    );
    const next = call('prove_finding', { id: 'src/a.js:2' });
    controller.abort();
    await rejects(cancelled);
    match((await next).text, /^Before: request 51 failed/);
  });

  it('has the pages of the rules as resources', async () => {
    const { resources } = await client.listResources();
    deepStrictEqual(
      resources.map(({ uri, mimeType }) => [uri, mimeType]),
      [['deadtime://rules/no-wait', 'text/markdown']],
    );
    const { contents } = await client.readResource({ uri: 'deadtime://rules/no-wait' });
    const [page] = contents;
    match(page && 'text' in page ? page.text : '', /# no-wait\n\nDisallow waiting\./);
  });

  it('ends with its client', async () => {
    const server = spawn(process.execPath, [cli.entry, 'mcp'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    server.stdin.end();
    const [code] = (await once(server, 'exit')) as [number];
    strictEqual(code, 0);
  });

  it('is not read by other commands', () => {
    const texts = join(dirname(cli.entry), 'command-line.cjs');
    const read = [...filesBehind(cli.entry), texts].map((it) => readFileSync(it, 'utf8'));
    deepStrictEqual(
      [read.length > 1, read.some((it) => it.includes('modelcontextprotocol'))],
      [true, false],
    );
  });
});

/** What Node.js reads before a command is chosen: static imports of our own, and theirs. */
function filesBehind(entry: string, known = new Set<string>()): readonly string[] {
  known.add(entry);
  const text = readFileSync(entry, 'utf8');
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport) ?"(\.\/[^"]+)"/g)) {
    const path = join(dirname(entry), name!);
    if (!known.has(path)) filesBehind(path, known);
  }
  return [...known];
}
