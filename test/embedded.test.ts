import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { scriptOf } from '../src/scan/embedded.ts';
import type { ScanOptions } from '../src/scan/scan.ts';
import { scanned } from './fakes/scanned.ts';
import { rules } from '../rules/index.ts';
import { noWait } from './fakes/no-wait.ts';

const options: ScanOptions = { rules: [noWait], profile: 'strict' };

/** What is read of a text, with its white space squeezed, and as what. */
function readOf(text: string, path: string): readonly [string, string] {
  const script = scriptOf(text, path);
  strictEqual(script.text.length, text.length);
  deepStrictEqual(linesOf(script.text).length, linesOf(text).length);
  return [script.text.replaceAll(/\s+/g, ' ').trim(), script.languages[0]!];
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

describe('code in other files', () => {
  it('is the whole text of a script', () => {
    const text = 'const tag = "<script>"; wait(9);';
    strictEqual(scriptOf(text, '/project/a.ts').text, text);
  });

  it('is the script blocks of Vue and Svelte, read as one module', () => {
    const vue = [
      '<template>\r\n  <p>{{ wait(9) }} 😀\u2028</p>\r\n</template>',
      '<script lang="ts">\r\nexport default {}\r\n</script>',
      '<script setup lang="ts" generic="T extends Record<string, number>">run()</script>',
      '<style>p { color: red }</style>',
    ].join('\n');
    deepStrictEqual(readOf(vue, '/a.vue'), ['export default {} ; run();', 'ts']);
    const svelte = "<script context='module'>a()</script><script>b()</script><p>{c()}</p>";
    deepStrictEqual(readOf(svelte, '/a.svelte'), ['a(); b();', 'jsx']);
    deepStrictEqual(readOf('<script lang=tsx>a()</script>', '/a.vue'), ['a();', 'tsx']);
  });

  it('is not data, a file elsewhere, a comment or another element', () => {
    const text = [
      '<!-- <script>a()</script> -->',
      '<script type="application/ld+json">{"b": 1}</script>',
      '<script src="./c.ts"></script>',
      '<scripted>d()</scripted>',
      '<SCRIPT type="module">e()</SCRIPT>',
    ].join('\n');
    deepStrictEqual(readOf(text, '/a.vue'), ['e();', 'jsx']);
  });

  it('is hidden by no comment that is none', () => {
    const script = '<script>a()</script>';
    for (const [before, after] of [
      ['<p title="<!--"/>', '<p title="-->"/>'],
      ['<style>p::before { content: "<!--" }</style>', '<style>/* --> */</style>'],
      ['<textarea><!--</textarea>', '-->'],
      ['<p>{{ "<!--" + `{` }}</p>', '<p>{{ "-->" }}</p>'],
      ['<!-- begun\n', ''],
      ['<style src="./a.css" />', '<style></style>'],
      ['<p>{{ begun', '<!-- done -->'],
    ] as const) {
      const text = `${before}${script}${after}`;
      deepStrictEqual(
        readOf(text, '/a.vue')[0].replace(/ ?;$/, ''),
        'a();'.replace(/;$/, ''),
        text,
      );
    }
    const svelte = `<p on:click={() => "<!--"}>{'<!--'}</p>${script}{"-->"}`;
    deepStrictEqual(readOf(svelte, '/a.svelte'), ['a();', 'jsx']);
  });

  it('is found in time linear in the text', () => {
    for (const part of ['<!-- ', '{{ ', '<p ', '{{ " ', '<style ', '{{ `', '<p a={>']) {
      const text = part.repeat(50_000);
      strictEqual(scriptOf(text, '/a.vue').text.trim(), '');
    }
  });

  it('is the frontmatter of Astro, and no script of its page', () => {
    const text = '---\nconst rows = await load();\n---\n<ul/>\n<script>wait(9)</script>\n';
    deepStrictEqual(readOf(text, '/a.astro'), ['const rows = await load(); ;', 'ts']);
    deepStrictEqual(readOf('<ul/>\n---\na()\n---', '/a.astro'), ['', 'jsx']);
  });

  for (const text of [
    '',
    '<script',
    '<script a="',
    '<script>',
    '<!-- <script>',
    '<script></script',
    '---',
  ]) {
    it(`may be half typed: ${text || 'nothing'}`, () => {
      for (const path of ['/a.vue', '/a.astro']) ok(readOf(text, path));
    });
  }

  it('is found at the places that it has in the file', () => {
    const text =
      '<p/>\n<script>\n  wait(9);\n  wait(8); // deadtime-ignore-file no-nested-checkout -- a demo\n</script>\n';
    const { problems, notices } = scanned(text, '/project/a.svelte', options);
    deepStrictEqual(notices, []);
    deepStrictEqual(
      problems.map(({ start, finding }) => [start, text.slice(...finding.range)]),
      [
        [{ line: 3, column: 3 }, 'wait(9)'],
        [{ line: 4, column: 3 }, 'wait(8)'],
      ],
    );
  });

  it('is not parsed for a word outside of it', () => {
    const { isParsed } = scanned('<p>wait(9)</p><script>run()</script>', '/a.vue', options);
    strictEqual(isParsed, false);
  });

  it('keeps only suggestions that stay in it', () => {
    const rule = {
      ...noWait,
      findings: (...given: Parameters<typeof noWait.findings>) =>
        noWait.findings(...given).map((finding) => ({
          ...finding,
          suggestions: [
            ...finding.suggestions,
            {
              messageId: 'remove',
              edits: [{ range: [0, 0], text: '!' }],
              changes: 'order',
            } as const,
          ],
        })),
    };
    const { problems } = scanned('<script>wait(9)</script>', '/a.vue', {
      ...options,
      rules: [rule],
    });
    deepStrictEqual(
      problems.flatMap((it) => it.suggestions.map(({ edits }) => edits[0]!.range)),
      [[8, 15]],
    );
  });

  it('is read by all rules', () => {
    const code = readFileSync('fixtures/no-leaked-connection/reports/early-return.ts', 'utf8');
    const whole = scanned(code, '/project/a.ts', { ...options, rules });
    const text = `<script setup lang="ts">\n${code}</script>`;
    const embedded = scanned(text, '/project/a.vue', { ...options, rules });
    ok(whole.problems.length > 0);
    deepStrictEqual(
      embedded.problems.map((it) => [it.finding.ruleId, it.start.line - 1]),
      whole.problems.map((it) => [it.finding.ruleId, it.start.line]),
    );
  });
});

describe('where a comment can disable a rule', () => {
  const switchedOff = (text: string) =>
    scanned(text, '/project/a.tsx', options).problems.map(({ switchOffAt: at }) =>
      at === undefined
        ? at
        : scanned(
            `${text.slice(0, at)}// deadtime-ignore-next-line no-wait\n${text.slice(at)}`,
            '/project/a.tsx',
            options,
          ).problems.length,
    );

  it('is above the line of the finding', () => {
    deepStrictEqual(switchedOff('wait(9);'), [0]);
    deepStrictEqual(switchedOff('run();\r\n\twait(9);'), [0]);
    deepStrictEqual(switchedOff('const view = <p\n  title={wait(9)} />;'), [0]);
  });

  it('is nowhere when that line starts in a text', () => {
    deepStrictEqual(switchedOff('run(`\n${wait(9)}`);'), [undefined]);
    deepStrictEqual(switchedOff('run(`\n ${wait(9)}`);'), [undefined]);
    deepStrictEqual(switchedOff('const view = <p>\n  {wait(9)}</p>;'), [undefined]);
    deepStrictEqual(switchedOff('/*\n*/ wait(9);'), [undefined]);
    deepStrictEqual(switchedOff('run("\\\n", wait(9));'), [undefined]);
  });
});
