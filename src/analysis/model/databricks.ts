import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
const asked: Member = { returns: 'Promise<IOperation>', effect: { env: 'db', op: 'read' } };

/** Databricks, over HTTP: an operation is asked for its rows until there are no more. */
export const databricks: Library = {
  name: '@databricks/sql',
  modules: ['@databricks/sql'],
  verifiedWith: '2.1.0',
  commitsEach: true,
  exports: { DBSQLClient: { construct: { returns: 'DBSQLClient' } } },
  types: {
    DBSQLClient: {
      members: {
        connect: { returns: 'Promise<this>', effect: sync },
        openSession: { returns: 'Promise<DBSQLSession>', effect: sync },
        close: control,
        ...each('on once off', {}),
      },
    },
    DBSQLSession: {
      role: 'session',
      members: {
        executeStatement: { returns: 'Promise<IOperation>', effect: { env: 'db', op: 'sql' } },
        ...each('getCatalogs getColumns getFunctions getPrimaryKeys getSchemas getTables', asked),
        close: control,
      },
    },
    IOperation: {
      members: each(
        'fetchAll fetchChunk hasMoreRows finished status getSchema cancel close',
        control,
      ),
    },
  },
};
