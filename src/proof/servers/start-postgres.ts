import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  deleteOldFolders,
  handOver,
  isWorthKeeping,
  type LeasedFolder,
  leaseFolder,
  lend,
} from '../../system/leased-folder.ts';
import { passableFolder, readOwn, writeWhole } from '../../system/own-files.ts';
import { runProgram } from '../../system/processes.ts';
import { isInMemory, serversFolder } from './folders.ts';
import type { Ready } from './keeper-messages.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { INSTALLATION, onFreePort, ServerFailure, startServer } from './server-process.ts';
import { unprivilegedAccount, type Account } from './unprivileged.ts';

/** The published pool-size figures go up to 40 connections, and a pool per request to 200. */
const MAX_CONNECTIONS = 220;

/** The log is used again from there on. */
const MAX_WAL_MB = 256;

/** Starts PostgreSQL in a kept directory, made on the first start (0.7 s; later ones take 0.03 s). */
export async function startPostgres(binaries: PostgresBinaries): Promise<Ready> {
  const account = unprivilegedAccount(binaries.postgres, binaries.environment);
  if (!account) throw new ServerFailure(noAccount(binaries.postgres));
  // Another account cannot pass through root's home.
  const parent = account.owner ? passableFolder('servers') : serversFolder();
  const { version, origin } = binaries;
  const platform = `${process.platform}-${process.arch}`;
  const kind = `postgres-${version}-${origin}-${platform}-${account.name}`;
  const folder = leaseFolder(parent, kind);
  try {
    const password = await passwordIn(folder, binaries, account);
    const tidyUp = () => deleteOldFolders(parent, kind);
    return await start({ folder, password, tidyUp }, binaries, account);
  } catch (error) {
    folder.giveBack({ isReusable: false });
    // What was left by a start that was killed may be broken; a new one is not.
    if (!folder.isNew) return startPostgres(binaries);
    throw error;
  }
}

/** The superuser's: others on this machine can reach the port, and a superuser runs programs. Made with the data. */
async function passwordIn(
  { path, isNew }: LeasedFolder,
  binaries: PostgresBinaries,
  account: Account,
): Promise<string> {
  const file = join(path, 'password');
  if (!isNew) {
    const password = readOwn(file)?.toString();
    if (password === undefined) throw new ServerFailure(`${file} was not written by Deadtime`);
    return password;
  }
  const password = randomBytes(18).toString('base64url');
  writeWhole(file, password);
  if (account.owner) {
    lend(file, account.owner);
    handOver(path, 'data', account.owner);
  }
  await initialise(path, file, binaries, account);
  return password;
}

async function initialise(
  folder: string,
  passwordFile: string,
  { initdb, environment }: PostgresBinaries,
  { prefix, owner }: Account,
): Promise<void> {
  const [program, ...args] = [
    ...prefix,
    initdb,
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    // The default behaviour of a server: opening a connection costs what it costs elsewhere.
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ];
  const { stderr, failure } = await runProgram(program!, args, {
    ...{ ...owner, cwd: folder, environment },
    ...INSTALLATION,
  });
  if (failure !== undefined) throw new ServerFailure(stderr.trim() || failure);
}

interface Prepared {
  readonly folder: LeasedFolder;
  readonly password: string;
  tidyUp(): void;
}

async function start(
  { folder, password, tidyUp }: Prepared,
  { postgres, version, origin, environment }: PostgresBinaries,
  { prefix, owner }: Account,
): Promise<Ready> {
  const { path } = folder;
  const data = join(path, 'data');
  return onFreePort(async (port) => {
    const [program, ...args] = [...prefix, postgres, '-D', data, ...settingsFor(port)];
    const server = await startServer(
      { program: program!, args, environment, ...owner, folder: path },
      (pid) => isReady(data, pid),
    );
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      label: `PostgreSQL ${version}${origin === 'embedded' ? ' (embedded)' : ''}`,
      dataFolder: path,
      isOnDisk: !isInMemory(path),
      async stop() {
        // Fast shutdown: sessions are ended, and the next start has nothing to recover.
        await server.stop('SIGINT');
        // What another account could write to is not started again.
        folder.giveBack({ isReusable: owner === undefined && isWorthKeeping(path) });
        tidyUp();
      },
    };
  });
}

function settingsFor(port: number): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: MAX_CONNECTIONS,
    max_wal_size: `${MAX_WAL_MB}MB`,
    // Both flush by themselves, in the middle of a count of flushes.
    autovacuum: 'off',
    checkpoint_timeout: '30min',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The eighth line of the lock file is what `pg_ctl` waits for; before it is written the file may be an old one. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function noAccount(program: string): string {
  return [
    'PostgreSQL refuses to run as root, this machine allows root no user namespace (unshare --user),',
    `and its user for unprivileged programs cannot run ${program}.`,
    'Run Deadtime as a different user, or pass a server: --database-url postgres://user:password@host/database',
  ].join(' ');
}
