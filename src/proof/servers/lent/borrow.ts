import type { Job, Ready } from '../keeper-messages.ts';
import { type Connection, driverFor, oneConnection } from '../one-connection.ts';
import { dropLeftovers, dropScratch, holdLock, makeSchema } from './scratch.ts';

/** A server that does not let us drop things by then is left with them, until the next proof starts. */
const CLEANING_MS = 8_000;

/** Servers and firewalls end sessions that are silent, some after a minute; without its session, a run counts as dead. */
const PING_MS = 20_000;

/**
 * Makes room for a proof in a database of the user's. It is the keeper that does so: it outlives the command line and its
 * benchmarks, and drops everything when they end, however they do.
 */
export async function borrow(job: Extract<Job, { server: 'lent' }>): Promise<Ready> {
  const { open } = await driverFor(job.kind, named(job));
  // Open until the end: other runs recognize this one by it.
  const session = await open();
  try {
    return await prepared(job, session);
  } catch (error) {
    await session.end();
    throw error;
  }
}

async function prepared(
  job: Extract<Job, { server: 'lent' }>,
  session: Connection,
): Promise<Ready> {
  const { kind, label, name, makes } = job;
  const url = named(job);
  await holdLock(kind, session.query, name);
  const ping = setInterval(() => void session.query('SELECT 1').catch(() => {}), PING_MS);
  // The session keeps the process running; where the set-up fails, nothing else may.
  ping.unref();
  const left = await dropLeftovers(kind, session.query);
  const lacks = makes.includes('tables') ? await makeSchema(kind, session.query, name) : undefined;
  return {
    ...{ url, label, dataFolder: undefined, isOnDisk: true },
    loan: { name, left, ...(lacks !== undefined && { lacks }) },
    async stop() {
      clearInterval(ping);
      const timer = setTimeout(() => process.exit(), CLEANING_MS);
      // The session may have ended with the server.
      await oneConnection(kind, url, (query) => dropScratch(kind, query, name));
      await session.end();
      clearTimeout(timer);
    },
  };
}

/** With the run's name in each of its sessions: an administrator sees whose they are, and we see who is not of us. */
function named({ kind, url: text, name }: Extract<Job, { server: 'lent' }>): string {
  if (kind !== 'postgres') return text;
  const url = new URL(text);
  url.searchParams.set('application_name', name);
  return url.href;
}
