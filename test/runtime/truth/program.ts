import { Random } from './random.ts';
import { shapes } from './shapes.ts';
import { type Answer, type FileName, type Form, type TrueSite, Writer } from './writer.ts';

/** An await of a generated program, at its place. */
export interface PlacedSite extends TrueSite {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface Program {
  readonly form: Form;
  /** By their path, the files of the program without its packages. */
  readonly files: Readonly<Record<string, string>>;
  /** The file to start. */
  readonly main: string;
  readonly sites: readonly PlacedSite[];
  /** What the driver answers, and which requests are sent. */
  readonly dictated: {
    readonly answers: Readonly<Record<number, Answer>>;
    readonly load: readonly { readonly paths: readonly string[]; readonly clients: number }[];
  };
}

export interface ProgramOptions {
  readonly form: Form;
  /** Those of `shapes` that it has. */
  readonly names?: readonly string[];
  /** How often each route is requested, alone and concurrently. */
  readonly times?: number;
}

const SHAPES_OF_A_ROUTE = 5;
const CLIENTS = 4;

/** The program of a seed: each of the shapes in one of its routes, and two workers. */
export function programOf(
  seed: number,
  { form, names = Object.keys(shapes), times = 3 }: ProgramOptions,
): Program {
  const writer = new Writer(new Random(seed), form === 'tsx' || form === 'stripped');
  const deck = writer.random.shuffled(names);
  const routes = Array.from({ length: Math.ceil(deck.length / SHAPES_OF_A_ROUTE) }, (_, i) =>
    routeOf(writer, i, deck.slice(SHAPES_OF_A_ROUTE * i, SHAPES_OF_A_ROUTE * (i + 1))),
  );
  const workers = workersOf(writer);
  const texts = textsOf(writer, form, { routes, workers });
  const { files, sites } = placed(texts, form, writer.sites);
  const paths = routes.flatMap(({ path }) => Array.from({ length: times }, () => path));
  return {
    ...{ form, files, sites, main: pathOf('main', form) },
    dictated: {
      answers: writer.answers,
      load: [
        { paths, clients: 1 },
        { paths: writer.random.shuffled(paths), clients: CLIENTS },
      ],
    },
  };
}

interface Route {
  readonly name: string;
  readonly path: string;
}

function routeOf(writer: Writer, i: number, names: readonly string[]): Route {
  // A number in the path would be the key of one thing.
  const letter = String.fromCharCode('a'.charCodeAt(0) + i);
  const name = `route${letter.toUpperCase()}`;
  const body = names.flatMap((it) => {
    writer.shape = it;
    writer.file = writer.random.pick(['main', 'lib']);
    const lines = shapes[it]!(writer);
    if (writer.random.next() < 0.5) return ['{', ...indented(lines), '}'];
    const step = writer.name('step');
    writer.declare(step, [
      `async function ${step}(request${requestType(writer)}) {`,
      ...indented(lines),
      '}',
    ]);
    return [`await ${step}(request);`];
  });
  writer.declare(
    name,
    [`async function ${name}(request${requestType(writer)}) {`, ...indented(body), '}'],
    'main',
  );
  return { name, path: `/${letter}` };
}

function requestType(writer: Writer): string {
  return writer.type('{ readonly url?: string | undefined }');
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((it) => `  ${it}`);
}

function workersOf(writer: Writer): readonly string[] {
  writer.shape = 'a worker';
  const job = writer.helper([`return ${writer.awaited(writer.statement())};`]);
  const [mailer, cleaner] = [writer.name('mailer'), writer.name('cleaner')];
  writer.declare(
    mailer,
    [
      `async function ${mailer}() {`,
      '  for (;;) {',
      '    tick();',
      `    const { rows } = ${writer.awaited(writer.statement())};`,
      `    for (const row of rows) if (row.n > 0) await ${job};`,
      `    ${writer.awaited(writer.sleep())};`,
      '  }',
      '}',
    ],
    'main',
  );
  writer.declare(
    cleaner,
    [
      `async function ${cleaner}() {`,
      '  while (!stopped.isSet) {',
      '    tick();',
      '    burn(2);',
      `    ${writer.awaited(writer.sleep(20, 30))};`,
      '    try {',
      `      ${writer.awaited(writer.statement({ fails: true }))};`,
      '    } catch {',
      '      continue;',
      '    }',
      '  }',
      '}',
    ],
    'main',
  );
  return [mailer, cleaner];
}

type Text = readonly [file: FileName, lines: readonly string[]];

function textsOf(
  writer: Writer,
  form: Form,
  parts: { readonly routes: readonly Route[]; readonly workers: readonly string[] },
): readonly Text[] {
  const exported = [...new Set(writer.exported)];
  const isCommonJs = form === 'commonjs';
  const list = exported.join(', ');
  const lib = isCommonJs ? [`module.exports = { ${list} };`] : [`export { ${list} };`];
  return [
    ['lib', [...headOfLib(writer, isCommonJs), ...writer.top.lib, ...lib]],
    [
      'main',
      [
        ...(isCommonJs
          ? [...REQUIRES, `const { ${list} } = require('./lib');`]
          : [...IMPORTS, `import { ${list} } from './${pathOf('lib', form)}';`]),
        '',
        'const stopped = { isSet: false };',
        '',
        ...writer.top.main,
        ...serverOf(parts.routes),
        ...parts.workers.map((it) => `worker('${it}', ${it});`),
        'drive(server);',
      ],
    ],
  ];
}

const REQUIRES = [
  "require('truth');",
  "const { createServer } = require('node:http');",
  "const { setTimeout: pause } = require('node:timers/promises');",
];
const IMPORTS = [
  "import 'truth';",
  "import { createServer } from 'node:http';",
  "import { setTimeout as pause } from 'node:timers/promises';",
];

function headOfLib(writer: Writer, isCommonJs: boolean): readonly string[] {
  const imports = isCommonJs
    ? [
        "require('truth');",
        "const { setTimeout: pause } = require('node:timers/promises');",
        "const { promisify } = require('node:util');",
        "const pg = require('pg');",
      ]
    : [
        "import 'truth';",
        "import { setTimeout as pause } from 'node:timers/promises';",
        "import { promisify } from 'node:util';",
        "import pg from 'pg';",
      ];
  const number = writer.type('number');
  return [
    ...imports,
    ...(writer.isTyped ? TYPES : []),
    '',
    `const pool = new pg.Pool({ max: ${writer.random.between(3, 5)} });`,
    `function sleep(ms${number})${writer.type('Promise<void>')} {`,
    '  return new Promise((resolve) => setTimeout(resolve, ms));',
    '}',
    'const rested = promisify(setTimeout);',
    `function limited(promise${writer.type('Promise<unknown>')}, ms${number}) {`,
    `  let timer${writer.type('ReturnType<typeof setTimeout>')};`,
    '  const limit = new Promise((_, reject) => {',
    "    timer = setTimeout(() => reject(new Error('too late')), ms);",
    '  });',
    '  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));',
    '}',
    '',
  ];
}

/** Lines that have no code after their types are removed. */
const TYPES = [
  'interface Row {',
  '  readonly id: number;',
  '  readonly n: number;',
  '}',
  'type Rows<T extends Row = Row> = readonly T[];',
  'declare function burn(ms: number): void;',
];

function serverOf(routes: readonly Route[]): readonly string[] {
  return [
    'const server = createServer(async (request, response) => {',
    '  try {',
    ...routes.map(
      ({ name, path }, i) =>
        `    ${i > 0 ? 'else ' : ''}if (request.url === '${path}') await ${name}(request);`,
    ),
    '  } catch (error) {',
    '    console.error(error);',
    '    response.statusCode = 500;',
    '  }',
    "  response.end('done');",
    '});',
  ];
}

const EXTENSIONS = { esm: 'js', commonjs: 'js', tsx: 'ts', stripped: 'ts' } as const;

function pathOf(file: FileName, form: Form): string {
  return `${file}.${EXTENSIONS[form]}`;
}

/** Without the marks of sites, and with the places of these. */
function placed(
  texts: readonly Text[],
  form: Form,
  sites: readonly TrueSite[],
): Pick<Program, 'files' | 'sites'> {
  const places = new Map<number, { readonly file: string; readonly line: number }>();
  const files = texts.map(([name, lines]) => {
    const file = pathOf(name, form);
    const text = lines.map((it, i) =>
      it.replaceAll(/«(\d+)»/g, (_, site: string) => {
        places.set(Number(site), { file, line: i + 1 });
        return '';
      }),
    );
    return [file, `${text.join('\n')}\n`] as const;
  });
  return {
    files: Object.fromEntries(files),
    sites: sites.map((it, i) => ({ ...it, ...places.get(i)! })),
  };
}
