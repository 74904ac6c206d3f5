import { spoken } from '../server/protocol.ts';

/** Which server runs. */
export interface Choice {
  /** Its `dist/cli.js`. */
  readonly path: string;
  readonly isOfWorkspace: boolean;
  /** Why it is the extension's own although `deadtime.useWorkspaceVersion` is on. */
  readonly reason?: string;
}

export interface Circumstances {
  /** The server that is packed with the extension. */
  readonly own: string;
  /** The value of `deadtime.useWorkspaceVersion`. */
  readonly isWanted: boolean;
  readonly isTrusted: boolean;
  /** The server that the workspace has installed; looked for only where it may be run. */
  installed(): Promise<string | undefined>;
}

/** The Deadtime of a workspace is code of the workspace: without trust it does not run, regardless of the setting. */
export async function chosenServer(it: Circumstances): Promise<Choice> {
  const own = { path: it.own, isOfWorkspace: false };
  if (!it.isWanted) return own;
  if (!it.isTrusted) return { ...own, reason: 'the workspace is not trusted' };
  const path = await it.installed();
  if (path === undefined) return { ...own, reason: 'the first folder has no deadtime installed' };
  return { path, isOfWorkspace: true };
}

/** Whether an answer to `initialize` is one of a server that can be understood: others have no such capability. */
export function isUnderstood(experimental: unknown): boolean {
  const { deadtimeProtocol } = (experimental ?? {}) as Partial<Record<string, unknown>>;
  return deadtimeProtocol === spoken.deadtimeProtocol;
}

/** Longer than any server needs to come up: the editor has no findings as long as one is waited for. */
const LIMIT_MS = 10_000;

/** What a start has come to; one that has not ended within the limit is the same as one that cannot be understood. */
export async function withinLimit(
  start: Promise<string | undefined>,
  limitMs = LIMIT_MS,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    const reason = `the version of the workspace does not respond within ${limitMs / 1000} s`;
    timer = setTimeout(resolve, limitMs, reason);
  });
  return Promise.race([start, late]).finally(() => clearTimeout(timer));
}
