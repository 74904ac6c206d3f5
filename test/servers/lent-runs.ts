import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { lockKey } from '../../src/proof/servers/lent/names.ts';
import { oneConnection } from '../../src/proof/servers/one-connection.ts';
import { kindOfUrl } from '../../src/proof/servers/url.ts';

const made = {
  postgres: `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'deadtime%'
    UNION ALL SELECT rolname FROM pg_roles WHERE rolname LIKE 'deadtime%'
    UNION ALL SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'deadtime%'`,
  mysql: `SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE 'deadtime%'
    UNION ALL SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'deadtime_proof_%'`,
};
const isLocked = {
  postgres: (name: string) =>
    `SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lockKey(name)}`,
  mysql: (name: string) => `SELECT IS_USED_LOCK('${name}') AS held`,
};

/** All that bears our names on a server. */
export async function madeAt(url: string): Promise<readonly string[]> {
  const rows = await asked(url, made[named(url).kind]);
  return rows.map((it) => String(it['name'])).sort();
}

export async function untilNothingIsMadeAt(url: string): Promise<void> {
  while ((await madeAt(url)).length > 0) await delay(20);
}

/** Until the server has seen that those are gone who have made what is there. */
export async function untilTheirEndIsSeenAt(url: string): Promise<void> {
  const { kind } = named(url);
  for (const name of await madeAt(url)) {
    const text = isLocked[kind](name);
    const isHeld = async () => (await asked(url, text)).some(({ held }) => held !== null);
    while (await isHeld()) await delay(20);
  }
}

function asked(url: string, text: string) {
  return oneConnection(named(url).kind, url, (query) => query(text));
}

function named(text: string) {
  const it = kindOfUrl(text);
  if ('message' in it) throw new Error(it.message);
  return it;
}

/** A proof that has made all that a proof makes at `url`, and goes on. */
export async function borrowing(entry: string, url: string): Promise<ChildProcess> {
  // The proof removes what one left that was killed before it: so names are compared, not their number.
  const before = new Set(await madeAt(url));
  const args = ['prove', 'no-wait/borrows', '--max-seconds', '60', '--yes'];
  const child = spawn(process.execPath, [entry, ...args, '--database-url', url], {
    stdio: 'ignore',
  });
  const all = url.startsWith('postgres') ? 2 : 1;
  while ((await madeAt(url)).filter((name) => !before.has(name)).length < all) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    await delay(20);
  }
  return child;
}

/** Also those that are in no group of its, as a machine that loses its power does. */
export async function killAll(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  for (const pid of descendantsOf(child.pid!)) process.kill(pid, 'SIGKILL');
  await ended;
}

/** The process itself is the last one: without it, its children have another parent. */
function descendantsOf(pid: number): readonly number[] {
  return [...childrenOf(pid).flatMap(descendantsOf), pid];
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((it) => {
    if (!/^\d+$/.test(it)) return [];
    try {
      const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${it}/status`, 'utf8'))?.[1];
      return Number(parent) === pid ? [Number(it)] : [];
    } catch {
      return [];
    }
  });
}
