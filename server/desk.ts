import type { Diagnostics } from './diagnostics.ts';
import type { SheetEvents } from './documents.ts';
import type { WorkspaceScan } from './scan-workspace.ts';
import type { Session } from './session.ts';

/** A session and what happens in it. */
export interface Desk extends SheetEvents {
  readonly session: Session;
  readonly diagnostics: Diagnostics;
  readonly scan: WorkspaceScan;
  /** The analysis has ended by itself so often, the last time for this reason. */
  readonly failures: { count: number; last: string | undefined };
  start(): Promise<void>;
  reload(settings?: unknown): Promise<void>;
  onDisk(uris: readonly string[]): void;
  /** Shows all findings again, because the results of proofs have changed. */
  show(): void;
}
