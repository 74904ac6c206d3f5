import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  deleteOldFolders,
  isWorthKeeping,
  type LeasedFolder,
  leaseFolder,
} from '../../system/leased-folder.ts';
import { writeWhole } from '../../system/own-files.ts';
import { runProgram } from '../../system/processes.ts';
import { isInMemory, serversFolder } from './folders.ts';
import type { Ready } from './keeper-messages.ts';
import type { MysqlBinaries } from './mysql-binaries.ts';
import { INSTALLATION, onFreePort, ServerFailure, startServer } from './server-process.ts';

/** As for PostgreSQL; the default is 151. */
const MAX_CONNECTIONS = 220;

const GREETING_MS = 1_000;

/** Starts MariaDB or MySQL in a kept directory, made on the first start (0.6 s; later ones take 0.1 s). */
export async function startMysql(binaries: MysqlBinaries): Promise<Ready> {
  const parent = serversFolder();
  const { product, version } = binaries;
  const kind = `${product.toLowerCase()}-${version}-${process.platform}-${process.arch}`;
  const folder = leaseFolder(parent, kind);
  try {
    if (folder.isNew) await initialise(folder.path, binaries);
    return await start(folder, binaries, () => deleteOldFolders(parent, kind));
  } catch (error) {
    folder.giveBack({ isReusable: false });
    // What was left by a start that was killed may be broken; a new one is not.
    if (!folder.isNew) return startMysql(binaries);
    throw error;
  }
}

/** Without the files of /etc: they are about another server. */
function commonArguments(folder: string): readonly string[] {
  return [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    '--innodb-log-file-size=32M',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ];
}

async function initialise(
  folder: string,
  { server, installer, product }: MysqlBinaries,
): Promise<void> {
  const [program, ...args] =
    product === 'MariaDB'
      ? [
          ...[installer!, ...commonArguments(folder), '--skip-test-db'],
          // The administrator comes in by the socket only, which lies in a folder of ours.
          '--auth-root-authentication-method=socket',
          `--auth-root-socket-user=${process.getuid?.() === 0 ? 'root' : 'nobody'}`,
        ]
      : [server, ...commonArguments(folder), '--initialize'];
  const { stdout, stderr, failure } = await runProgram(program!, args, {
    cwd: folder,
    ...INSTALLATION,
  });
  if (failure !== undefined) {
    throw new ServerFailure([failure, stdout, stderr].filter(Boolean).join('\n').trim());
  }
}

async function start(
  folder: LeasedFolder,
  { server: program, version, product }: MysqlBinaries,
  tidyUp: () => void,
): Promise<Ready> {
  const password = randomBytes(18).toString('base64url');
  const statements = join(folder.path, 'statements.sql');
  writeWhole(statements, statementsFor(password));
  return onFreePort(async (port) => {
    const args = [
      ...commonArguments(folder.path),
      ...['--bind-address=127.0.0.1', `--port=${port}`],
      // Relative to the data directory: the whole path may be too long for a socket.
      '--socket=socket',
      `--pid-file=${join(folder.path, 'pid')}`,
      `--init-file=${statements}`,
      `--max-connections=${MAX_CONNECTIONS}`,
    ];
    const server = await startServer({ program, args, environment: {}, folder: folder.path }, () =>
      greets(port),
    );
    return {
      url: `mysql://deadtime:${password}@127.0.0.1:${port}/deadtime`,
      label: `${product} ${version}`,
      dataFolder: folder.path,
      isOnDisk: !isInMemory(folder.path),
      async stop() {
        await server.stop('SIGTERM');
        folder.giveBack({ isReusable: isWorthKeeping(folder.path) });
        tidyUp();
      },
    };
  });
}

/** Run before any client can connect; any program on this machine can reach the port. */
function statementsFor(password: string): string {
  return [
    'CREATE DATABASE IF NOT EXISTS deadtime;',
    `DROP USER IF EXISTS 'deadtime'@'%';`,
    `CREATE USER 'deadtime'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'deadtime'@'%' WITH GRANT OPTION;\n`,
  ].join('\n');
}

/** A ready server sends its version first. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: GREETING_MS });
    const end = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('data', () => end(true));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end(false));
  });
}
