/** A driver with the methods of pg that the model names; its answers take 2 ms. */
export const pgDriver = `
const wait = (ms, run) => setTimeout(run, ms);
class Client {
  query(text, values, callback = values) {
    const settle = (error, result) => wait(2, () => callback(error, result));
    const error = text.includes('nowhere') ? new Error('no such table') : undefined;
    if (typeof callback === 'function') return settle(error, { rows: [] });
    return new Promise((resolve, reject) => wait(2, () => (error ? reject(error) : resolve({ rows: [] }))));
  }
}
class Pool {
  constructor(options) { this.options = options; this.free = [1, 2, 3, 4].map(() => new Client()); this.queue = []; }
  connect(callback) {
    if (!callback) return new Promise((resolve, reject) => this.connect((e, c) => (e ? reject(e) : resolve(c))));
    this.queue.push(callback);
    setImmediate(() => this.next());
  }
  next() {
    if (this.free.length === 0 || this.queue.length === 0) return;
    const client = this.free.pop();
    client.release = () => { this.free.push(client); this.next(); };
    this.queue.shift()(undefined, client, client.release);
  }
  query(text, values) {
    return new Promise((resolve, reject) =>
      this.connect((error, client) => client.query(text, values, (failure, result) => {
        client.release();
        if (failure) reject(failure); else resolve(result);
      })));
  }
}
module.exports = { Pool, Client };
`;
