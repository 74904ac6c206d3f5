import { deepStrictEqual } from 'node:assert/strict';
import { Commits } from '../../src/runtime/program/commits.ts';

/** Those of the statements of one connection that make the database commit something. */
function committing(...statements: readonly string[]): readonly string[] {
  const commits = new Commits();
  const connection = {};
  return statements.filter((it) => commits.sends(connection, it));
}

describe('commits', () => {
  const writes = [
    'INSERT INTO a VALUES (1)',
    '  update a set b = 1',
    '-- by hand\nDELETE FROM a',
    '/* route: /a */ REPLACE INTO a VALUES (1)',
    'WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone',
    'MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN DELETE',
  ];
  for (const it of writes) {
    it_(`are one for a write outside of a transaction: ${it}`, [it], [it]);
  }
  it_(
    'are none for reads',
    ['SELECT 1', '(SELECT 1)', 'WITH a AS (SELECT 1) SELECT * FROM a', 'SHOW TABLES', '', '/* '],
    [],
  );
  it_(
    'are one for a transaction that has written',
    ['BEGIN', 'INSERT INTO a VALUES (1)', 'UPDATE a SET b = 1', 'COMMIT', 'SELECT 1'],
    ['COMMIT'],
  );
  it_('are none for a transaction that has read', ['START TRANSACTION', 'SELECT 1', 'COMMIT'], []);
  it_(
    'are none for a transaction that is rolled back',
    ['begin', 'delete from a', 'rollback', 'commit'],
    [],
  );
  it_(
    'come at the end of a transaction that has gone back to a savepoint',
    ['BEGIN', 'DELETE FROM a', 'ROLLBACK TO SAVEPOINT s', 'DELETE FROM b', 'COMMIT'],
    ['COMMIT'],
  );
  it_(
    'are one for a transaction in one text, after which there is none',
    ['BEGIN; UPDATE a SET b = 1; COMMIT', 'DELETE FROM a', 'BEGIN; DELETE FROM a; ROLLBACK;'],
    ['BEGIN; UPDATE a SET b = 1; COMMIT', 'DELETE FROM a'],
  );
  it_('are none for a text of comments alone', [`${'/*a*/'.repeat(5_000)}`], []);
  it_(
    'are those of autocommit again after a transaction',
    ['BEGIN', 'COMMIT', 'DELETE FROM a'],
    ['DELETE FROM a'],
  );

  it('are those of each connection by itself', () => {
    const commits = new Commits();
    const [a, b] = [{}, {}];
    commits.sends(a, 'BEGIN');
    deepStrictEqual(
      [commits.sends(a, 'DELETE FROM a'), commits.sends(b, 'DELETE FROM a')],
      [false, true],
    );
  });

  function it_(name: string, sent: readonly string[], expected: readonly string[]): void {
    it(name, () => deepStrictEqual(committing(...sent), expected));
  }
});
