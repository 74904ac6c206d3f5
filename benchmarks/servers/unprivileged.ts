import { spawnSync } from 'node:child_process';

const NOBODY = 65_534;

/** As whom a server runs that refuses to run as root. */
export interface Account {
  /** What stands before the command. */
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
  /** Sets the account's folders apart: one cannot read the other's. */
  readonly name: 'self' | 'namespace' | 'nobody';
}

/**
 * The caller's own account; for root a user namespace, in which it is root no longer and its files stay its own, or else the
 * user nobody, whose folders have to be handed over. Undefined where nobody cannot run `program`: it lies below /root.
 */
export function unprivilegedAccount(
  program: string,
  environment: Readonly<Record<string, string>>,
): Account | undefined {
  if (process.getuid?.() !== 0) return { prefix: [], name: 'self' };
  const env = { ...process.env, ...environment };
  if (runs('unshare', ['--user', program, '--version'], { env })) {
    return { prefix: ['unshare', '--user'], name: 'namespace' };
  }
  const nobody = { uid: NOBODY, gid: NOBODY };
  return runs(program, ['--version'], { ...nobody, env })
    ? { prefix: [], ...nobody, name: 'nobody' }
    : undefined;
}

function runs(
  program: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv },
): boolean {
  return spawnSync(program, args, { ...options, stdio: 'ignore', timeout: 5_000 }).status === 0;
}
