import type { BenchmarkCase, MachineValues, Values } from '../case.ts';
import type { Arrangement, Measurement, Quiet } from '../result.ts';
import type { Replay } from '../replay/replay-case.ts';
import type { DatabaseAddress } from '../servers/access.ts';

/** Every rule's cases, by rule id. */
export type CaseTable = Readonly<Record<string, readonly BenchmarkCase[]>>;

/** The order to the benchmark's process; its only message. */
export interface Order {
  readonly ruleId: string;
  readonly variant: string;
  readonly parameters: Values;
  readonly arrangement: Arrangement;
  /** When the parent ends the process, from `started` on. */
  readonly limitMs: number;
  readonly isBrief: boolean;
  readonly database: DatabaseAddress | undefined;
  /** The reported code's waits, which replace the case's own code. */
  readonly replay: Replay | undefined;
}

/** The messages of the process to its parent: `started` once it is loaded, any number of `progress`, then one final message. */
export type Report =
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly share: number }
  | {
      readonly kind: 'measured';
      readonly measurement: Measurement;
      readonly machine: MachineValues;
      readonly quiet: Quiet;
    }
  | { readonly kind: 'missing'; readonly needs: Needed }
  | {
      readonly kind: 'too-long';
      readonly message: string;
      readonly neededSeconds?: number | undefined;
      readonly quiet: Quiet;
    }
  | { readonly kind: 'failed'; readonly message: string };

export type Needed = readonly { readonly what: string; readonly command?: string }[];
