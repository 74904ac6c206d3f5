import { deepStrictEqual } from 'node:assert/strict';
import { workingTreeChanges } from '../../src/scan/review/sources.ts';
import { rules } from '../../rules/index.ts';
import { broughtBy } from '../fakes/brought-by.ts';
import { type GitRepository, repositoryWith } from '../fakes/git-repository.ts';

describe('a review of what is not in changed lines', () => {
  const worker = [
    "import { Pool } from 'pg'",
    "import { pause } from './timing.js'",
    '',
    'const pool = new Pool()',
    '',
    'export async function touchAll(ids: number[]) {',
    '  for (const id of ids) {',
    "    await pool.query('UPDATE rows SET touched = now() WHERE id = $1', [id])",
    '    await pause(30)',
    '  }',
    '}',
    '',
  ].join('\n');
  const pausing = [
    'export function pause(ms: number): Promise<void> {',
    '  return new Promise((resolve) => setTimeout(resolve, ms))',
    '}',
    '',
  ].join('\n');
  const sleeps = rules.filter((it) => it.id === 'no-hot-path-sleep');
  const all = (repository: GitRepository) => broughtBy(workingTreeChanges(repository.path), sleeps);

  it('reports what a changed helper brings to files that import it, over other files, too', async () => {
    const repository = repositoryWith({
      'src/worker.ts': worker,
      'src/timing.ts': "export { pause } from './pause.js'\n",
      'src/pause.ts': 'export async function pause(ms: number): Promise<void> {}\n',
      'src/other.ts': worker.replace('./timing.js', './elsewhere.js'),
    });
    repository.write({ 'src/pause.ts': pausing });
    deepStrictEqual(await all(repository), ['src/worker.ts:9 because of src/pause.ts:1']);
    repository.commit();
    repository.write({ 'src/pause.ts': `// Sleeps.\n${pausing}` });
    deepStrictEqual(await all(repository), []);
  });

  it('reports what a new helper brings to files that import it already', async () => {
    const repository = repositoryWith({ 'src/worker.ts': worker });
    repository.write({ 'src/timing.ts': pausing });
    deepStrictEqual(await all(repository), ['src/worker.ts:9 because of src/timing.ts:1']);
  });

  it('reports what a new helper brings to files that imported another of its name', async () => {
    const repository = repositoryWith({
      'src/worker.ts': worker.replace('./timing.js', './timing'),
      'src/timing/index.ts': 'export async function pause(ms: number): Promise<void> {}\n',
    });
    repository.write({ 'src/timing.ts': pausing });
    deepStrictEqual(await all(repository), ['src/worker.ts:9 because of src/timing.ts:1']);
  });

  it('follows a helper of a helper', async () => {
    const repository = repositoryWith({
      'src/worker.ts': worker,
      'src/timing.ts':
        "import { delay } from './delay.js'\nexport async function pause(ms: number) {\n  await delay(ms)\n}\n",
      'src/delay.ts': 'export async function delay(ms: number): Promise<void> {}\n',
    });
    repository.write({ 'src/delay.ts': pausing.replace('pause', 'delay') });
    deepStrictEqual(await all(repository), ['src/worker.ts:9 because of src/delay.ts:1']);
  });

  it('reports what a changed value brings to a line that stays', async () => {
    const waits = worker.replace('pause(30)', 'pause(PAUSE_MS)');
    const repository = repositoryWith({
      'src/worker.ts': waits.replace('const pool', 'const PAUSE_MS = 30\nconst pool'),
      'src/timing.ts': pausing,
    });
    repository.write({
      'src/worker.ts': waits.replace('const pool', 'const PAUSE_MS = 500\nconst pool'),
    });
    deepStrictEqual(await all(repository), ['src/worker.ts:10 because of src/worker.ts:4']);
  });

  it('reports what a changed loop brings to a line that stays', async () => {
    const repository = repositoryWith({
      'src/worker.ts': worker.replace('for (const id of ids)', 'if (ids.length > 0)'),
      'src/timing.ts': pausing,
    });
    repository.write({ 'src/worker.ts': worker });
    deepStrictEqual(await all(repository), ['src/worker.ts:9']);
    repository.commit();
    repository.write({
      'src/worker.ts': worker.replace('const id of ids', 'const id of ids.slice()'),
    });
    deepStrictEqual(await all(repository), ['src/worker.ts:9']);
  });

  it('has no cause where a reason was removed, and reports the finding with one more', async () => {
    const reads = (...tables: readonly string[]) => ({
      'src/overview.ts': [
        "import { Pool } from 'pg'",
        'const pool = new Pool()',
        'export async function overview() {',
        ...tables.map((it) => `  const ${it} = await pool.query('SELECT count(*) FROM ${it}')`),
        `  return [${tables.join(', ')}]`,
        '}\n',
      ].join('\n'),
    });
    const repository = repositoryWith(reads('users', 'teams', 'shares'));
    const brought = () => broughtBy(workingTreeChanges(repository.path), rules);
    repository.write(reads('users', 'teams'));
    deepStrictEqual(await brought(), []);
    repository.write(reads('users', 'teams', 'shares', 'stars'));
    deepStrictEqual(await brought(), ['src/overview.ts:5']);
  });

  it('reports a connection whose finally has gone, and names the place', async () => {
    const kept = [
      "import { Pool } from 'pg'",
      'const pool = new Pool()',
      'export async function touch(id: number) {',
      '  const client = await pool.connect()',
      '  try {',
      "    await client.query('UPDATE rows SET touched = now() WHERE id = $1', [id])",
      '  } finally {',
      '    client.release()',
      '  }',
      '}',
      '',
    ];
    const repository = repositoryWith({ 'src/rows.ts': kept.join('\n') });
    const lost = kept.filter((it) => !/try|release|finally|^ {2}\}$/.test(it));
    repository.write({ 'src/rows.ts': lost.join('\n') });
    const set = workingTreeChanges(repository.path);
    deepStrictEqual(await broughtBy(set, rules), ['src/rows.ts:4 because of src/rows.ts:5']);
  });

  it('reports what a pool that is new in another file brings to lines that stay', async () => {
    const repository = repositoryWith({
      'src/db.ts': "export { pool } from './memory.js'\n",
      'src/memory.ts':
        'export const pool = { connect: () => ({ query: (text: string) => text, release() {} }) }\n',
      'src/rows.ts': [
        "import { pool } from './db.js'",
        'export async function touch() {',
        '  const client = await pool.connect()',
        "  await client.query('UPDATE rows SET touched = now()')",
        '  client.release()',
        '}',
        '',
      ].join('\n'),
    });
    repository.write({
      'src/db.ts': "import { Pool } from 'pg'\nexport const pool = new Pool({ max: 5 })\n",
    });
    const leaks = rules.filter((it) => it.id === 'no-leaked-connection');
    const set = workingTreeChanges(repository.path);
    deepStrictEqual(await broughtBy(set, leaks), ['src/rows.ts:3 because of src/db.ts:1']);
  });

  it('reports a call that a connection waits for since the line that takes it moved above', async () => {
    const taken = '    client = await pool.connect()';
    const fetched = '    const answer = await fetch(`https://rates.example.com/${id}`)';
    const lines = (...first: readonly string[]) => ({
      'src/rates.ts': [
        "import { Pool } from 'pg'",
        'const pool = new Pool({ max: 5 })',
        'export async function touch(id: number) {',
        '  let client',
        '  try {',
        ...first,
        "    await client.query('UPDATE rates SET value = $1', [answer.status])",
        '  } finally {',
        '    client?.release()',
        '  }',
        '}',
        '',
      ].join('\n'),
    });
    const repository = repositoryWith(lines(fetched, taken));
    repository.write(lines(taken, fetched));
    const held = rules.filter((it) => it.id === 'no-connection-held-across-io');
    deepStrictEqual(await broughtBy(workingTreeChanges(repository.path), held), ['src/rates.ts:7']);
  });
});
