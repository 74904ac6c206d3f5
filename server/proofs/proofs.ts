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
  /** The arguments after the Node.js of the settings: `['/…/dist/cli.js']`. */
  readonly program: readonly string[];
  onChange(proof: Proof): void;
}

/** npm brings 60 MB, over any network. */
const INSTALLATION_MS = 1_800_000;

type Ended = Omit<Proof, 'uri' | 'fingerprint'>;

const untrusted =
  'Proofs start programs, and this workspace is not trusted. Trust it, then prove again.';

export function proofsOf(options: ProofsOptions): Proofs {
  return new ProofsOfSession(options);
}

class ProofsOfSession implements Proofs {
  isTrusted: boolean;
  setup: ProofSetup = {};
  readonly #store: ProofStore;
  readonly #options: ProofsOptions;
  /** The messages of this session, by fingerprint; results are in the store. */
  readonly #said = new Map<string, Ended>();
  readonly #running = new Map<string, AbortController>();
  readonly #stale = staleness();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ProofsOptions) {
    this.isTrusted = options.isTrusted;
    this.#store = options.store;
    this.#options = options;
  }

  standingOf({ finding, fingerprint }: Problem, policy: KnownSettings['severityPolicy']): Standing {
    const { state, summary, needs, neededSeconds } = this.#stateOf(fingerprint);
    const measured = this.#store.get(fingerprint)?.state ?? state;
    const severity = policy === 'fixed' ? finding.severity : severityAfter(finding, measured);
    return { severity, state, summary, needs, neededSeconds };
  }

  measuredOf({ fingerprint }: Problem): string | undefined {
    const record = this.#recordOf(fingerprint);
    if (!record) return undefined;
    const when = `${record.date.slice(0, 10)}, Node.js ${record.node}, ${record.cpu}`;
    const isStale = record.fingerprint !== fingerprint;
    return `${record.summary} (${when}${isStale ? '; the code has changed since' : ''})`;
  }

  secondsFor(fingerprint: string, usual: number): number {
    return Math.max(usual, this.#stateOf(fingerprint).neededSeconds ?? 0);
  }

  follow(sheet: Sheet, problems: readonly Problem[]): void {
    this.#stale.follow(sheet, problems, (it) => this.#store.get(it) !== undefined);
  }

  /** Of the finding as it is, else as it was before its code changed. */
  #recordOf(fingerprint: string): ProofRecord | undefined {
    const before = () => this.#store.get(this.#stale.measuredAs(fingerprint) ?? '');
    return this.#store.get(fingerprint) ?? before();
  }

  #stateOf(fingerprint: string): Omit<Standing, 'severity'> {
    const own = this.#said.get(fingerprint);
    if (own) return own;
    const measured = this.#store.get(fingerprint);
    if (measured) return { state: measured.state, summary: measured.summary, needs: [] };
    const before = this.#recordOf(fingerprint);
    return before
      ? { state: 'stale', summary: before.summary, needs: [] }
      : { state: 'estimated', summary: undefined, needs: [] };
  }

  async prove(subject: Subject, signal: AbortSignal): Promise<Proof> {
    const { id } = subject;
    const { neededSeconds } = this.#stateOf(id.fingerprint);
    const refusal = this.#refusalOf(subject);
    if (refusal) return this.#say(id, { state: 'cannot-prove', summary: refusal, needs: [] });
    this.cancel(id.fingerprint);
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    this.#running.set(id.fingerprint, controller);
    this.#say(id, { state: 'measuring', summary: 'Measuring.', needs: [] });
    const turn = this.#queue.then(() => this.#run(subject, controller.signal));
    this.#queue = turn;
    const ended = await turn;
    signal.removeEventListener('abort', abort);
    if (this.#running.get(id.fingerprint) === controller) this.#running.delete(id.fingerprint);
    return this.#say(id, ended.state === 'cancelled' ? { ...ended, neededSeconds } : ended);
  }

  cancel(fingerprint: string): void {
    this.#running.get(fingerprint)?.abort();
  }

  /** Why nothing may or can be run. */
  #refusalOf({ sheet }: Subject): string | undefined {
    if (!this.isTrusted) return untrusted;
    const reading = sheet.isOnDisk ? readingOf(sheet.path) : undefined;
    if (!reading || !('text' in reading) || reading.text !== sheet.text()) {
      return 'Save the file first: a proof reads it from disk.';
    }
    return undefined;
  }

  async #run(subject: Subject, signal: AbortSignal): Promise<Ended> {
    const { id, problem, folder, settings } = subject;
    const { hasTypes, trustsConfiguration, maxSeconds } = subject;
    const { setup } = this;
    const { program } = this.#options;
    const end = await runProof({
      command: setup.command ?? [settings.nodePath ?? process.execPath, ...program],
      cwd: folder,
      environment: setup.environment ?? {},
      place: `${shownPath(problem.path, folder)}:${problem.names.exact}`,
      ...{ maxSeconds, hasTypes, trustsConfiguration },
      databaseUrl: setup.databaseUrl ?? settings.databaseUrl,
      html: this.#store.reportPath(id.fingerprint),
      signal,
    });
    return endedFrom(end, problem, this.#store);
  }

  #say(id: FindingId, ended: Ended): Proof {
    this.#said.set(id.fingerprint, ended);
    const proof = { ...id, ...ended };
    this.#options.onChange(proof);
    return proof;
  }

  async install(fingerprint: string, signal: AbortSignal): Promise<InstallResult> {
    const { needs } = this.#stateOf(fingerprint);
    const { command } = needs.find((it) => it.command !== undefined) ?? {};
    if (!this.isTrusted) return { isInstalled: false, text: untrusted };
    if (command === undefined) return { isInstalled: false, text: 'Nothing is missing.' };
    const { failure, stderr } = await runProgram(command, [], {
      ...{ isCommandLine: true, cwd: homedir(), signal },
      ...{ limitMs: INSTALLATION_MS, mostBytes: 1 << 24 },
    });
    const isInstalled = failure === undefined;
    return { isInstalled, text: isInstalled ? '' : stderr.trim() || failure };
  }

  reportPathOf({ fingerprint }: FindingId): string | undefined {
    const record = this.#recordOf(fingerprint);
    return record && this.#store.reportPath(record.fingerprint);
  }

  reportOf(id: FindingId): ProofReport | undefined {
    const record = this.#recordOf(id.fingerprint);
    const html = record && this.#store.report(record.fingerprint);
    if (!record || html === undefined) return undefined;
    const { summary = record.summary, ...standing } = this.#stateOf(id.fingerprint);
    const { title, node, date, command } = record;
    const proof = { ...id, ...standing, summary };
    return { title, proof: { ...proof, node, date, command }, html };
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
