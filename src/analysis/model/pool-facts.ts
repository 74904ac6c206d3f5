/**
 * Defaults and costs of a pool, read in the driver's source. Infinity as `waitMs`: it waits without a time-out; undefined: a
 * different library decides.
 */
export interface PoolFacts {
  readonly max?: number;
  readonly maxOption?: string;
  /** A number of 0 is taken for none: `max || 10`. */
  readonly isZeroDefault?: true;
  /** Which argument of the constructor has the options; the first where absent. */
  readonly optionsAt?: number | 'last';
  /** Addresses and names may replace the options, and contain none of them. */
  readonly takesTexts?: true;
  readonly waitMs?: number;
  readonly waitOption?: string;
  /** Which option names the kind of the database. */
  readonly engineOption?: string;
  /** By that kind, the default of the underlying driver, unless an option for the driver overrides it. */
  readonly engines?: Readonly<Record<string, { readonly max: number; readonly maxOption: string }>>;
  /** What it lends is no connection. */
  readonly lends?: 'resource';
  /** Where no option limits the wait: the option that limits the queue. */
  readonly queueOption?: string;
  /** The first major version with these defaults; absent: that of `verifiedWith`. */
  readonly since?: number;
  /**
   * How long an idle connection stays open, the option that sets it, and the option that keeps some connections permanently.
   */
  readonly idle?: { readonly ms: number; readonly option: string; readonly keepOption: string };
  /** Options of which one has to be set, or there is no pool: a builder that only writes statements. */
  readonly openedBy?: readonly string[];
  /** Which option gives it what to query with, in place of a pool of its own. */
  readonly poolOption?: string;
  /** An error of a connection without work is an 'error' event of the pool. */
  readonly emitsErrors?: true;
  /** Each call of the mapper borrows a connection, outside of a transaction. */
  readonly isPerCall?: true;
  /** Which server it connects to. */
  readonly server?: 'postgres' | 'mysql';
  /** Which argument is an address that may hold options, too. */
  readonly urlAt?: number;
  /** Round trips of each checkout, in addition to the query. */
  readonly checkoutRoundTrips: number;
  /** What those round trips ask. */
  readonly checkoutRequest?: string;
  /** How to do without it, as a sentence without its full stop. */
  readonly checkoutRemedy?: string;
  readonly checkoutOptions?: readonly CheckoutOption[];
}

/** A pool's option that changes what a checkout and its release cost, when it has one of these values. */
export interface CheckoutOption {
  /** Dots lead into nested options. */
  readonly option: string;
  readonly values: readonly (string | number | boolean)[];
  readonly roundTrips: number;
  readonly request?: string;
}
