import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { MissingComponent } from '../../case.ts';
import type { SqlPool } from '../../drivers/index.ts';
import { markOf, newName } from './names.ts';

/**
 * The role's connections are opened in the first seconds of the run: later no program can log in with it, even after a crash of
 * this one.
 */
const VALID_MINUTES = 5;

/** As PostgreSQL itself does. */
const SCRAM_ITERATIONS = 4_096;

export interface LimitedRole {
  readonly name: string;
  urlFrom(url: string): string;
  drop(): Promise<void>;
}

/** A role of PostgreSQL that may only connect, at most `limit` times: its limit affects no other user. */
export async function limitedRole(
  admin: SqlPool,
  limit: number,
  name = newName(),
): Promise<LimitedRole> {
  const password = randomBytes(24).toString('base64url');
  try {
    // As one statement: a role without a comment would stay. The clock of the server counts.
    await admin.query(
      `DO $do$ BEGIN
        EXECUTE format(
          'CREATE ROLE ${name} LOGIN NOINHERIT CONNECTION LIMIT ${limit} PASSWORD %L VALID UNTIL %L',
          '${verifierOf(password)}', now() + interval '${VALID_MINUTES} minutes');
        COMMENT ON ROLE ${name} IS '${markOf(name)}';
      END $do$`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new MissingComponent([
      { what: 'a database user that may create roles (CREATEROLE), or the embedded PostgreSQL' },
    ]);
  }
  return {
    name,
    urlFrom(url) {
      const own = new URL(url);
      own.username = name;
      own.password = password;
      return own.href;
    },
    async drop() {
      await admin.query(`DROP ROLE IF EXISTS ${name}`);
    },
  };
}

/** What PostgreSQL keeps of a password, by RFC 5803: the password itself is in no statement, and so in no log of the server. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest();
  const [own, server] = [stored, keyed('Server Key')].map((it) => it.toString('base64'));
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${own}:${server}`;
}
