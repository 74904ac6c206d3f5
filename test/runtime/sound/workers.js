import { EventEmitter, once } from 'node:events';
import { pool, sleep } from './db.js';

// Each is a program that has nothing to report.

/** It sleeps only where no work is ready. */
export async function pollingWorker() {
  let busy = 3;
  for (;;) {
    const { rows } = await pool.query('SELECT id FROM jobs WHERE state = $1 LIMIT 50', ['new']);
    const isIdle = busy-- <= 0;
    if (rows.length === 0 || isIdle) {
      await sleep(50);
      continue;
    }
    await pool.query('UPDATE jobs SET state = $1 WHERE id = ANY($2)', ['done', rows]);
  }
}

/** A batch is one statement, and the next one follows while there are rows. */
export async function drainingWorker() {
  while (!stopped.isSet) {
    const { rowCount } = await pool.query('DELETE FROM expired WHERE id IN (SELECT id LIMIT 1000)');
    if (rowCount < 1000) await sleep(200);
  }
}

export const stopped = { isSet: false };
const jobs = new EventEmitter();

/** It has no work, so it waits for as long as the program runs. */
export async function idleWorker() {
  for (;;) {
    const [job] = await once(jobs, 'job');
    await pool.query('INSERT INTO handled (job) VALUES ($1)', [job]);
  }
}

/** The process is only asked to stay. */
export async function heartbeat() {
  for (;;) {
    await pool.query('UPDATE workers SET seen = now() WHERE id = $1', [1]);
    await sleep(100);
  }
}
