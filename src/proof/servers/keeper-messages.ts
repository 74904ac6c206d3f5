import type { DatabaseKind, Making } from '../case.ts';
import type { LoanTerms } from './lent/loan.ts';
import type { MysqlBinaries } from './mysql-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/**
 * The order to a keeper, its only message: what to start, or what to create on a server. The keeper removes that on request of
 * its parent, or when its parent ends.
 */
export type Job =
  | { readonly server: 'postgres'; readonly binaries: PostgresBinaries }
  | { readonly server: 'mysql'; readonly binaries: MysqlBinaries }
  | { readonly server: 'simulated' }
  | {
      readonly server: 'lent';
      readonly kind: DatabaseKind;
      readonly url: string;
      readonly label: string;
      readonly name: string;
      readonly makes: readonly Making[];
    };

export type KeeperReport =
  | ({ readonly state: 'ready' } & ServerFacts)
  | { readonly state: 'failed'; readonly message: string };

export interface ServerFacts {
  readonly url: string;
  /** "PostgreSQL 18.4 (embedded)". */
  readonly label: string;
  /** A folder on the disk that the server flushes to; undefined where it keeps nothing. */
  readonly dataFolder: string | undefined;
  /** Whether a flush in that folder reaches a disk. */
  readonly isOnDisk: boolean;
  /** Of a server of the user's, and what earlier runs have left there for good. */
  readonly loan?: LoanTerms & { readonly left: readonly string[] };
}

/** A server that a keeper has started. */
export interface Ready extends ServerFacts {
  stop(): Promise<void>;
}
