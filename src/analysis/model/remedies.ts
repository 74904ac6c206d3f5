/** What to do in place of a call for each row: sentences without their full stop, and a noun phrase for `reads`. */
export interface Remedies {
  /** Inserts of rows, jobs or messages. */
  readonly bulk?: string;
  /** Writes of any kind. */
  readonly batch?: string;
  /** Writes of rows that may already exist. */
  readonly saved?: string;
  /** Inserts of which the code uses the inserted rows. */
  readonly returning?: string;
  /** Writes that include writes of related rows, or return them. */
  readonly related?: string;
  /** Inserts of rows that do not exist yet, where the library looks for each one: `findOrCreate`. */
  readonly missing?: string;
  /** Inserts of rows that fail where the row exists. */
  readonly duplicate?: string;
  /** Reads of one row each. */
  readonly reads?: string;
}
