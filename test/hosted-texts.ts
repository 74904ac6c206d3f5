import { readFileSync } from 'node:fs';

/** What a text may hold that is no code, beside code in which something is found; and code that is left out. */
export function hostedTexts(): ReadonlyMap<string, string> {
  const code = readFileSync('fixtures/hosts/columns.js', 'utf8');
  const long = 'const a = (b, c) => { d(); };'.repeat(500);
  const brackets = '(['.repeat(4_000);
  const operators = '-+=*'.repeat(5_000);
  const minified = `${code.replaceAll('\n', ' ').replaceAll(/\/\*.*?\*\//g, '')}${long.replaceAll('const a', ';a')}`;
  const read: Readonly<Record<string, string>> = {
    'a comment with a loader': `// __webpack_require__(\n${code}`,
    'a string with a loader': `const marker = 'function __commonJS(';\n${code}`,
    'a template with a loader': `const marker = \`System.register([\${1}\`;\n${code}`,
    'an expression with a loader': `const marker = /__webpack_require__\\(/;\n${code}`,
    'a long comment': `// ${long}\n${code}`,
    'a long block comment': `/* ${long} */\n${code}`,
    'a long string': `const sample = "${long}";\n${code}`,
    'a banner of brackets': `// ${brackets}\n${code}`,
    'a block of brackets': `/* ${brackets} */ ${code}`,
    'a string of brackets': `const art = '${brackets}';\n${code}`,
    'a template of brackets': `const art = \`\${1 /* ${brackets} */}${brackets}\${2}\`;\n${code}`,
    'a banner of operators': `/* ${operators} */\n${code}`,
    'brackets behind a quote in an expression': `const quote = /["'/*]/;\n// ${brackets}\n${code}`,
    'NULs in a comment': `/* ${'\0'.repeat(500)} */\n${code}`,
    'replaced bytes in a comment': `// ${'\uFFFD'.repeat(500)}\n${code}`,
    'a mark of generated code': `// @generated DO NOT EDIT\n/* eslint-disabled */\n${code}`,
    'a switch that gives no reason': `/* eslint-disable deadtime/no-sequential-independent-awaits -- */\n${code}`,
    'a switch of ours for a file': `// deadtime-ignore-file no-sequential-independent-awaits -- a report\n${code}`,
    'a switch of ours for a line': code.replace('/* 😀😀 */', '\n// deadtime-ignore-next-line\n'),
    'lines that end as on an old Mac':
      `// first\n${code.repeat(1)}${'// -----------------------\n'.repeat(300)}`.replaceAll(
        '\n',
        '\r',
      ),
    'lines that end with a separator': code.replaceAll('\n', '\u2028'),
    'a second mark of byte order': `\uFEFF${code}`,
  };
  const leftOut: Readonly<Record<string, string>> = {
    'a bundle': `function __webpack_require__(id) {}\n${code}`,
    'minified code': minified,
    'minified code behind a licence': `/* licence\n${'-\n'.repeat(900)} */${minified}`,
    // What is nested in earnest, the linters' own parsers refuse.
    'an expression that seems to be nested': `const line = /${'='.repeat(10_500)}/;\n${code}`,
  };
  return new Map(
    Object.entries({ ...read, ...leftOut }).map(([name, text]) => [
      `texts/${name.replaceAll(' ', '-')}.js`,
      text,
    ]),
  );
}
