'use strict';
// A driver with the methods of pg that the model names; the table in a statement identifies it: `t17`.
const { EventEmitter } = require('node:events');
const { answers, current, entryNow, logged, later } = require('truth');

const CONTROL_MS = 1;

class Client {
  query(text, values, callback = values) {
    if (typeof callback !== 'function')
      return new Promise((resolve, reject) => {
        this.send(text, (error, result) => (error ? reject(error) : resolve(result)));
      });
    return this.send(text, callback);
  }
  send(text, callback) {
    const id = Number(/\bt(\d+)\b/.exec(text)?.[1] ?? 0);
    const { ms, fails } = answers[id] ?? { ms: CONTROL_MS };
    const entry = entryNow();
    if (id > 0) this.named?.(id);
    const end = logged('wire', id, entry);
    later(() => {
      end();
      const error = fails ? new Error(`t${id} is locked`) : undefined;
      current.run(entry, () => callback(error, { rows: [{ id, n: 1 }], rowCount: 1 }));
    }, ms);
    return undefined;
  }
}

class Pool extends EventEmitter {
  constructor(options) {
    super();
    this.options = options;
    this.free = Array.from({ length: options.max }, () => new Client());
    this.waiting = [];
  }
  connect(callback) {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.lend((error, client) => (error ? reject(error) : resolve(client))),
      );
    return this.lend(callback);
  }
  lend(callback) {
    const entry = entryNow();
    const wait = logged('pool', 0, entry);
    this.waiting.push({ callback, entry, wait });
    process.nextTick(() => this.serve());
    return undefined;
  }
  serve() {
    if (this.free.length === 0 || this.waiting.length === 0) return;
    const client = this.free.pop();
    const { callback, entry, wait } = this.waiting.shift();
    wait();
    // The first statement names the checkout before it.
    client.named = (id) => {
      wait.record[1] = -id;
      client.named = undefined;
    };
    const released = logged('hold', 0, entry);
    client.release = () => {
      released();
      this.free.push(client);
      this.serve();
    };
    current.run(entry, () => callback(undefined, client, client.release));
  }
  query(text, values) {
    return new Promise((resolve, reject) =>
      this.connect((_, client) =>
        client.query(text, values ?? [], (error, result) => {
          client.release();
          if (error) reject(error);
          else resolve(result);
        }),
      ),
    );
  }
}

module.exports = { Pool, Client };
