import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const cypher: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'cypher' } };
const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
/** Runs the function again when the server asks for it, and gives the connection back after it. */
const inTransaction: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 0, params: ['ManagedTransaction'], scope: 'transaction' },
};

const whole = withDefault({
  driver: { returns: 'Driver' },
  Driver: {},
  Session: {},
  Transaction: {},
  ManagedTransaction: {},
});

/**
 * A session acquires a connection for each query or transaction and releases it afterwards. While one is running it rejects a
 * second one.
 */
export const neo4j: Library = {
  name: 'neo4j-driver',
  modules: ['neo4j-driver', 'neo4j-driver-lite'],
  verifiedWith: '6.3.0',
  exports: whole.exports,
  types: {
    Namespace: whole.namespace,
    Driver: {
      role: 'orm',
      isWhole: true,
      concurrency: 'pooled',
      pool: {
        max: 100,
        maxOption: 'maxConnectionPoolSize',
        optionsAt: 2,
        waitMs: 60_000,
        waitOption: 'connectionAcquisitionTimeout',
        checkoutRoundTrips: 0,
      },
      members: {
        executeQuery: cypher,
        session: { returns: 'Session' },
        ...each('verifyConnectivity getServerInfo close', control),
      },
    },
    Session: {
      role: 'session',
      concurrency: 'serial',
      isExclusive: true,
      members: {
        run: cypher,
        ...each('executeRead executeWrite', inTransaction),
        ...each('readTransaction writeTransaction', { ...inTransaction, until: '5' }),
        beginTransaction: { returns: 'Transaction', effect: sync },
        close: control,
      },
    },
    ManagedTransaction: { role: 'transaction', members: { run: cypher } },
    Transaction: {
      role: 'transaction',
      members: { run: cypher, ...each('commit rollback close', control) },
    },
  },
};
