'use strict';
// What a generated program logs of its own waits: `node_modules/truth`. It shares nothing with the recorder of Deadtime.
const { AsyncLocalStorage } = require('node:async_hooks');
const { writeFileSync } = require('node:fs');
const http = require('node:http');
const { syncBuiltinESMExports } = require('node:module');
const promises = require('node:timers/promises');
const { promisify } = require('node:util');
const dictated = require('./dictated.json');

const original = { setTimeout, sleep: promises.setTimeout, emit: http.Server.prototype.emit };
/** The number of the request, or of the worker. */
const current = new AsyncLocalStorage();
/** Each is `[kind, id, entry, start]`, with an end where it has come; the times are those of `performance.now()`. */
const log = [];
let entries = 0;

function entryNow() {
  return current.getStore() ?? 0;
}

function logged(kind, id, entry = entryNow()) {
  const record = [kind, id, entry, performance.now()];
  log.push(record);
  const end = () => {
    record[4] ??= performance.now();
  };
  return Object.assign(end, { record });
}

/** The fraction of the time has the number of the pause: `20.017`. */
function pauseOf(ms) {
  const id = Math.round((ms % 1) * 1000);
  return id > 0 ? logged('sleep', id) : () => {};
}

function sleep(ms, ...rest) {
  const end = pauseOf(ms);
  const result = original.sleep(ms, ...rest);
  result.then(end, end);
  return result;
}

globalThis.setTimeout = function setTimeout(callback, ms, ...rest) {
  const end = pauseOf(ms);
  const fire = (...args) => {
    end();
    callback(...args);
  };
  return original.setTimeout(fire, ms, ...rest);
};
Object.defineProperty(globalThis.setTimeout, promisify.custom, { value: sleep });
promises.setTimeout = sleep;
syncBuiltinESMExports();

/** The last part of the address is the number of the call. */
globalThis.fetch = function fetch(url) {
  const id = Number(url.split('/').at(-1));
  const end = logged('fetch', id);
  return new Promise((resolve) =>
    original.setTimeout(() => {
      end();
      resolve({ ok: true, json: async () => ({ id }) });
    }, dictated.answers[id].ms),
  );
};

/** Computes for a time. */
globalThis.burn = function burn(ms) {
  const end = logged('burn', 0);
  for (const until = performance.now() + ms; performance.now() < until;);
  end();
};

/** An iteration of a worker begins. */
globalThis.tick = function tick() {
  logged('tick', 0)();
};

globalThis.worker = function worker(name, run) {
  const entry = ++entries;
  log.push(['worker', name, entry, performance.now()]);
  return current.run(entry, run);
};

http.Server.prototype.emit = function emit(event, request, response) {
  if (event !== 'request') return original.emit.apply(this, arguments);
  const entry = ++entries;
  response.once('finish', logged('request', request.url, entry));
  return current.run(entry, () => original.emit.apply(this, arguments));
};

/** For how long other programs had the processor while this one needed it. */
function stolenSince([startMs, idleMs, cpu]) {
  const { user, system } = process.cpuUsage(cpu);
  const busyMs = performance.now() - startMs - (performance.nodeTiming.idleTime - idleMs);
  return Math.max(0, busyMs - (user + system) / 1000);
}

/** Sends the requests, and ends the program. */
globalThis.drive = async function drive(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  const begin = [performance.now(), performance.nodeTiming.idleTime, process.cpuUsage()];
  const get = (path) =>
    new Promise((done, fail) => {
      const sent = http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        if (response.statusCode !== 200) fail(new Error(`${path}: ${response.statusCode}`));
        response.resume().on('end', done);
      });
      sent.on('error', fail);
    });
  for (const { paths, clients } of dictated.load) {
    const left = [...paths];
    const client = async () => {
      for (let path = left.shift(); path; path = left.shift()) await get(path);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }
  const stolenMs = stolenSince(begin);
  writeFileSync('truth.json', JSON.stringify({ log, stolenMs }));
  process.exit(0);
};

module.exports = {
  answers: dictated.answers,
  current,
  entryNow,
  logged,
  later: original.setTimeout,
};
