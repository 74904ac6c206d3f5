import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  deleteOldFolders,
  isWorthKeeping,
  takeDataFolder,
  type DataFolder,
} from './data-folder.ts';
import { isInMemory } from './folders.ts';
import type { Ready } from './keeper-messages.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { onFreePort, ServerFailure, startServer } from './server-process.ts';
import { unprivilegedAccount, type Account } from './unprivileged.ts';

const run = promisify(execFile);

/** The published pool-size figures go up to 40 connections, and a pool per request to 200. */
const MAX_CONNECTIONS = 220;

/** The log is used again from there on. */
const MAX_WAL_MB = 256;

/** Starts PostgreSQL in a kept directory, made on the first start (0.7 s; later ones take 0.03 s). */
export async function startPostgres(
  binaries: PostgresBinaries,
  usualCache: string,
): Promise<Ready> {
  const account = unprivilegedAccount(binaries.postgres, binaries.environment);
  if (!account) throw new ServerFailure(noAccount(binaries.postgres));
  const cache = account.name === 'nobody' ? cacheForNobody(usualCache) : usualCache;
  const { version, origin } = binaries;
  const platform = `${process.platform}-${process.arch}`;
  const kind = `postgres-${version}-${origin}-${platform}-${account.name}`;
  const folder = takeDataFolder(cache, kind);
  try {
    if (folder.isNew) await initialise(folder.path, binaries, account);
    return await start(folder, binaries, account, () => deleteOldFolders(cache, kind));
  } catch (error) {
    folder.giveBack({ isReusable: false });
    // What was left by a start that was killed may be broken; a new one is not.
    if (!folder.isNew) return startPostgres(binaries, usualCache);
    throw error;
  }
}

/** Whoever is nobody cannot pass through a folder such as /root. */
function cacheForNobody(usual: string): string {
  for (let it = usual; dirname(it) !== it; it = dirname(it)) {
    if ((statSync(it).mode & 0o001) === 0) return mkdirFor('/var/tmp/deadtime');
  }
  return usual;
}

function mkdirFor(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

async function initialise(
  folder: string,
  { initdb, environment }: PostgresBinaries,
  { prefix, name, ...user }: Account,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  // Whoever else is on this machine can reach the port, and a superuser runs programs.
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  for (const path of [folder, passwordFile]) {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid!);
  }
  const [program, ...args] = [
    ...prefix,
    initdb,
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    // What a server does unless it is told otherwise: opening a connection costs what it costs elsewhere.
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ];
  try {
    await run(program!, args, {
      ...user,
      cwd: folder,
      env: { ...process.env, ...environment },
      timeout: 60_000,
      windowsHide: true,
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new ServerFailure(stderr?.trim() || message);
  }
}

async function start(
  folder: DataFolder,
  { postgres, version, origin, environment }: PostgresBinaries,
  { prefix, name, ...user }: Account,
  tidyUp: () => void,
): Promise<Ready> {
  const { path } = folder;
  const data = join(path, 'data');
  const password = readFileSync(join(path, 'password'), 'utf8');
  return onFreePort(async (port) => {
    const [program, ...args] = [...prefix, postgres, '-D', data, ...settingsFor(port)];
    const server = await startServer(
      { program: program!, args, environment, ...user, folder: path },
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
        folder.giveBack({ isReusable: isWorthKeeping(path) });
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
    `and the user nobody cannot run ${program}.`,
    'Run Deadtime as another user, or give it a server: --database-url postgres://user:password@host/database',
  ].join(' ');
}
