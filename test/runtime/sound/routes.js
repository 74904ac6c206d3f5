import { pool, sleep, transaction } from './db.js';

// Each is a program that has nothing to report.

/** Each read needs the one before it. */
async function dependentReads() {
  const user = await pool.query('SELECT id, team FROM users WHERE id = $1', [1]);
  const team = await pool.query('SELECT lead FROM teams WHERE id = $1', [user.rows[0].team]);
  await pool.query('SELECT name FROM users WHERE id = $1', [team.rows[0].lead]);
}

/** One query has the rows of all orders. */
async function oneQueryForAll() {
  const orders = await pool.query('SELECT id FROM orders WHERE state = $1', ['open']);
  const ids = orders.rows.map((it) => it.id);
  await pool.query('SELECT * FROM items WHERE order_id = ANY($1)', [ids]);
}

async function independentReadsTogether() {
  await Promise.all([
    pool.query('SELECT count(*) FROM users'),
    pool.query('SELECT count(*) FROM orders'),
  ]);
}

async function ownStatementsInTransaction() {
  await transaction(async (client) => {
    const order = await client.query('INSERT INTO orders (user_id) VALUES ($1) RETURNING id', [1]);
    await client.query('INSERT INTO items (order_id) VALUES ($1)', [order.rows[0].id]);
  });
}

/** The place at which each page starts is in the page before it. */
async function fewPages() {
  let last = 0;
  for (let page = 0; page < 3; page++) {
    const { rows } = await pool.query('SELECT id FROM events WHERE id > $1 LIMIT 100', [last]);
    last = rows.at(-1).id;
  }
}

async function* pages() {
  let last = 0;
  for (let page = 0; page < 3; page++) {
    const { rows } = await pool.query('SELECT id FROM logs WHERE id > $1 LIMIT 500', [last]);
    last = rows.at(-1).id;
    yield rows;
  }
}

async function pagesOfGenerator() {
  let count = 0;
  for await (const rows of pages()) count += rows.length;
  return count;
}

/** It waits longer after each failure, and only after one. */
async function politeBackoff() {
  let failures = 0;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await pool.query('UPDATE stock SET n = n - 1 WHERE id = $1', [1]);
      if (failures++ === 0) throw new Error('serialization failure');
      return;
    } catch {
      await sleep(5 * 2 ** attempt);
    }
  }
}

let settings;

async function cachedRead() {
  settings ??= pool.query('SELECT key, value FROM settings');
  await settings;
}

async function rowsInOneStatement() {
  const rows = [1, 2, 3, 4, 5, 6, 7, 8];
  const values = rows.map((_, i) => `($${i + 1})`).join(', ');
  await pool.query(`INSERT INTO clicks (user_id) VALUES ${values}`, rows);
}

/** The write depends on the row that was read. */
async function guardedWrite() {
  const { rows } = await pool.query('SELECT version FROM carts WHERE id = $1', [1]);
  if (rows.length === 0) return;
  await pool.query('UPDATE carts SET version = $1 WHERE id = $2', [rows[0].n + 1, 1]);
}

async function readOfOwnWrite() {
  const added = await pool.query('INSERT INTO notes (text) VALUES ($1) RETURNING id', ['a']);
  await pool.query('SELECT * FROM notes WHERE id = $1', [added.rows[0].id]);
}

async function timeLimit() {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), 5_000);
  });
  try {
    await Promise.race([pool.query('SELECT total FROM reports WHERE id = $1', [1]), limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function storedAnswer() {
  const response = await fetch('https://prices.example/v1/1');
  const price = await response.json();
  await pool.query('INSERT INTO prices (value) VALUES ($1)', [price.id]);
}

async function settledTogether() {
  await Promise.allSettled([
    pool.query('INSERT INTO audit (event) VALUES ($1)', ['read']),
    fetch('https://hooks.example/v1/2'),
  ]);
}

async function lockOnOneConnection() {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock(7)');
    await client.query('REFRESH MATERIALIZED VIEW totals');
    await client.query('SELECT pg_advisory_unlock(7)');
  } finally {
    client.release();
  }
}

const waiting = [];
let isPlanned = false;

/** Loads of one turn of the event loop are one query. */
function loaded(id) {
  return new Promise((resolve) => {
    waiting.push({ id, resolve });
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(async () => {
      isPlanned = false;
      const all = waiting.splice(0);
      await pool.query('SELECT * FROM authors WHERE id = ANY($1)', [all.map((it) => it.id)]);
      for (const it of all) it.resolve(it.id);
    });
  });
}

async function loadsOfOneTurn() {
  await Promise.all([1, 2, 3, 4, 5, 6].map((id) => loaded(id)));
}

export const routes = {
  ...{ dependentReads, oneQueryForAll, independentReadsTogether, ownStatementsInTransaction },
  ...{ fewPages, pagesOfGenerator, politeBackoff, cachedRead, rowsInOneStatement },
  ...{ guardedWrite, readOfOwnWrite, timeLimit, storedAnswer, settledTogether },
  ...{ lockOnOneConnection, loadsOfOneTurn },
};
