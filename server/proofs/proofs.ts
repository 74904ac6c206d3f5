import { homedir } from 'node:os';
import type { BenchmarkResult } from '../../src/proof/result.ts';
import { shownPath } from '../../src/report/path.ts';
import { verdictSentence } from '../../src/report/proof/verdict.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { readingOf } from '../../src/scan/text.ts';
import { runProgram } from '../../src/system/processes.ts';
import type { Sheet } from '../documents.ts';
import type {
  FindingId,
  InstallResult,
  Proof,
  ProofReport,
  ProofSetup,
  ProofState,
} from '../protocol.ts';
import type { KnownSettings } from '../settings.ts';
import type { Standing } from '../to-lsp.ts';
import { runProof, type ProofEnd } from './run-proof.ts';
import { severityAfter } from './severity.ts';
import { staleness } from './staleness.ts';
import type { ProofRecord, ProofStore } from './store.ts';

/** Proofs of findings, and the results of earlier proofs. */
export interface Proofs {
  isTrusted: boolean;
  setup: ProofSetup;
  standingOf(problem: Problem, policy: KnownSettings['severityPolicy']): Standing;
  /** The last measurement, and when and where it was made. */
  measuredOf(problem: Problem): string | undefined;
  /** The time of a proof without a time of its own: the usual one, or the time that the last try needed. In seconds. */
  secondsFor(fingerprint: string, usual: number): number;
  /** One at a time: others wait. */
  prove(subject: Subject, signal: AbortSignal): Promise<Proof>;
  cancel(fingerprint: string): void;
  /** Gets what the last proof of the finding lacked; the user has been asked. */
  install(fingerprint: string, signal: AbortSignal): Promise<InstallResult>;
  reportOf(id: FindingId): ProofReport | undefined;
  /** The file that holds the report's page. */
  reportPathOf(id: FindingId): string | undefined;
  /** The sheet was analysed: findings whose code has changed since they were measured are stale from now on. */
  follow(sheet: Sheet, problems: readonly Problem[]): void;
}

export interface Subject {
  readonly id: FindingId;
  readonly problem: Problem;
  readonly sheet: Sheet;
  readonly folder: string;
  /** Whether the finding may rest on types. */
  readonly hasTypes: boolean;
  /** Whether it may rest on configuration that is code. */
  readonly trustsConfiguration: boolean;
  readonly settings: KnownSettings;
  readonly maxSeconds: number;
}

export interface ProofsOptions {
  readonly store: ProofStore;
  readonly isTrusted: boolean;
  /** What follows the Node.js of the settings: `['/…/dist/cli.js']`. */
  readonly program: readonly string[];
  onChange(proof: Proof): void;
}

/** npm brings 60 MB, over any network. */
const INSTALLATION_MS = 1_800_000;

type Ended = Omit<Proof, 'uri' | 'fingerprint'>;

const untrusted =
  'Proofs start programs, and this workspace is not trusted. Trust it, then prove again.';

export function proofsOf({ store, isTrusted, program, onChange }: ProofsOptions): Proofs {
  /** The messages of this session, by fingerprint; results are in the store. */
  const said = new Map<string, Ended>();
  const running = new Map<string, AbortController>();
  const stale = staleness();
  let queue: Promise<unknown> = Promise.resolve();

  const proofs: Proofs = {
    isTrusted,
    setup: {},
    standingOf({ finding, fingerprint }, policy) {
      const { state, summary, needs, neededSeconds } = stateOf(fingerprint);
      const measured = store.get(fingerprint)?.state ?? state;
      const severity = policy === 'fixed' ? finding.severity : severityAfter(finding, measured);
      return { severity, state, summary, needs, neededSeconds };
    },
    measuredOf({ fingerprint }) {
      const record = recordOf(fingerprint);
      if (!record) return undefined;
      const when = `${record.date.slice(0, 10)}, Node.js ${record.node}, ${record.cpu}`;
      const isStale = record.fingerprint !== fingerprint;
      return `${record.summary} (${when}${isStale ? '; the code has changed since' : ''})`;
    },
    secondsFor: (fingerprint, usual) => Math.max(usual, stateOf(fingerprint).neededSeconds ?? 0),
    async prove(subject, signal) {
      const { id } = subject;
      const { neededSeconds } = stateOf(id.fingerprint);
      const refusal = refusalOf(subject);
      if (refusal) return told(id, { state: 'cannot-prove', summary: refusal, needs: [] });
      running.get(id.fingerprint)?.abort();
      const controller = new AbortController();
      const abort = () => controller.abort();
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      running.set(id.fingerprint, controller);
      told(id, { state: 'measuring', summary: 'Measuring.', needs: [] });
      const turn = queue.then(() => run(subject, controller.signal));
      queue = turn;
      const ended = await turn;
      signal.removeEventListener('abort', abort);
      if (running.get(id.fingerprint) === controller) running.delete(id.fingerprint);
      return told(id, ended.state === 'cancelled' ? { ...ended, neededSeconds } : ended);
    },
    cancel: (fingerprint) => running.get(fingerprint)?.abort(),
    async install(fingerprint, signal) {
      const { command } = stateOf(fingerprint).needs.find((it) => it.command !== undefined) ?? {};
      if (!proofs.isTrusted) return { isInstalled: false, text: untrusted };
      if (command === undefined) return { isInstalled: false, text: 'Nothing is missing.' };
      const { failure, stderr } = await runProgram(command, [], {
        ...{ isCommandLine: true, cwd: homedir(), signal },
        ...{ limitMs: INSTALLATION_MS, mostBytes: 1 << 24 },
      });
      const isInstalled = failure === undefined;
      return { isInstalled, text: isInstalled ? '' : stderr.trim() || failure };
    },
    reportPathOf({ fingerprint }) {
      const record = recordOf(fingerprint);
      return record && store.reportPath(record.fingerprint);
    },
    reportOf(id) {
      const record = recordOf(id.fingerprint);
      const html = record && store.report(record.fingerprint);
      if (!record || html === undefined) return undefined;
      const { summary = record.summary, ...standing } = stateOf(id.fingerprint);
      const { title, node, date, command } = record;
      const proof = { ...id, ...standing, summary };
      return { title, proof: { ...proof, node, date, command }, html };
    },
    follow(sheet, problems) {
      stale.follow(sheet, problems, (it) => store.get(it) !== undefined);
    },
  };
  return proofs;

  /** Of the finding as it is, else as it was before its code changed. */
  function recordOf(fingerprint: string): ProofRecord | undefined {
    return store.get(fingerprint) ?? store.get(stale.measuredAs(fingerprint) ?? '');
  }

  function stateOf(fingerprint: string): Omit<Standing, 'severity'> {
    const own = said.get(fingerprint);
    if (own) return own;
    const measured = store.get(fingerprint);
    if (measured) return { state: measured.state, summary: measured.summary, needs: [] };
    const before = recordOf(fingerprint);
    return before
      ? { state: 'stale', summary: before.summary, needs: [] }
      : { state: 'estimated', summary: undefined, needs: [] };
  }

  function told(id: FindingId, ended: Ended): Proof {
    said.set(id.fingerprint, ended);
    const proof = { ...id, ...ended };
    onChange(proof);
    return proof;
  }

  /** Why nothing may or can be run. */
  function refusalOf({ sheet }: Subject): string | undefined {
    if (!proofs.isTrusted) return untrusted;
    const reading = sheet.isOnDisk ? readingOf(sheet.path) : undefined;
    if (!reading || !('text' in reading) || reading.text !== sheet.text()) {
      return 'Save the file first: a proof reads it from disk.';
    }
    return undefined;
  }

  async function run(subject: Subject, signal: AbortSignal): Promise<Ended> {
    const { id, problem, folder, settings } = subject;
    const { hasTypes, trustsConfiguration, maxSeconds } = subject;
    const { setup } = proofs;
    const { line, column } = problem.start;
    const end = await runProof({
      command: setup.command ?? [settings.nodePath ?? process.execPath, ...program],
      cwd: folder,
      environment: setup.environment ?? {},
      place: `${shownPath(problem.path, folder)}:${line}:${column}`,
      ...{ maxSeconds, hasTypes, trustsConfiguration },
      databaseUrl: setup.databaseUrl ?? settings.databaseUrl,
      html: store.reportPath(id.fingerprint),
      signal,
    });
    return endedFrom(end, problem, store);
  }
}

function endedFrom(end: ProofEnd, { fingerprint, finding }: Problem, store: ProofStore): Ended {
  switch (end.kind) {
    case 'cancelled':
      return { state: 'cancelled', summary: 'Cancelled before there was a result.', needs: [] };
    case 'failed':
      return { state: 'cannot-prove', summary: end.message, needs: [] };
    case 'result': {
      const { result } = end;
      if (result.ruleId !== finding.ruleId) {
        const summary = `On disk, this place has a finding of ${result.ruleId}: save the file and prove again.`;
        return { state: 'cannot-prove', summary, needs: [] };
      }
      const { title, command, environment } = result;
      const { node, date } = environment;
      const state = stateAfter(result);
      const summary = verdictSentence(result);
      if (state === 'proven' || state === 'not-reproduced') {
        store.put({ fingerprint, state, summary, title, node, date, command });
      }
      const needs = result.state === 'unavailable' ? result.needs : [];
      const { neededSeconds } = result.state === 'failed' ? result : {};
      return { state, summary, needs, neededSeconds, node, date, command };
    }
  }
}

function stateAfter(result: BenchmarkResult): Exclude<ProofState, 'measuring' | 'estimated'> {
  if (result.state === 'cancelled') return 'cancelled';
  if (result.state !== 'completed' || result.verdict === 'machine-busy') return 'cannot-prove';
  return result.verdict === 'slower' ? 'proven' : 'not-reproduced';
}
