import { dirname } from 'node:path';
import type { Owner } from '../../system/leased-folder.ts';
import { runProgramSync, type Start } from '../../system/processes.ts';

const NOBODY = 65_534;

/** As whom a server runs that refuses to run as root. */
export interface Account {
  /** The arguments before the command. */
  readonly prefix: readonly string[];
  /** Of the files that the server writes, where they are not the caller's own. */
  readonly owner?: Owner;
  /** Sets the account's folders apart: one cannot read the other's. */
  readonly name: 'self' | 'namespace' | 'nobody';
}

/**
 * The caller's own account; for root a user namespace, in which it is no longer root and its files stay its own, or else the
 * user `nobody`, which then owns the folders. Undefined where `nobody` cannot run `program`: it is below /root.
 */
export function unprivilegedAccount(
  program: string,
  environment: Readonly<Record<string, string>>,
): Account | undefined {
  if (process.getuid?.() !== 0) return { prefix: [], name: 'self' };
  const start = { cwd: dirname(program), environment };
  if (runs('unshare', ['--user', program, '--version'], start)) {
    return { prefix: ['unshare', '--user'], name: 'namespace' };
  }
  const owner = { uid: NOBODY, gid: NOBODY };
  return runs(program, ['--version'], { ...owner, ...start })
    ? { prefix: [], owner, name: 'nobody' }
    : undefined;
}

function runs(program: string, args: readonly string[], start: Start): boolean {
  return (
    runProgramSync(program, args, { ...start, limitMs: 5_000, mostBytes: 65_536 }).status === 0
  );
}
