import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert/strict';
import type { ScanOptions } from '../src/scan/scan.ts';
import { noWait } from './fakes/no-wait.ts';
import { scanned } from './fakes/scanned.ts';

const options: ScanOptions = { rules: [noWait], profile: 'strict' };

describe('fingerprints', () => {
  const printsOf = (text: string, path = '/project/a.js') =>
    scanned(text, path, options).problems.map((it) => it.fingerprint);
  const run = 'function run() { wait(9); }';

  it('stay when the function moves, within its file and into another', () => {
    deepStrictEqual(printsOf(`// new\nother();\n{ ${run} }`), printsOf(run));
    deepStrictEqual(printsOf(run, '/project/src/b.ts'), printsOf(run));
    match(printsOf(run)[0]!, /^[\da-f]{16}$/);
  });

  it('stay when a formatter or a comment changes the text', () => {
    const one = `async (item) => { wait(9); const row = { 'id': 1.0, item, }; return (\`a  b\`) };`;
    const other = `async item => {
      // slow
      wait(9)
      const row = { id: 1, item }
      return \`a  b\`
    }`;
    deepStrictEqual(printsOf(`run = ${one}`), printsOf(`run = ${other}`));
    deepStrictEqual(
      printsOf("function f() { wait(9); return <p class='a'>\n  one\n  two{b}\n</p> }"),
      printsOf('function f() { wait(9); return <p class="a">one two{b}</p>; }'),
    );
  });

  it('change with the text of the function', () => {
    const said = [
      ...['wait(9); a.b?.(c)', 'wait(9); a.b(c)', 'wait(9); a[b](c)', 'wait(9); a.b(`c`)'],
      ...['wait(9); a.b("c")', 'wait(9); a.b(/c/)', 'wait(9); a.b(/c/g)', 'wait(9); a.b(1)'],
      ...['wait(9); a += b', 'wait(9); a -= b', 'wait(9); a.b(!c)', 'wait(9); a.b("c  ")'],
      ...['wait(9); for (const a of b);', 'wait(9); for (const a in b);', 'wait(9); return a'],
      ...['wait(9); ({ [a]: 1 })', 'wait(9); ({ a: 1 })', 'wait(9); ({ a: "1" })', 'wait(8)'],
    ];
    const prints = said.flatMap((it) => printsOf(`function run() { ${it} }`));
    strictEqual(new Set(prints).size, said.length);
    notStrictEqual(printsOf(`async ${run}`)[0], printsOf(run)[0]);
  });

  it('distinguish the same code at two places', () => {
    const prints = printsOf(`{ ${run} }\n{ ${run} }\nfunction both() { wait(9); wait(9); }`);
    strictEqual(new Set(prints).size, 4);
  });
});
