import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeFolderOf, readOwn, removeOwn, writeWhole } from '../../src/system/own-files.ts';
import type { ProofState } from '../protocol.ts';

/** What is remembered of a finding's proof. */
export interface ProofRecord {
  readonly fingerprint: string;
  readonly state: Extract<ProofState, 'proven' | 'not-reproduced'>;
  readonly summary: string;
  readonly title: string;
  readonly node: string;
  readonly date: string;
  readonly command: string;
  /** Results of another machine are not this one's. */
  readonly cpu: string;
}

/** Proofs by the fingerprints of their findings, kept in a folder between sessions. */
export interface ProofStore {
  get(fingerprint: string): ProofRecord | undefined;
  put(record: Omit<ProofRecord, 'cpu'>): void;
  /** Where the report of a proof is, or goes. */
  reportPath(fingerprint: string): string;
  /** The page that was written there; undefined where there is none. */
  report(fingerprint: string): string | undefined;
}

/** Some months of work; each has a page of some 100 kB. */
const MOST = 200;
const VERSION = 1;

export function proofStore(folder: string): ProofStore {
  const path = join(folder, 'proofs.json');
  const cpu = cpus()[0]?.model ?? '';
  const reportPath = (fingerprint: string) => join(folder, `${fingerprint}.html`);
  let records: Map<string, ProofRecord> | undefined;
  const known = () => (records ??= recordsIn(path));

  return {
    get(fingerprint) {
      const record = known().get(fingerprint);
      return record?.cpu === cpu ? record : undefined;
    },
    put(record) {
      // Another window may have proved something meanwhile.
      records = recordsIn(path);
      records.delete(record.fingerprint);
      records.set(record.fingerprint, { ...record, cpu });
      for (const it of [...records.keys()].slice(0, -MOST)) {
        records.delete(it);
        removeOwn(reportPath(it));
      }
      const kept = { version: VERSION, records: [...records.values()] };
      // Two windows share it.
      writeWhole(path, `${JSON.stringify(kept)}\n`);
    },
    reportPath(fingerprint) {
      const report = reportPath(fingerprint);
      makeFolderOf(report);
      return report;
    },
    report(fingerprint) {
      try {
        return readFileSync(reportPath(fingerprint), 'utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** A file that is missing, broken or of another version holds nothing. */
function recordsIn(path: string): Map<string, ProofRecord> {
  try {
    const { version, records } = JSON.parse(String(readOwn(path))) as {
      readonly version: unknown;
      readonly records: readonly ProofRecord[];
    };
    if (version === VERSION) return new Map(records.map((it) => [it.fingerprint, it]));
  } catch {
    // The first proof makes it.
  }
  return new Map();
}
