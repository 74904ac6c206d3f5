/**
 * How the objects of a package are found in a running program: what its classes are called there, and where they keep what the
 * model only names. What their methods do is in the model.
 */
export interface MeasuredPackage {
  /** By the name of an export, the type of the model whose methods it has; `default` is the whole export. */
  readonly classes: Readonly<Record<string, string>>;
  /** The package of the driver, where this one only has its pool. */
  readonly driver?: string;
  /** The property of a pool with the options that it was created with. */
  readonly poolOptions?: string;
  /** The property with the text, where a statement is an object. */
  readonly statementText: string;
}

/** By package. A pool's own query is measured as what it consists of: a checkout, a query of the connection, a release. */
export const measuredPackages: Readonly<Record<string, MeasuredPackage>> = {
  pg: {
    classes: { Pool: 'pg.Pool', Client: 'pg.PoolClient' },
    poolOptions: 'options',
    statementText: 'text',
  },
  'pg-pool': {
    driver: 'pg',
    classes: { default: 'pg.Pool' },
    poolOptions: 'options',
    statementText: 'text',
  },
};
