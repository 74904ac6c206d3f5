import { deepStrictEqual } from 'node:assert/strict';
import { factsOf } from '../../src/analysis/facts.ts';
import type { PlannedSource } from '../../src/runtime/plan.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';
import { positionsOf } from '../../src/scan/positions.ts';
import { probesOf } from '../../src/scan/probes.ts';

function sourcesIn(text: string): readonly PlannedSource[] {
  const source = sourceOf(text, 'src/work.ts');
  if (isFailure(source)) throw new Error(source.message);
  return probesOf(factsOf(source), positionsOf(text), []).sources;
}

/** `job orders`, and the line where it starts. */
function namesIn(text: string): readonly string[] {
  return sourcesIn(text).map(({ kind, name, line }) => `${kind} ${name} ${line}`);
}

describe('the sources of work in a file', () => {
  for (const [title, text, expected] of [
    [
      'a worker of BullMQ, by its queue',
      `import { Worker } from 'bullmq';
new Worker('orders', async (job) => { await fetch(job.data.url); });`,
      ['job orders 2'],
    ],
    [
      'a named processor, by its own name',
      `import { Worker } from 'bullmq';
async function sendMail(job) { await fetch(job.data.url); }
new Worker('mails', sendMail);`,
      ['job sendMail 2'],
    ],
    [
      'a consumer of amqplib that hands over to an async function',
      `import amqp from 'amqplib';
const connection = await amqp.connect('amqp://localhost');
const channel = await connection.createChannel();
async function ship(message) { await fetch(message.content); }
channel.consume('shipments', (message) => { void ship(message).catch(console.error); });`,
      ['job ship 4'],
    ],
    [
      'a consumer of Kafka, by its property',
      `import { Kafka } from 'kafkajs';
const consumer = new Kafka({}).consumer({ groupId: 'a' });
consumer.run({ eachMessage: async ({ message }) => { await fetch(message.value); } });`,
      ['job eachMessage 3'],
    ],
    [
      'a job of pg-boss',
      `import PgBoss from 'pg-boss';
const boss = new PgBoss('');
boss.work('reports', async ([job]) => { await fetch(job.data.url); });`,
      ['job reports 3'],
    ],
    [
      'a listener of messages',
      `export function serve(socket) {
  socket.on('message', async (data) => { await fetch(data); });
}`,
      ['job serve 2'],
    ],
    [
      'a time of day',
      `import cron from 'node-cron';
cron.schedule('0 3 * * *', async () => { await fetch('/clean'); });`,
      ['schedule 0 3 * * * 2'],
    ],
    [
      'an interval, its name and what its callback hands over to',
      `async function poll() { await fetch('/a'); }
const sync = async () => { await fetch('/b'); };
setInterval(poll, 1_000);
setInterval(() => sync(), 1_000);
setInterval(async () => { await fetch('/c'); }, 1_000);`,
      ['schedule poll 1', 'schedule sync 2', 'schedule work.ts 5'],
    ],
    [
      'a function that starts itself again',
      `async function tick() {
  await fetch('/a');
  setTimeout(tick, 1_000);
}
tick();`,
      ['schedule tick 1'],
    ],
    [
      'a method that a framework finds',
      `import { Cron } from '@nestjs/schedule';
export class Reports {
  @Cron('0 * * * *')
  async hourly() { await fetch('/a'); }
}`,
      ['schedule hourly 4'],
    ],
    [
      'tests of mocha and its like, by their titles',
      `describe('orders', () => {
  it('lists orders', async () => { await fetch('/orders'); });
  it.only(\`has \${1} order\`, async function () { await fetch('/orders/1'); });
  it.each([1, 2])('has order %s', async (it) => { await fetch('/orders/' + it); });
});`,
      [
        'test work.ts › lists orders 2',
        'test work.ts › has … order 3',
        'test work.ts › has order %s 4',
      ],
    ],
    [
      'tests of node:test, imported and required',
      `import check, { test as proves } from 'node:test';
const { it: states } = require('node:test');
check('a', async () => { await fetch('/a'); });
proves('b', { timeout: 5 }, async (t) => { await fetch('/b'); });
states('c', async () => { await fetch('/c'); });`,
      ['test work.ts › a 3', 'test work.ts › b 4', 'test work.ts › c 5'],
    ],
    [
      'loops over messages, events and an interval',
      `import { on } from 'node:events';
import { setInterval } from 'node:timers/promises';
import { connect } from 'nats';
import { MongoClient } from 'mongodb';
export async function orders() {
  const connection = await connect();
  for await (const message of connection.subscribe('orders')) await fetch(message.subject);
}
export async function events(queue) {
  for await (const [job] of on(queue, 'job')) { await fetch(job); }
}
export async function turns() {
  for await (const _ of setInterval(1_000)) { await fetch('/a'); }
}
export async function changes() {
  const client = new MongoClient('');
  for await (const change of client.db('a').collection('b').watch()) await fetch(change);
}`,
      ['job orders 7', 'job events 10', 'schedule turns 13', 'job changes 17'],
    ],
    [
      'a loop over what a function yields until it is stopped',
      `async function* jobs(queue) {
  for (;;) yield await queue.take();
}
export async function work(queue) {
  for await (const job of jobs(queue)) await job.run();
}`,
      ['job work 5'],
    ],
  ] as const) {
    it(`have ${title}`, () => {
      deepStrictEqual(namesIn(text), expected);
    });
  }

  for (const [title, text] of [
    [
      'a handler that is not async',
      `import { Worker } from 'bullmq';
new Worker('orders', (job) => fetch(job.data.url));`,
    ],
    [
      'a function that a handler calls among other things',
      `import { Worker } from 'bullmq';
async function load(job) { await fetch(job.data.url); }
new Worker('orders', (job) => { console.log(job.id); return load(job); });`,
    ],
    [
      'a handler of requests',
      `import { createServer } from 'node:http';
createServer(async (request, response) => { await fetch('/a'); response.end(); });`,
    ],
    [
      'a callback of a list, of a promise and of an unresolved function',
      `export async function all(ids, each) {
  await Promise.all(ids.map(async (id) => { await fetch(id); }));
  await each(async (id) => { await fetch(id); });
  await fetch('/a').then(async (it) => { await it.text(); });
}`,
    ],
    [
      'a timer that fires once, and one that starts again what has failed',
      `async function connect() {
  try { await fetch('/a'); } catch { setTimeout(connect, 1_000); }
}
setTimeout(async () => { await fetch('/b'); }, 1_000);
connect();`,
    ],
    [
      'a function named like an interval or a test',
      `import { setInterval } from './timers.js';
import { it, test } from './own.js';
setInterval(async () => { await fetch('/a'); }, 1_000);
it('lists orders', async () => { await fetch('/b'); });
test('lists orders', async () => { await fetch('/c'); });`,
    ],
    [
      'the hooks of a test runner',
      `import test from 'node:test';
before(async () => { await fetch('/a'); });
beforeEach(async () => { await fetch('/a'); });
test.before(async () => { await fetch('/a'); });`,
    ],
    [
      'a listener of chunks',
      `export function read(stream) {
  stream.on('data', async (chunk) => { await fetch(chunk); });
}`,
    ],
    [
      'loops over lines, rows, a list and a few values',
      `import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { on } from './own.js';
async function* few() { for (let i = 0; i < 3; i++) yield await fetch('/' + i); }
export async function read(stream, events) {
  const client = new MongoClient('');
  for await (const line of createInterface({ input: stream })) await fetch(line);
  for await (const row of client.db('a').collection('b').find()) await fetch(row);
  for await (const it of [fetch('/a'), fetch('/b')]) await it.text();
  for await (const it of few()) await it.text();
  for await (const it of on(events, 'a')) await fetch(it);
  for await (const chunk of stream) await fetch(chunk);
}`,
    ],
    [
      'a loop that computes',
      `export function fill(list) {
  while (!list.isFull) list.add(1);
}`,
    ],
  ] as const) {
    it(`do not have ${title}`, () => {
      deepStrictEqual(namesIn(text), []);
    });
  }
});
