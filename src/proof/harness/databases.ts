import type { Needs } from '../case.ts';
import {
  type Database,
  type FailedDatabase,
  type Lending,
  type NoDatabase,
  startDatabase,
} from '../servers/database.ts';

/** The servers of one command: each is started when the first case needs it, and all end with the command. */
export interface Databases {
  /** Undefined when the case needs none. */
  databaseFor(needs: Needs): Promise<Database | NoDatabase | FailedDatabase | undefined>;
  close(): Promise<void>;
}

export function openDatabases(options: {
  /** The user's own server, for every case. */
  readonly url: string | undefined;
  /** What is made there. */
  readonly lending?: Lending | undefined;
  readonly signal: AbortSignal;
  /** Called with what earlier runs have left there for good. */
  onNotice?(text: string): void;
}): Databases {
  const open: Database[] = [];
  return {
    async databaseFor({ databases: kinds, stub = false }) {
      if (!kinds) return undefined;
      const known = open.find((it) => kinds.includes(it.kind) && (stub || it.origin !== 'stub'));
      if (known) return known;
      const started = await startDatabase({ ...options, kinds, stub });
      if (started.state === 'ready') {
        open.push(started);
        for (const it of started.left ?? []) options.onNotice?.(it);
      }
      return started;
    },
    close: async () => void (await Promise.all(open.splice(0).map((it) => it.close()))),
  };
}
