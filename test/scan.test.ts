import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { visitorKeys } from '@typescript-eslint/visitor-keys';
import { parseForESLint } from '@typescript-eslint/parser';
import { rawTransferSupported } from 'oxc-parser';
import { walk, type Node } from '../src/analysis/syntax/ast.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import type { Source } from '../src/analysis/file/source.ts';
import { defineRule } from '../rules/define-rule.ts';
import { configurationsOf } from '../src/scan/configuration.ts';
import { createClock } from '../src/scan/clock.ts';
import { filesOf } from '../src/scan/files.ts';
import { isTooNested, nestingAfter, nestingOf } from '../src/scan/nesting.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { positionsOf } from '../src/scan/positions.ts';
import { projectModules } from '../src/scan/project.ts';
import { scanFiles } from '../src/scan/scan-files.ts';
import type { ScanOptions } from '../src/scan/scan.ts';
import { readingOf } from '../src/scan/text.ts';
import type { Trigger } from '../rules/trigger.ts';
import { createSearches } from '../src/analysis/syntax/searches.ts';
import { triggersOf } from '../src/scan/trigger.ts';
import { folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';
import { scanned } from './fakes/scanned.ts';

const options: ScanOptions = { rules: [noWait], profile: 'strict' };

function parsed(text: string, path: string): Source {
  const source = sourceOf(text, path);
  ok(!isFailure(source), isFailure(source) ? source.message : '');
  return source;
}

describe('parsing', () => {
  const texts: Readonly<Record<string, string>> = {
    'job.js': 'const view = <Job id={1} />;',
    'flow.js': '// @flow\nimport type { Job } from "./job";\nconst run = (job: ?Job) => job;',
    'typed.js': 'const run = async (job: string): Promise<void> => {};',
    'job.mjs': 'await import("pg");',
    'job.cjs': 'const pg = require("pg"); return;',
    'job.ts': 'const job = <Job>value; enum State { On }',
    'job.tsx': 'const job = value as Job; const view = <p>{job}</p>;',
    'job.mts': 'export const job: string = "";',
    'job.cts': 'import pg = require("pg"); export = pg;',
    'bin.js': '#!/usr/bin/env node\nrun();',
  };
  for (const [path, text] of Object.entries(texts)) {
    it(`reads ${path}`, () => strictEqual(parsed(text, path).ast.type, 'Program'));
  }

  it('makes the tree that @typescript-eslint/parser makes, of nodes at the same offsets', () => {
    const text = [
      '/* é😀 */ class Jobs { constructor(private readonly pool: Pool) {} #next = 1; @once() use(x?: T) {} static { f(); } }',
      'const a = (b?.c)!.d?.(), e = f as unknown as G, h = `😀${i}`;',
      'export default async function* run<T>(x: T): AsyncGenerator<T> { yield* await x; }',
      'for await (const { j = 1, ...k } of l) label: while (m) continue label;',
    ].join('\n');
    const theirs = parseForESLint(text, { range: true, loc: true }).ast as unknown as Node;
    deepStrictEqual(nodesOf(parsed(text, 'a.ts').ast), nodesOf(theirs));
  });

  it('counts offsets as JavaScript does, after a byte-order mark', () => {
    const text = '\uFEFFconst é = "😀"; run();';
    const source = parsed(text, 'a.js');
    const call = source.ast.body[1]!;
    strictEqual(source.text.slice(...rangeOf(call)), 'run();');
  });

  it('leaves one byte-order mark out: a second one is a character of the text', () => {
    const { path } = folderWith({ 'a.js': '\uFEFF\uFEFFwait(9);' });
    const reading = readingOf(join(path, 'a.js'));
    ok('text' in reading);
    const [problem] = scanned(reading.text, '/project/a.js', options).problems;
    deepStrictEqual(problem?.finding.range, [1, 8]);
  });

  it('fails for a tree that the parser cannot spell', () => {
    const { notices } = scanned('wait(9); <\\u{61} />;', '/project/a.jsx', options);
    // Where it hands over its memory, nothing is spelled.
    deepStrictEqual(
      notices.map((it) => it.message),
      rawTransferSupported() ? [] : ['could not parse: the parser cannot print its tree'],
    );
  });

  it('fails with the place for a text that is half typed', () => {
    const result = sourceOf('const a = 1;\nfoo(', 'a.ts');
    deepStrictEqual(result, {
      reason: 'syntax',
      message: 'Expected `)` but found `EOF`',
      offset: 17,
    });
  });

  it('goes on after an error that leaves a tree', () => {
    strictEqual(parsed('const a = 1; return a;', 'a.mjs').ast.body.length, 2);
  });
});

function nodesOf(program: Node): readonly string[] {
  const nodes: string[] = [];
  walk(program, (node) => {
    ok(visitorKeys[node.type], node.type);
    if (node.type !== 'Program') nodes.push(`${node.type} ${rangeOf(node).join('-')}`);
  });
  return nodes;
}

describe('nesting', () => {
  const shapes: Readonly<Record<string, (n: number) => string>> = {
    brackets: (n) => `x = ${'['.repeat(n)}${']'.repeat(n)}`,
    functions: (n) => `${'function f() {'.repeat(n)}${'}'.repeat(n)}`,
    arrows: (n) => `x = ${'() => '.repeat(n)}1`,
    sums: (n) => `x = ${'1 +\n'.repeat(n)}1`,
    conditionals: (n) => `x = ${'a ? b : '.repeat(n)}c`,
    calls: (n) => `x${'\n  .run()'.repeat(n)}`,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    it(`of 100,000 ${name} is not given to the parser`, () => {
      strictEqual(isTooNested(nestingOf(shape(100_000))), true);
    });

    it(`of 5,000 ${name} ends in a result`, () => {
      const { notices } = scanned(`wait(1);\n${shape(5_000)}`, '/project/a.js', options);
      ok(notices.every((it) => /^(?:rule-)?nesting$/.test(it.reason)));
    });
  }

  describe('in text that is no code', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const noticesOn = (text: string, path = '/project/a.js') =>
      scanned(`wait(1);\n${text}`, path, options).notices.map((it) => it.reason);

    it('does not count', () => {
      const texts = [
        `// ${deep}`,
        `/* \n ${deep} */`,
        `a("it's \\" ${deep}");`,
        `a(\`\\\` \${ { b: \`${deep}\` } /* } */ } ${deep}\`);`,
        `/[/*"]/.test(b) / 2; // ${deep}`,
        `type A = \`\${B}${deep}\`;`,
      ];
      deepStrictEqual(
        texts.map((it) => noticesOn(it, '/project/a.ts')),
        texts.map(() => []),
      );
      deepStrictEqual(noticesOn(`a = <p title="${deep}">Don't</p>; // ${deep}`), []);
    });

    it('hides no code from the count, however the text is read', () => {
      const code = [
        `a = b ? /[/*]/ : c; d = ${deep}; /* */`,
        `a = 1 }/"/; d = ${deep}; "`,
        `a = <p>"{${deep}}"</p>;`,
        `a = <p>/*</p>; d = ${deep}; <p>*/</p>;`,
        `a = <p>\`</p>; d = ${deep}; <p>\`</p>;`,
        `<!-- /*\nd = ${deep}; // */`,
        `#!/*\nd = ${deep}; // */`,
        `a = \`\${b /* \` */}${'`'}; d = ${deep};`,
      ];
      deepStrictEqual(
        code.map((it) => noticesOn(it)),
        code.map(() => ['nesting']),
      );
      deepStrictEqual(
        scanned(`#! /* wait(1)\nd = ${deep}; // */`, '/project/a.js', options).notices.map(
          (it) => it.reason,
        ),
        ['nesting'],
      );
    });
  });

  it('is bounded well enough after an edit without reading the whole text', () => {
    const line = 'const total = a + b * (c - d) > 0 ? e.f.g() : [h];\n';
    const before = line.repeat(200);
    const nesting = nestingOf(before)!;
    const middle = before.length / 2;
    const ranges = [0, 1, 8, 30, 50].map((length) => [middle - 2, middle - 2 + length] as const);
    for (const added of ['', 'x', '5', '((', '+ x\n+', '"a;']) {
      for (const [start, end] of ranges) {
        const text = before.slice(0, start) + added + before.slice(end);
        const most = nestingOf(text)!;
        const bound = nestingAfter(nesting, before.slice(start, end), added);
        ok(bound.brackets >= most.brackets && bound.operators >= most.operators, text);
      }
    }
  });

  it('joins statements where what is between them is removed, letters too', () => {
    const chain = `x${'.a()'.repeat(2_000)}`;
    const before = `${chain}\nq${'.a()'.repeat(2_000)}`;
    const most = nestingOf(before.replace('q', ''))!;
    ok(most.operators >= 4_000);
    ok(nestingAfter(nestingOf(before)!, 'q', '').operators >= most.operators);
  });

  it('is not a long file', () => {
    const line = 'const total = a + b * (c - d) > 0 ? e.f.g() : [h]\n';
    strictEqual(isTooNested(nestingOf(line.repeat(20_000))), false);
    strictEqual(isTooNested(nestingOf(line.replace('\n', ';').repeat(20_000))), false);
    strictEqual(isTooNested(nestingOf(`<path d="${'c1.5-.25 0-1.5'.repeat(20_000)}" />`)), false);
  });
});

describe('positions', () => {
  it('count lines as ECMAScript does, and columns from 1', () => {
    const positions = positionsOf('a\r\nb\nc\rd\u2028e');
    deepStrictEqual(
      [0, 1, 3, 5, 7, 9, 10].map((it) => Object.values(positions.at(it)).join(':')),
      ['1:1', '1:2', '2:1', '3:1', '4:1', '5:1', '5:2'],
    );
  });
});

describe('the text prefilter', () => {
  it('lets a text through that one rule of several can find something in', () => {
    const triggers: Trigger[] = [
      ...[/\bwait\b/, /\bpool\b/g],
      { any: [/\bsleep\b/i, { all: [/\bfor\b/, /\bnow\b/] }] },
    ];
    const asking = triggers.map((trigger) => ({ ...noWait, trigger }));
    const isCandidate = triggersOf(asking, createSearches()).isAnyMet;
    deepStrictEqual(['wait', 'SLEEP', 'pool', 'pool', 'for now', 'now for'].map(isCandidate), [
      ...[true, true, true, true, true, true],
    ]);
    deepStrictEqual(['WAIT', 'waits', 'for', 'now'].map(isCandidate), Array(4).fill(false));
  });

  it('searches everywhere for code that has moved since the text before', () => {
    const isCandidate = triggersOf([{ ...noWait, trigger: /\bwait\b/ }], createSearches()).isAnyMet;
    const texts = ['a; wait', 'ab; wait', 'waits; wait; a', '', 'await', 'wait', 'a; waits'];
    deepStrictEqual(texts.map(isCandidate), [true, true, true, false, false, true, false]);
  });

  it('keeps the others from the parser', () => {
    const result = scanned('half typed (', '/project/a.js', options);
    deepStrictEqual(result, { problems: [], notices: [], isParsed: false });
  });
});

describe('scanning a text', () => {
  it('finds problems, with their places and words', () => {
    const text = 'run();\r\n  ids.forEach(() => wait(100));\r\n';
    const { problems, notices } = scanned(text, '/project/src/a.js', options);
    deepStrictEqual(notices, []);
    deepStrictEqual(
      problems.map(({ finding, fingerprint, ...shown }) => shown),
      [
        {
          path: '/project/src/a.js',
          start: { line: 2, column: 21 },
          end: { line: 2, column: 30 },
          message: 'Waits 100 ms.',
          cost: '100 ms each time',
          context: 'per-item',
          related: [
            {
              ...{ path: '/project/src/a.js', message: 'the wait' },
              ...{ start: { line: 2, column: 21 }, end: { line: 2, column: 25 } },
            },
          ],
          suggestions: [
            {
              ...{ title: 'Remove the wait of 100 ms', changes: 'order' },
              edits: [{ range: [28, 37], text: '' }],
            },
          ],
          fix: { changes: 'order', steps: ['Wait for nothing.'] },
          names: { short: '2', exact: '2:21' },
          ...{ unit: [22, 37], switchOffAt: 8 },
        },
      ],
    );
  });

  it('shows hints to those who asked', () => {
    const count = (profile: ScanOptions['profile']) =>
      scanned('wait(1); wait(9);', '/project/a.js', { ...options, profile }).problems.length;
    deepStrictEqual([count('recommended'), count('strict')], [1, 2]);
  });

  it('applies comments that disable rules', () => {
    const text = '// eslint-disable-next-line deadtime/no-wait -- paced\nwait(9);\nwait(9);';
    const lines = scanned(text, '/project/a.js', options).problems.map((it) => it.start.line);
    deepStrictEqual(lines, [3]);
  });

  it('goes on with the other rules when one fails', () => {
    const other = defineRule({
      ...{ id: 'no-crash', description: '', options: {}, trigger: /crash/ },
      messages: {
        crashes: { text: 'Crashes.', severity: 'error', fix: { changes: 'nothing', steps: [] } },
      },
      *check(file) {
        yield { messageId: 'crashes', at: file.ast, evidence: {} };
      },
    });
    const rules = [noWait, other];
    const { problems, notices } = scanned('crash()', '/project/a.js', { ...options, rules });
    strictEqual(problems.length, 1);
    deepStrictEqual(
      notices.map((it) => [it.reason, it.message.split('\n')[0]]),
      [['rule-failure', 'no-wait failed: TypeError: this rule cannot read crash()']],
    );
  });

  it('names the line at which a text cannot be parsed', () => {
    const { notices } = scanned('wait(1);\nfoo(', '/project/a.js', options);
    deepStrictEqual(
      notices.map((it) => it.message),
      ['could not parse: Expected `)` but found `EOF` (line 2)'],
    );
  });
});

describe('scanning files', () => {
  async function scanned(files: Readonly<Record<string, string | Buffer>>, paths = ['.']) {
    const folder = folderWith(files);
    const found = filesOf(paths, { cwd: folder.path });
    const clock = createClock();
    const modules = projectModules(folder.path, clock);
    const result = await scanFiles(found, {
      ...{ rules: [noWait], modules, clock },
      configurations: configurationsOf([noWait], { profile: 'strict' }),
    });
    const name = (path: string) => path.slice(folder.path.length + 1);
    return {
      problems: result.problems.map((it) => `${name(it.path)}:${it.start.line}`),
      notices: result.notices.map((it) => `${name(it.path)} ${it.message}`),
      stats: result.stats,
    };
  }

  it('loses nothing to the files that cannot be scanned', async () => {
    const { problems, notices, stats } = await scanned({
      'a.js': 'wait(9);\n',
      'binary.js': Buffer.from('\0\0\0\0wait'),
      'bundled.js': 'wait(9); __webpack_require__(1);',
      'half.ts': 'wait(9); class {',
      'minified.js': 'for(;;){wait(9);a(b,c)}'.repeat(500),
      'nested.js': `wait(9); ${'['.repeat(50_000)}`,
      'z.ts': '\uFEFF\r\n\r\nwait(9);',
    });
    deepStrictEqual(problems, ['a.js:1', 'z.ts:3']);
    deepStrictEqual(notices, [
      'binary.js is binary',
      'bundled.js is a bundle of other modules',
      'half.ts could not parse: Expected `}` but found `EOF` (line 1)',
      'minified.js is minified',
      'nested.js nested too deeply to parse',
    ]);
    deepStrictEqual([stats.files, stats.parsedFiles, stats.lines], [2, 2, 4]);
  });

  it('scans a named file even when it is minified', async () => {
    const text = 'for(;;){wait(9);a(b,c)}'.repeat(500);
    const { problems } = await scanned({ 'a.min.js': text }, ['a.min.js']);
    strictEqual(problems.length, 500);
  });

  it('leaves out a file of 10 MB', async () => {
    const line = 'totals.push((price, count) => price * count + shipping(price) + 1.5);\n';
    const text = `wait(9);\n${line.repeat(140_000)}`;
    const { problems, notices, stats } = await scanned({ 'prices.js': text });
    deepStrictEqual([problems, notices], [[], ['prices.js is larger than 5 MB']]);
    deepStrictEqual([stats.files, stats.lines], [0, 0]);
  });
});
