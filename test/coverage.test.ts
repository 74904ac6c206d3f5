import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';

/** What `coverage --json` prints of these files. */
interface Report {
  readonly awaits: number;
  readonly understood: number;
  readonly files: readonly { readonly file: string; readonly awaits: number }[];
  readonly roots: readonly {
    readonly cause: string;
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly awaits: number;
    readonly hidden: readonly { readonly file: string; readonly line: number }[];
  }[];
}

const understood = `
import { Pool } from 'pg';
const pool = new Pool();
export async function orders(id) {
  const { rows } = await pool.query('SELECT id FROM orders WHERE customer = $1', [id]);
  return rows;
}
export async function both(id) {
  return [await orders(id), await fetch('https://prices.example/' + id)];
}
`;

describe('the coverage of awaits', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const run = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    cli.run(['coverage', ...args], { cwd: folderWith(files).path });

  const reportOf = async (files: Readonly<Record<string, string>>): Promise<Report> => {
    const { stdout } = await run(files, '--json');
    return JSON.parse(stdout) as Report;
  };

  it('counts awaits whose effects are resolved, through functions of the project', async () => {
    const { awaits, roots, ...report } = await reportOf({ 'orders.js': understood });
    deepStrictEqual([awaits, report.understood, roots], [3, 3, []]);
  });

  it('counts no test, no script and no file without an await', async () => {
    const { awaits, files } = await reportOf({
      'orders.js': understood,
      'orders.test.js': understood,
      'scripts/seed.js': understood,
      'plain.js': 'export const size = 3;',
    });
    deepStrictEqual([awaits, files.map((it) => it.file)], [3, ['orders.js']]);
  });

  it('counts nothing that a page waits for', async () => {
    const { awaits, files } = await reportOf({
      'orders.js': understood,
      'ui/OrderForm.tsx':
        "import { useSubmit } from 'unheard-of';\nexport function OrderForm() {\n  const submit = useSubmit();\n  return <form onSubmit={async () => await submit()} />;\n}",
      'ui/useOrder.ts':
        "import { useQuery } from 'unheard-of';\nexport function useOrder() {\n  const { refetch } = useQuery();\n  return async () => await refetch();\n}",
      'frontend/orders.ts':
        "import { ask } from 'unheard-of';\nexport const load = async () => await ask();",
    });
    deepStrictEqual([awaits, files.map((it) => it.file)], [3, ['orders.js']]);
  });

  /** Each with the root that hides its one await: cause, name, and the line in which the root is declared. */
  const causes: Readonly<Record<string, readonly [code: string, name: string, line: number]>> = {
    package: [
      "import { ask } from 'unheard-of';\nexport const f = async () => await ask();",
      'unheard-of',
      2,
    ],
    member: [
      "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const f = async () => await pool.whatever();",
      'pool.whatever',
      3,
    ],
    module: [
      "import { ask } from './gone.js';\nexport const f = async () => await ask();",
      './gone.js',
      2,
    ],
    parameter: ['export const f = async (ask) => await ask();', 'ask', 1],
    type: [
      'interface Store {\n  read(): Promise<string>;\n}\nexport const f = async (store: Store) => await store.read();',
      'Store',
      1,
    ],
    field: [
      'export class Store {\n  private client;\n  async read() {\n    return await this.client.read();\n  }\n}',
      'Store.client',
      2,
    ],
    global: ['export const f = async () => await connect().ask();', 'connect', 1],
    promise: [
      'let started;\nexport const start = (it) => (started = it.run());\nexport const f = async () => await started;',
      'started',
      1,
    ],
    iteration: [
      'async function g(rows) {\n  for await (const row of rows) row.seen = true;\n}\nexport const f = async (rows) => await g(rows);',
      'rows',
      2,
    ],
  };
  for (const [cause, [code, name, line]] of Object.entries(causes)) {
    it(`names what hides an await: ${cause}`, async () => {
      const { roots } = await reportOf({ 'a.ts': code });
      deepStrictEqual(
        roots.map((it) => [it.cause, it.name, it.line]),
        [[cause, name, line]],
      );
    });
  }

  it('adds up what one root hides in all files, and begins with the largest', async () => {
    const { roots } = await reportOf({
      'a.ts':
        "import { ask } from 'unheard-of';\nexport const f = async () => [await ask(), await ask()];",
      'b.ts': "import { ask } from 'unheard-of';\nexport const g = async () => await ask();",
      'c.ts': "import { say } from 'nobody-knows';\nexport const h = async () => await say();",
    });
    deepStrictEqual(
      roots.map((it) => [it.name, it.awaits]),
      [
        ['unheard-of', 3],
        ['nobody-knows', 1],
      ],
    );
    deepStrictEqual(
      roots[0]!.hidden.map((it) => `${it.file}:${it.line}`),
      ['a.ts:2', 'a.ts:2', 'b.ts:2'],
    );
  });

  it('shows the share, a bar for each folder, and what hides the rest', async () => {
    const files = {
      'src/api/orders.js': understood,
      'src/mail/send.js':
        "import { ask } from 'unheard-of';\nexport const f = async () => await ask();",
    };
    const { code, stdout } = await run(files, '--no-color');
    strictEqual(code, 0);
    match(stdout, /^Deadtime understands 75 % of 4 awaits in 2 files\.\n/);
    match(stdout, /^src\/api {3}█{20} 100 % of 3$/m);
    match(stdout, /^src\/mail {2}░{20} {3}0 % of 1$/m);
    match(stdout, /^ {5}1 {2}unheard-of {2}an unsupported package, or part of one$/m);
    match((await run(files, '--no-color', '--by', 'file')).stdout, /^src\/api\/orders\.js {2}█/m);
  });

  it('has a sentence for code without an await, and praises no empty folder', async () => {
    const nothing = await run({ 'a.js': 'run();' });
    deepStrictEqual([nothing.code, /no `await`/.test(nothing.stdout)], [0, true]);
    const empty = await run({});
    deepStrictEqual([empty.code, empty.stdout], [2, '']);
  });

  /** The only rule here looks at texts with the word: one in which none could find anything is not parsed. */
  const HEAD = "import { ask } from 'unheard-of'; // wait";
  /** The last line of a check without a finding. */
  const checked = async (...lines: readonly string[]) => {
    const text = [HEAD, ...lines].join('\n');
    const { stdout } = await cli.run([], { cwd: folderWith({ 'asks.js': text }).path });
    return stdout.replace(/^(.*?) in 1 file, \d+ lines?\./, '$1.').trimEnd();
  };
  const one = "export const g = async () => await fetch('https://prices.example/');";
  const other = 'export const h = async () => await ask();';

  it('is in the last line of a check', async () => {
    deepStrictEqual(
      [
        await checked(one),
        await checked(one, one.replace(' g ', ' g2 '), other),
        await checked(one, other, other.replace(' h ', ' h2 ')),
        await checked(other),
        await checked('ask();'),
      ],
      [
        'No dead time found. Deadtime understands all of the awaits.',
        'No dead time found. Deadtime understands about 66 % of the awaits; `deadtime coverage` shows the rest. It does not support unheard-of (about 33 % of the awaits).',
        'Nothing found. Deadtime understands about 33 % of the awaits; `deadtime coverage` shows the rest. It does not support unheard-of (about 67 % of the awaits).',
        'Nothing found. Deadtime understands hardly any of the awaits; `deadtime coverage` shows the rest. It does not support unheard-of (about 100 % of the awaits).',
        'No dead time found. `deadtime coverage` shows what Deadtime understands of it.',
      ],
    );
  });

  it('names the packages in the last line of a check, and no part of one that has a model', async () => {
    const { path: cwd } = folderWith({
      'asks.js': [
        ...["import { tell } from 'unheard-of';", "import { ask } from 'never-seen';"],
        "import { unheard } from 'pg';",
        ...['await ask(); // wait', 'await ask();', 'await tell();', 'await unheard();'],
      ].join('\n'),
    });
    const sentence =
      'It does not support never-seen (about 50 % of the awaits) and unheard-of (about 25 %).';
    const [first, second] = [await cli.run([], { cwd }), await cli.run([], { cwd })];
    ok(first.stdout.endsWith(`${sentence}\n`), first.stdout);
    strictEqual(second.stdout, first.stdout);
  });

  it('is the same in the last line of a check with a cache', async () => {
    const { path: cwd } = folderWith({
      'asks.js': `${HEAD}\n${one}\n${other}`,
    });
    const [first, second] = [await cli.run([], { cwd }), await cli.run([], { cwd })];
    match(first.stdout, /about 50 % of the awaits/);
    strictEqual(second.stdout, first.stdout);
  });
});
