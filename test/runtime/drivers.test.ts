import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Sources } from '../../src/runtime/program/sources.ts';
import { driverPlans } from '../../src/scan/driver-plans.ts';
import { NOTHING, programWith } from './driven-program.ts';

/** With the methods of mysql2: a query of the pool is an object that its connection gets. */
function mysql2() {
  type Callback = (error: unknown, result?: unknown) => void;
  interface Command {
    sql: string;
    onResult: Callback;
  }
  class Base {
    query(given: string | Command, callback?: Callback) {
      const command = typeof given === 'string' ? { sql: given, onResult: callback! } : given;
      const error = command.sql.includes('nowhere') ? new Error('no such table') : undefined;
      // The text that is sent has the values.
      command.sql = command.sql.replace('?', "'secret'");
      setImmediate(() => command.onResult(error, []));
      return command;
    }
  }
  class Connection extends Base {
    readonly pool: Pool | undefined;
    constructor(pool?: Pool) {
      super();
      this.pool = pool;
    }
    release() {
      this.pool!.releaseConnection(this);
    }
  }
  class BasePool {
    readonly config: { readonly connectionLimit: number };
    readonly free: Connection[];
    readonly queue: Callback[] = [];
    constructor(connectionLimit: number) {
      this.config = { connectionLimit };
      this.free = Array.from({ length: connectionLimit }, () => new Connection(this));
    }
    getConnection(callback: Callback): void {
      const connection = this.free.pop();
      if (connection) setImmediate(() => callback(undefined, connection));
      else this.queue.push(callback);
    }
    releaseConnection(connection: Connection): void {
      this.free.push(connection);
      const next = this.queue.shift();
      if (next) this.getConnection(next);
    }
    query(sql: string, callback: Callback) {
      const command: Command = { sql, onResult: callback };
      this.getConnection((_, connection) => {
        const { onResult } = command;
        command.onResult = (error, result) => {
          (connection as Connection).release();
          onResult(error, result);
        };
        (connection as Connection).query(command);
      });
      return command;
    }
  }
  class Pool extends BasePool {}
  class PromisePool {
    readonly pool: Pool;
    constructor(size: number) {
      this.pool = new Pool(size);
    }
    query(sql: string): Promise<unknown> {
      return new Promise((resolve, reject) => {
        this.pool.query(sql, (error, result) => (error ? reject(error as Error) : resolve(result)));
      });
    }
  }
  const program = programWith({
    'mysql2/lib/pool.js': Pool,
    'mysql2/lib/connection.js': Connection,
  });
  return { ...program, program, PromisePool, Connection };
}

describe('the drivers of a program', () => {
  it('with callbacks have their waits, their statements and their holds counted', async () => {
    const { PromisePool, drivers, program } = mysql2();
    const pool = drivers.made(7, new PromisePool(2));
    await program.awaits(0, () =>
      Promise.all([1, 2, 3].map(() => pool.query('SELECT * FROM users WHERE name = ?'))),
    );
    deepStrictEqual(program.seen, [
      { waits: 3, sent: { 'SELECT * FROM users WHERE name = ?': 3 } },
      NOTHING,
    ]);
    deepStrictEqual(program.pools, [
      {
        ...{ driver: 'mysql2', size: 2, made: 7, mostHeld: 2, mostWaiting: 1, open: 0 },
        ...{ waits: 3, holds: 3 },
      },
    ]);
  });

  it('have statements counted on a connection without a pool, as no checkout', async () => {
    const { Connection, program } = mysql2();
    const connection = new Connection();
    await program.awaits(1, () => new Promise((done) => connection.query('SELECT 1', done)));
    deepStrictEqual(program.seen, [NOTHING, { waits: 0, sent: { 'SELECT ?': 1 } }]);
    deepStrictEqual([program.pools, program.databases], [[], [['mysql2', 1, 0]]]);
  });

  it('have commits counted, each at the await that sends it', async () => {
    const { Connection, program } = mysql2();
    const connection = new Connection();
    const send = (id: 0 | 1, sql: string) =>
      program.awaits(id, () => new Promise((done) => connection.query(sql, done)));
    for (const it of ['BEGIN', 'INSERT INTO a VALUES (1)', 'INSERT INTO a VALUES (2)', 'COMMIT'])
      await send(0, it);
    for (const it of ['INSERT INTO a VALUES (3)', 'INSERT INTO a VALUES (4)']) await send(1, it);
    deepStrictEqual(program.commits, [[3], [1, 2]]);
  });

  it('keep their errors', async () => {
    const { PromisePool, program } = mysql2();
    const pool = new PromisePool(1);
    await rejects(
      program.awaits(0, () => pool.query('SELECT 1 FROM nowhere')),
      /no such table/,
    );
    deepStrictEqual(program.databases, [['mysql2', 1, 1]]);
  });

  it('that release in place of the connection end its hold, also by closing it', async () => {
    class Connection {
      destroy() {}
    }
    class Pool {
      readonly opts = { connectionLimit: 4 };
      getConnection(_: object, callback: (error: unknown, connection: Connection) => void): void {
        const connection = new Connection();
        // Its own property: as the driver does for a connection of its pool.
        connection.destroy = () => undefined;
        callback(undefined, connection);
      }
      release(_: Connection): void {}
      _destroy(_: Connection): void {}
    }
    const program = programWith({ 'mariadb/lib/pool.js': { default: Pool } });
    const pool = new Pool();
    const connect = () =>
      program.awaits(
        0,
        () => new Promise<Connection>((done) => pool.getConnection({}, (_, it) => done(it))),
      );
    const [released, closed, destroyed] = [await connect(), await connect(), await connect()];
    pool.release(released);
    pool.release(released);
    pool._destroy(closed);
    destroyed.destroy();
    await connect();
    deepStrictEqual(program.pools, [
      {
        ...{ driver: 'mariadb', size: 4, made: undefined, mostHeld: 3, mostWaiting: 0, open: 1 },
        ...{ waits: 4, holds: 3 },
      },
    ]);
  });

  it('that call back during the call have what follows counted at the same await', async () => {
    class Connection {
      query(_: object, resolve: (rows: unknown) => void): void {
        setImmediate(() => resolve([]));
      }
    }
    class Pool {
      getConnection(_: object, callback: (error: unknown, connection: Connection) => void): void {
        callback(undefined, new Connection());
      }
      release(_: Connection): void {}
    }
    const program = programWith({
      'mariadb/lib/pool.js': Pool,
      'mariadb/lib/connection.js': Connection,
    });
    const pool = new Pool();
    await program.awaits(
      1,
      () =>
        new Promise((done) =>
          pool.getConnection({}, (_, connection) => connection.query({ sql: 'SELECT 1' }, done)),
        ),
    );
    deepStrictEqual(program.seen, [NOTHING, { waits: 1, sent: { 'SELECT ?': 1 } }]);
  });

  it('that get the ends as arguments have them called', async () => {
    class Connection {
      query(_: object, resolve: (rows: unknown) => void): void {
        setImmediate(() => resolve(['row']));
      }
      batch({ sql }: { sql: string }): Promise<string> {
        return Promise.resolve(sql);
      }
    }
    const program = programWith({ 'mariadb/lib/connection.js': Connection });
    const connection = new Connection();
    const sql = 'SELECT name FROM users WHERE id = 7';
    const rows = await program.awaits(0, () => new Promise((it) => connection.query({ sql }, it)));
    deepStrictEqual(rows, ['row']);
    strictEqual(await program.awaits(1, () => connection.batch({ sql })), sql);
    const sent = { 'SELECT name FROM users WHERE id = ?': 1 };
    deepStrictEqual(program.seen, [
      { waits: 0, sent },
      { waits: 0, sent },
    ]);
  });
});

describe('the stores of a program', () => {
  interface Command {
    readonly name: string;
    readonly args: readonly string[];
    readonly promise: Promise<unknown>;
    resolve(value: unknown): void;
    reject(error: Error): void;
  }
  const command = (name: string, ...args: readonly string[]): Command => {
    const { promise, resolve, reject } = withResolvers();
    return { name, args, promise, resolve, reject };
  };
  const started = () => {
    class Redis {
      readonly offline: Command[] = [];
      isReady = false;
      sendCommand(it: Command): Promise<unknown> {
        if (!this.isReady) this.offline.push(it);
        else if (it.name === 'incr') setImmediate(() => it.reject(new Error('no number')));
        else setImmediate(() => it.resolve('secret'));
        return it.promise;
      }
      ready(): void {
        this.isReady = true;
        for (const it of this.offline.splice(0)) void this.sendCommand(it);
      }
    }
    return {
      program: programWith({ 'ioredis/built/Redis.js': { default: Redis } }),
      redis: new Redis(),
    };
  };

  it('have a command counted once that is sent again', async () => {
    const { program, redis } = started();
    const answer = program.awaits(0, () => redis.sendCommand(command('get', 'secret')));
    redis.ready();
    strictEqual(await answer, 'secret');
    deepStrictEqual(program.seen, [{ waits: 0, sent: { GET: 1 } }, NOTHING]);
    deepStrictEqual(program.databases, [['ioredis', 1, 0]]);
  });

  it('return the promise of the driver, which a pipeline may drop', async () => {
    const { program, redis } = started();
    redis.ready();
    const dropped = command('incr', 'orders');
    strictEqual(redis.sendCommand(dropped), dropped.promise);
    await rejects(dropped.promise, /no number/);
    await turn();
    deepStrictEqual(program.databases, [['ioredis', 1, 1]]);
  });

  it('have no value of a command stored', async () => {
    class Queue {
      addCommand(args: readonly (string | Buffer)[]): Promise<unknown> {
        return Promise.resolve(args.length);
      }
    }
    const program = programWith({
      '@redis/client/dist/lib/client/commands-queue.js': { default: Queue },
    });
    const queue = new Queue();
    await program.awaits(0, () => queue.addCommand(['SET', 'secret', 'field', 'value']));
    await program.awaits(1, () => queue.addCommand([Buffer.from('GET')]));
    deepStrictEqual(program.seen, [{ waits: 0, sent: { SET: 1 } }, NOTHING]);
    deepStrictEqual(program.databases, [['redis', 2, 0]]);
  });
});

describe('the files of drivers', () => {
  const sources = new Sources({ files: [], drivers: driverPlans() });
  const driverAt = (path: string) => sources.driverAt(path)?.driver;

  it('are found in the folder of their package, wherever that is', () => {
    strictEqual(driverAt('/app/node_modules/pg/lib/index.js'), 'pg');
    strictEqual(driverAt('C:\\app\\node_modules\\pg-pool\\index.js'), 'pg');
    strictEqual(
      driverAt('/app/node_modules/.pnpm/mysql2@3.24.5/node_modules/mysql2/lib/pool.js'),
      'mysql2',
    );
  });

  it('are no files of the same name elsewhere', () => {
    strictEqual(driverAt('/app/pg/lib/index.js'), undefined);
    strictEqual(driverAt('/app/node_modules/other/pg/lib/index.js'), undefined);
    strictEqual(driverAt('/app/node_modules/pg/lib/client.js'), undefined);
  });
});

function withResolvers() {
  let resolve!: (value: unknown) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
