import { MissingComponent, type DatabaseAccess, type DatabaseKind, type Making } from '../case.ts';
import { accessTo, type DatabaseAddress } from './access.ts';
import { keep } from './keep.ts';
import type { Job } from './keeper-messages.ts';
import { isImportable } from './folders.ts';
import { findMysql, type MysqlBinaries } from './mysql-binaries.ts';
import { findPostgres, installCommand, type PostgresBinaries } from './postgres-binaries.ts';
import { labelOf } from './label.ts';
import type { LoanTerms } from './lent/loan.ts';
import { kindOfUrl, withBuiltInNames, withoutPassword } from './url.ts';

export interface StartOptions {
  /** The kinds of servers that fit, the preferred kind first: PostgreSQL and MySQL by default. */
  readonly kinds?: readonly DatabaseKind[] | undefined;
  /** Whether the simulated server will do where no other can be started. */
  readonly stub?: boolean | undefined;
  /** The user's own server, which is then the only one that is tried. */
  readonly url?: string | undefined;
  /** What the proof creates in it; without, it creates nothing, and opens few connections, one at a time. */
  readonly lending?: Lending | undefined;
  readonly signal?: AbortSignal;
}

/** The messages that its user has already seen. */
export interface Lending {
  /** The name of all created objects. */
  readonly name: string;
  readonly makes: readonly Making[];
}

/** A server that answers. `close` stops what was started for it; so does the end of this process, however it comes. */
export interface Database extends DatabaseAccess {
  readonly state: 'ready';
  /** A folder on the disk that it flushes to; undefined where it is unresolved. */
  readonly dataFolder: string | undefined;
  readonly terms?: LoanTerms | undefined;
  /** Sentences about what earlier runs have left on a server of the user's. */
  readonly left?: readonly string[];
  close(): Promise<void>;
}

export interface NoDatabase {
  readonly state: 'unavailable';
  readonly needs: readonly { readonly what: string; readonly command?: string }[];
}

/** A requested part exists, but does not work. */
export interface FailedDatabase {
  readonly state: 'failed';
  /** What happened and what to do; without passwords. */
  readonly message: string;
}

/** A server for a benchmark: at `url`, or started here and ended with this process. Never rejects. */
export async function startDatabase(
  options: StartOptions,
): Promise<Database | NoDatabase | FailedDatabase> {
  const { kinds = ['postgres', 'mysql'], stub, url, signal } = options;
  try {
    if (url !== undefined) return await atUrl(url, options);
    const found = candidateFor({ kinds, stub });
    if (!found) return { state: 'unavailable', needs: kinds.map(needOf) };
    return await started(found, signal);
  } catch (error) {
    return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** A server that can be started here. */
export interface Candidate extends Pick<DatabaseAddress, 'kind' | 'origin'> {
  readonly name: string;
  readonly job: Job;
}

const simulated: Candidate = {
  kind: 'postgres',
  origin: 'stub',
  name: 'the simulated server',
  job: { server: 'simulated' },
};

/** What can be found on a machine. */
export interface Machine {
  findPostgres(): PostgresBinaries | undefined;
  findMysql(): MysqlBinaries | undefined;
  hasMysqlDriver(): boolean;
}

const thisMachine: Machine = {
  findPostgres,
  findMysql,
  hasMysqlDriver: () => isImportable('mysql2'),
};

/** The server for a case, or undefined; starts none. */
export function candidateFor(
  { kinds = ['postgres', 'mysql'], stub = false }: Pick<StartOptions, 'kinds' | 'stub'>,
  machine = thisMachine,
): Candidate | undefined {
  return firstOf(kinds, (it) => installed(it, machine)) ?? (stub ? simulated : undefined);
}

function installed(kind: DatabaseKind, machine: Machine): Candidate | undefined {
  if (kind === 'mysql') {
    // Deadtime does not contain the driver, and code for PostgreSQL has no reason to install it.
    const binaries = machine.hasMysqlDriver() ? machine.findMysql() : undefined;
    if (!binaries) return undefined;
    const name = `${binaries.product} ${binaries.version}`;
    return { kind, origin: 'path', name, job: { server: 'mysql', binaries } };
  }
  const binaries = machine.findPostgres();
  if (!binaries) return undefined;
  const { origin, version } = binaries;
  const name = `PostgreSQL ${version}`;
  return { kind, origin, name, job: { server: 'postgres', binaries } };
}

async function started(
  { kind, origin, name, job }: Candidate,
  signal: AbortSignal | undefined,
): Promise<Database | FailedDatabase> {
  const server = await keep(job, signal);
  if (server.state === 'failed') {
    return { state: 'failed', message: `${name} did not start: ${server.message}` };
  }
  const { url, dataFolder, isOnDisk, stop } = server;
  // Claims of a case about flushes are not visible in memory.
  const isInMemory = dataFolder !== undefined && !isOnDisk;
  const label = isInMemory ? `${server.label}, data in memory` : server.label;
  return { state: 'ready', ...accessTo({ kind, url, label, origin }), dataFolder, close: stop };
}

/** The first value that is not undefined. */
function firstOf<T, R>(values: readonly T[], read: (value: T) => R | undefined): R | undefined {
  for (const it of values) {
    const result = read(it);
    if (result !== undefined) return result;
  }
  return undefined;
}

async function atUrl(
  text: string,
  { kinds = ['postgres', 'mysql'], lending, signal }: StartOptions,
): Promise<Database | NoDatabase | FailedDatabase> {
  const named = kindOfUrl(text);
  if ('message' in named) return { state: 'failed', message: named.message };
  const { kind, url } = named;
  if (!kinds.includes(kind)) return { state: 'unavailable', needs: kinds.map(needOf) };
  try {
    const { href } = withBuiltInNames(url);
    const label = await labelOf(kind, href);
    const address: DatabaseAddress = { kind, url: href, label, origin: 'url' };
    const dataFolder = undefined;
    if (!lending) return { state: 'ready', ...accessTo(address), dataFolder, async close() {} };
    const job: Job = { server: 'lent', kind, url: href, label, ...lending };
    const kept = await keep(job, signal);
    if (kept.state === 'failed') return { state: 'failed', message: kept.message };
    const { left, ...terms } = kept.loan!;
    const access = accessTo({ ...address, url: kept.url, terms });
    return { state: 'ready', ...access, dataFolder, terms, left, close: kept.stop };
  } catch (error) {
    if (error instanceof MissingComponent) return { state: 'unavailable', needs: error.needs };
    const { message, code } = error as Error & { code?: string };
    // A refused connection is an AggregateError without a message.
    const why = message || code || 'no answer';
    return { state: 'failed', message: `${withoutPassword(url)} does not answer: ${why}` };
  }
}

function needOf(kind: DatabaseKind): NoDatabase['needs'][number] {
  if (kind === 'mysql') {
    return {
      what: 'MariaDB or MySQL in the PATH, or a server: --database-url mysql://host/database',
    };
  }
  const command = installCommand();
  return {
    what: 'PostgreSQL (60 MB), or a server: --database-url postgres://host/database',
    ...(command === undefined ? {} : { command }),
  };
}
