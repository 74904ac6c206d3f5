import type { FileFacts } from '../src/analysis/file/file.ts';
import type { SkeletonStep } from '../src/patterns/skeleton/shape.ts';
import { skeletonStepsOf } from '../src/patterns/skeleton/skeleton.ts';
import { projectOf } from './fixtures.ts';

/** What every source starts with. */
export const imports = `
import { Pool } from 'pg'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
const pool = new Pool()
`.trim();

export function fileOf(source: string): FileFacts {
  return projectOf([{ virtualPath: '/project/main.ts', source }])('/project/main.ts');
}

/** One step a line, indented by what it stands in. */
export function shown(steps: readonly SkeletonStep[], indent = ''): readonly string[] {
  return steps.flatMap((step) => {
    const mark = step.isFlagged ? '> ' : '';
    const line = (text: string) => `${indent}${mark}${text}`;
    const inner = (list: readonly SkeletonStep[]) => shown(list, `${indent}  `);
    switch (step.kind) {
      case 'io':
        return line(`${step.label} (${step.to}, ${step.on})`);
      case 'sleep':
        return line(`sleep ${step.ms}`);
      case 'yield':
        return line(`yield ${step.how}`);
      case 'checkout':
        return line(`checkout ${step.roundTrips}`);
      case 'release':
        return line('release');
      case 'together':
        return [line('together'), ...step.branches.flatMap((it) => [`${indent}-`, ...inner(it)])];
      case 'loop':
        return [
          line(`${step.isConcurrent ? 'at once' : 'loop'} ${step.count}`),
          ...inner(step.body),
        ];
      case 'branch':
        return [
          line(`branch${step.thenLeaves ? ', leaves' : ''}`),
          ...inner(step.then),
          ...(step.otherwise.length > 0 ? [`${indent}else`, ...inner(step.otherwise)] : []),
        ];
      case 'call':
        return [line(step.label), ...inner(step.body)];
    }
  });
}

/** The waits of a function's body, or why they cannot be told. */
export function waitsOf(body: string, before = ''): readonly string[] | string {
  const file = fileOf(`${imports}\n${before}\nasync function main(rows, id, res) {\n${body}\n}`);
  const main = file.nodes.all('FunctionDeclaration').find((it) => it.id?.name === 'main')!;
  const steps = skeletonStepsOf(file, [main.body!], new Set());
  return 'unreadable' in steps ? steps.unreadable : shown(steps);
}

/** A name, a function's body, what it waits for, and what stands before the function. */
export const waitCases: readonly (readonly [
  string,
  string,
  readonly string[] | string,
  string?,
])[] = [
  [
    'queries, files, services and pauses in order',
    `const a = await pool.query('select 1')
     const b = await readFile('a.json')
     const c = await (await fetch('https://a.example')).json()
     await sleep(20)
     await new Promise((resolve) => setImmediate(resolve))`,
    [
      ...['pool.query() (database, pool)', 'readFile() (disk, pool)', 'fetch() (service, pool)'],
      ...['sleep 20', 'yield immediate'],
    ],
  ],
  ['nothing but work', 'const sum = rows.map((it) => it * 2).join(); return sum', []],
  [
    'a loop with a length that the code says, and one without',
    `for (let i = 0; i < 3; i++) await pool.query('select 1')
     for (const row of rows) await pool.query('select 1')`,
    [
      ...['loop 3', '  pool.query() (database, pool)'],
      ...['loop undefined', '  pool.query() (database, pool)'],
    ],
  ],
  [
    'what runs at once',
    `await Promise.all([pool.query('select 1'), pool.query('select 2')])
     await Promise.all(rows.map(async (row) => pool.query('select 3')))`,
    [
      ...[
        'together',
        '-',
        '  pool.query() (database, pool)',
        '-',
        '  pool.query() (database, pool)',
      ],
      ...['at once undefined', '  pool.query() (database, pool)'],
    ],
  ],
  [
    'ways that may be taken; a guard without waits is none',
    `if (!id) return
     if (rows) { await pool.query('select 1') } else await sleep(5)
     const found = rows ?? (await readFile('rows.json'))`,
    [
      ...['branch', '  pool.query() (database, pool)', 'else', '  sleep 5'],
      ...['branch', '  readFile() (disk, pool)'],
    ],
  ],
  [
    'a connection that is held',
    `const client = await pool.connect()
     try { await client.query('select 1') } finally { client.release() }`,
    ['checkout 0', 'client.query() (database, connection)', 'release'],
  ],
  [
    'functions of the project, followed once',
    'await handle(id)',
    [
      'handle()',
      '  branch, leaves',
      '    pool.query() (database, pool)',
      '    pool.query() (database, pool)',
    ],
    `async function handle(id) { if (id) { await pool.query('select 1'); return handle(id - 1) } }`,
  ],
  [
    'the links of a chain',
    `return pool.query('select 1').then((rows) => pool.query('select 2')).catch(() => sleep(9))`,
    ['pool.query() (database, pool)', 'pool.query() (database, pool)'],
  ],
  ['calls that nobody knows', 'await res.send(id)', ['res.send() (unknown, pool)']],
  [
    'a stream',
    'for await (const row of rows) await sleep(1)',
    'it reads a stream, which sets its own pace',
  ],
  [
    'a promise that was started before',
    `const started = pool.query('select 1'); await started`,
    'it waits for started, which was started elsewhere',
  ],
  ['more than anybody wants to read', `await sleep(9);`.repeat(200), 'it has more than 150 steps'],
  [
    'the first of several, and what others do with several',
    `await Promise.race([pool.query('select 1'), sleep(5)])
     await ledger.all([pool.query('select 2'), pool.query('select 3')])`,
    [
      'pool.query() (database, pool)',
      ...['pool.query() (database, pool)', 'pool.query() (database, pool)'],
    ],
  ],
];
