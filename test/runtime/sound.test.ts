import { deepStrictEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtCli } from '../fakes/built-cli.ts';
import { tableOf } from './truth/measured.ts';

/** The rows of the table that state that something is wrong. */
const reports: Readonly<Record<string, RegExp>> = {
  'one statement many times': /the same statement up to \d+ times/,
  'reads in sequence': /independent reads in sequence/,
  'a loop over a database': /[\d.]+ times in a loop: /,
  'an await without an end': /^still open /m,
  'a connection without a release': /not released/,
  'calls that wait for a connection': /held, [1-9]\d* waiting/,
};

/** Programs with one mistake each. */
const unsound = `import 'truth';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ max: 3 });

/** One statement for each row. */
async function rows() {
  const { rows: orders } = await pool.query('SELECT id FROM orders');
  const items = [];
  for (const { id } of [...orders, ...[1, 2, 3, 4, 5, 6].map((id) => ({ id }))]) {
    const found = await pool.query('SELECT * FROM items WHERE order_id = $1', [id]);
    items.push(found.rows);
  }
  return items;
}

/** No read needs a different one. */
async function reads() {
  const users = await pool.query('SELECT count(*) FROM users');
  const orders = await pool.query('SELECT count(*) FROM orders');
  return [users, orders];
}

/** It waits for an event that does not come. */
async function stuck() {
  await new Promise(() => {});
}

/** The connection is not released. */
async function leak() {
  const client = await pool.connect();
  await client.query('SELECT 1');
}

async function pause() {
  await new Promise((resolve) => setTimeout(resolve, 300));
}

const routes = { rows, reads, pause };
const server = createServer(async (request, response) => {
  await routes[request.url.slice(1)]();
  response.end('done');
});
void stuck();
void leak();
drive(server);
`;

describe('the table of a run', function () {
  this.timeout(300_000);
  let cli: string;
  before(async () => {
    cli = await builtCli();
  });

  const reportsOf = (
    files: Readonly<Record<string, string>>,
    paths: readonly string[],
    clients: number,
  ) => {
    const all = paths.flatMap((path) => Array.from({ length: 4 }, () => `/${path}`));
    const table = tableOf(
      {
        ...{ form: 'esm', main: 'main.js', files },
        dictated: {
          answers: { 1: { ms: 5, fails: false }, 2: { ms: 5, fails: false } },
          load: [
            { paths: all, clients: 1 },
            { paths: all, clients },
          ],
        },
      },
      cli,
    );
    const lines = table.split('\n');
    return Object.entries(reports).flatMap(([name, row]) => {
      const found = lines.filter((it) => row.test(it));
      return found.length > 0 ? [{ name, found }] : [];
    });
  };

  it('reports nothing of twenty programs without a mistake', () => {
    const routes = [
      ...['dependentReads', 'oneQueryForAll', 'independentReadsTogether', 'fewPages'],
      ...['ownStatementsInTransaction', 'pagesOfGenerator', 'politeBackoff', 'cachedRead'],
      ...['rowsInOneStatement', 'guardedWrite', 'readOfOwnWrite', 'timeLimit', 'storedAnswer'],
      ...['settledTogether', 'lockOnOneConnection', 'loadsOfOneTurn'],
    ];
    deepStrictEqual(reportsOf(filesIn('test/runtime/sound'), routes, 3), []);
  });

  it('reports each mistake of their neighbours', () => {
    const found = reportsOf({ 'main.js': unsound }, ['rows', 'reads', 'pause'], 6);
    deepStrictEqual(
      found.map((it) => it.name),
      Object.keys(reports),
    );
  });
});

function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((it) => [it, readFileSync(join(folder, it), 'utf8')]));
}
