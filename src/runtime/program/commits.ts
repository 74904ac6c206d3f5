/** Behind comments and opening parentheses, the first word of a statement, and the one behind it. */
const FIRST_WORDS =
  /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|\()*([a-z]+)(?:\s+([a-z]+))?/i;
/** Of several statements in one text, the last one that ends a transaction. */
const LAST_END = /;\s*(commit|end|rollback|abort)\b[a-z\s]*$/i;

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE', 'COPY', 'LOAD']);
const WRITES_WITHIN = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\b/i;

/**
 * Which statements of SQL make the database commit something: a write outside of a transaction, and the COMMIT of a transaction that has
 * written. A function of the database that writes is not seen.
 */
export class Commits {
  /** The connections in a transaction, and whether that has written. */
  readonly #transactions = new WeakMap<object, { hasWritten: boolean }>();

  /** To be called with each statement of a connection, in their order. */
  sends(connection: object, statement: string): boolean {
    const [, first = '', second = ''] = FIRST_WORDS.exec(statement) ?? [];
    const word = first.toUpperCase();
    const transaction = this.#transactions.get(connection);
    const text = statement.trimEnd();
    const [, end] = LAST_END.exec(text.endsWith(';') ? text.slice(0, -1) : text) ?? [];
    if (end !== undefined) {
      this.#transactions.delete(connection);
      const hasWritten = transaction?.hasWritten === true || WRITES_WITHIN.test(statement);
      return hasWritten && /^(?:commit|end)$/i.test(end);
    }
    switch (word) {
      case 'BEGIN':
      case 'START':
        this.#transactions.set(connection, { hasWritten: false });
        return false;
      case 'COMMIT':
      case 'END':
        this.#transactions.delete(connection);
        return transaction?.hasWritten === true;
      case 'ROLLBACK':
      case 'ABORT':
        // To a savepoint, the transaction goes on.
        if (second.toUpperCase() !== 'TO') this.#transactions.delete(connection);
        return false;
    }
    const writes = WRITES.has(word) || (word === 'WITH' && WRITES_WITHIN.test(statement));
    if (transaction) transaction.hasWritten ||= writes;
    return writes && !transaction;
  }
}
