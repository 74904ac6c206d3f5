import { deepStrictEqual } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { NOTHING, programWith } from './driven-program.ts';

describe('drivers that wait before they send', () => {
  class Connection {
    async command(_: { readonly collection: string }, document: object): Promise<object> {
      await turn();
      return document;
    }
  }
  class ConnectionPool {
    readonly options = { maxPoolSize: 3 };
    async checkOut(): Promise<Connection> {
      await turn();
      return new Connection();
    }
    checkIn(_: Connection): void {}
  }
  const started = () => {
    // Each test wraps classes of its own.
    const classes = {
      Connection: class extends Connection {
        override command(...args: Parameters<Connection['command']>) {
          return super.command(...args);
        }
      },
      ConnectionPool: class extends ConnectionPool {
        override async checkOut(): Promise<Connection> {
          await turn();
          return new classes.Connection();
        }
        override checkIn(_: Connection): void {}
      },
    };
    const program = programWith({
      'mongodb/lib/cmap/connection.js': classes,
      'mongodb/lib/cmap/connection_pool.js': classes,
    });
    const pool = new classes.ConnectionPool();
    const run = async (collection: string, document: object): Promise<void> => {
      await turn();
      const connection = await pool.checkOut();
      await turn();
      await connection.command({ collection }, document);
      pool.checkIn(connection);
    };
    return { program, classes, run };
  };

  it('have each call counted at the await that it is for, also of concurrent ones', async () => {
    const { program, run } = started();
    await Promise.all([
      program.awaits(0, () => run('orders', { find: 'orders', filter: { note: 'secret' } })),
      program.awaits(1, () => run('$cmd', { aggregate: 'users', pipeline: [] })),
    ]);
    deepStrictEqual(program.seen, [
      { waits: 1, sent: { 'find orders': 1 } },
      { waits: 1, sent: { 'aggregate users': 1 } },
    ]);
    deepStrictEqual(program.pools, [
      {
        ...{ driver: 'mongodb', size: 3, made: undefined, mostHeld: 2, mostWaiting: 0, open: 0 },
        ...{ waits: 2, holds: 2 },
      },
    ]);
  });

  it('have no call counted at an await that is over', async () => {
    const { program, run } = started();
    let later: Promise<void> | undefined;
    await program.awaits(0, () => {
      later = run('orders', { find: 'orders' });
      return Promise.resolve();
    });
    await later;
    deepStrictEqual(program.seen, [NOTHING, NOTHING]);
    deepStrictEqual(program.databases, [['mongodb', 1, 0]]);
  });

  it('have what they ask on connections of their own not counted, and no value stored', async () => {
    const { program, classes, run } = started();
    await new classes.Connection().command({ collection: '$cmd' }, { hello: 1 });
    deepStrictEqual(program.databases, []);
    await program.awaits(0, () => run('$cmd', { createUser: 'secret' }));
    deepStrictEqual(program.seen[0]?.sent, { createUser: 1 });
  });

  /** A promise that sends when it is awaited, as that of postgres.js. */
  function lazy() {
    class Query extends Promise<unknown> {
      static override get [Symbol.species]() {
        return Promise;
      }
      readonly strings: readonly string[];
      readonly resolve: (value: unknown) => void;
      isSent = false;
      constructor(strings: readonly string[]) {
        let settle: (value: unknown) => void;
        super((it) => (settle = it));
        this.strings = strings;
        this.resolve = settle!;
      }
      async handle(): Promise<void> {
        if (this.isSent) return;
        this.isSent = true;
        await turn();
        this.resolve([]);
      }
      override then<A, B>(...args: Parameters<Promise<unknown>['then']>): Promise<A | B> {
        void this.handle();
        return super.then(...args) as Promise<A | B>;
      }
    }
    return { program: programWith({ 'postgres/src/query.js': { Query } }), Query };
  }

  it('have a builder that is awaited counted at its await, and once', async () => {
    const { program, Query } = lazy();
    const query = new Query(['SELECT * FROM users WHERE id = ', ' AND name = ', '']);
    await program.awaits(0, () => query);
    await query;
    deepStrictEqual(program.seen, [
      { waits: 0, sent: { 'SELECT * FROM users WHERE id = ? AND name = ?': 1 } },
      NOTHING,
    ]);
    deepStrictEqual(program.databases, [['postgres', 1, 0]]);
  });

  it('have a builder that is never awaited not counted', async () => {
    const { program, Query } = lazy();
    void Query.name;
    await program.awaits(0, () => Promise.resolve(new Query(['SELECT 1']).isSent));
    deepStrictEqual(program.seen, [NOTHING, NOTHING]);
  });
});

describe('a library that sends through a measured driver', () => {
  class Client {
    query(_: string, callback: (error: unknown, rows: unknown) => void): void {
      setImmediate(() => callback(undefined, []));
    }
  }
  class Pool {}
  class Builder {
    readonly pool = { max: 5 };
    readonly free = [new Client()];
    async acquireConnection(): Promise<Client> {
      await turn();
      return this.free.pop()!;
    }
    releaseConnection(it: Client): Promise<void> {
      this.free.push(it);
      return Promise.resolve();
    }
  }

  it('has each statement counted once, and its own pool', async () => {
    const program = programWith({
      'pg/lib/index.js': { Pool, Client },
      'knex/lib/client.js': Builder,
    });
    const builder = new Builder();
    const instance = Object.assign(() => undefined, { client: builder });
    program.drivers.made(3, instance);
    await program.awaits(1, async () => {
      const connection = await builder.acquireConnection();
      await new Promise((done) => connection.query('SELECT 1', done));
      await builder.releaseConnection(connection);
    });
    deepStrictEqual(program.seen, [NOTHING, { waits: 1, sent: { 'SELECT ?': 1 } }]);
    deepStrictEqual(program.databases, [['pg', 1, 0]]);
    deepStrictEqual(program.pools, [
      {
        ...{ driver: 'knex', size: 5, made: 3, mostHeld: 1, mostWaiting: 0, open: 0 },
        ...{ waits: 1, holds: 1 },
      },
    ]);
  });
});
