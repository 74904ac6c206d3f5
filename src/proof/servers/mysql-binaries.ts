import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runProgramSync } from '../../system/processes.ts';

/** A MariaDB or MySQL that is installed on this machine; npm has none that keeps transactions. */
export interface MysqlBinaries {
  readonly server: string;
  /** The program that creates a data directory; MySQL's server does that itself. */
  readonly installer: string | undefined;
  readonly product: 'MariaDB' | 'MySQL';
  /** "10.11.19". */
  readonly version: string;
}

/** Servers are often not in the PATH of those who do not administer them. */
const usualFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/bin'];

export function findMysql(): MysqlBinaries | undefined {
  const inPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const folders = [...new Set([...inPath, ...usualFolders])];
  for (const name of ['mariadbd', 'mysqld']) {
    const server = firstIn(folders, name);
    const found = server && usable(server, folders);
    if (found) return found;
  }
  return undefined;
}

function usable(server: string, folders: readonly string[]): MysqlBinaries | undefined {
  const { stdout } = runProgramSync(server, ['--no-defaults', '--version'], {
    cwd: dirname(server),
    ...{ limitMs: 5_000, mostBytes: 65_536 },
  });
  const said = String(stdout ?? '');
  const version = /Ver ([\d.]+)/.exec(said)?.[1];
  if (!version) return undefined;
  const product = /mariadb/i.test(said) ? 'MariaDB' : 'MySQL';
  const installer = firstIn(folders, 'mariadb-install-db') ?? firstIn(folders, 'mysql_install_db');
  if (product === 'MariaDB' && !installer) return undefined;
  return { server, installer, product, version };
}

function firstIn(folders: readonly string[], name: string): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return folders.map((it) => join(it, `${name}${suffix}`)).find((it) => existsSync(it));
}
