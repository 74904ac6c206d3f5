import type { InitializeParams } from 'vscode-languageserver/node';
import { isConfiguration } from '../src/project/configuration-file.ts';
import { isCode } from '../src/scan/language.ts';
import { type AnalysesOptions, analysesOf, type Known } from './analyses.ts';
import { clientFrom } from './client.ts';
import type { Desk } from './desk.ts';
import { type Diagnostics, diagnosticsOf } from './diagnostics.ts';
import type { Sheet } from './documents.ts';
import { onlyChanges } from './only-changes.ts';
import { proofsOf } from './proofs/proofs.ts';
import { proofStore } from './proofs/store.ts';
import { type Analysis, notifications } from './protocol.ts';
import { recordingsOf } from './recordings.ts';
import { refreshesOf } from './refreshes.ts';
import { registerAll } from './registrations.ts';
import { reviewChanges } from './review.ts';
import { type WorkspaceScan, workspaceScan } from './scan-workspace.ts';
import { diagnosticOptions, folderOf, type Session } from './session.ts';
import { placed, toFinding } from './to-lsp.ts';
import { type SheetTypes, sheetTypes } from './types.ts';
import { pathOfUri } from './uris.ts';
import { type Warnings, warningsOf } from './warnings.ts';
import { workspaceOf } from './workspace.ts';

/** The desk of a client that has sent initialize. */
export class OpenDesk implements Desk {
  readonly session: Session & { showing: number };
  readonly diagnostics: Diagnostics;
  readonly scan: WorkspaceScan;
  readonly failures: Desk['failures'] = { count: 0, last: undefined };
  readonly #types: SheetTypes;
  readonly #changes: ReturnType<typeof onlyChanges>;
  readonly #warnings: Warnings;
  readonly #refreshSoon: () => void;
  #begin = () => {};
  #loading = new Promise<void>((resolve) => (this.#begin = resolve));
  #isToldOfChanges = false;

  constructor(
    params: InitializeParams,
    { connection, environment, sheets }: Pick<Session, 'connection' | 'environment' | 'sheets'>,
  ) {
    const client = clientFrom(params);
    const workspace = workspaceOf(params, client, connection);
    this.#warnings = warningsOf(connection);
    this.#refreshSoon = refreshesOf(connection, client);
    this.#types = sheetTypes(sheets, {
      onFailure: (reason) => connection.console.info(`Analysed without types: ${reason}`),
      start: environment.startTypes,
    });
    const analyses = analysesOf({
      ...{ sheets, types: this.#types, start: environment.start },
      ready: () => this.#loading,
      folders: () => workspace.folders(),
      maximumMemoryMb: client.maximumMemoryMb,
      ...this.#onAnalyses(),
    });
    const proofs = proofsOf({
      store: proofStore(client.storagePath ?? environment.storagePath),
      ...{ isTrusted: client.isTrusted, program: environment.program },
      onChange: (proof) => {
        if (client.hasStatus) void connection.sendNotification(notifications.proofChanged, proof);
        this.show();
      },
    });
    const recordings = recordingsOf({
      folderOf: (sheet) => folderOf(this.session, sheet),
      onMistake: (mistake) => this.#warnings.showMistakes([mistake]),
      onChange: () => {
        for (const sheet of sheets.all()) this.#tell(sheet);
        this.show();
      },
    });
    const session = {
      ...{ connection, environment, client, workspace, sheets, analyses, proofs, recordings },
      showing: 0,
    };
    this.session = session;
    this.#changes = onlyChanges(() => reviewChanges(session, new AbortController().signal));
    this.diagnostics = diagnosticsOf(session);
    this.scan = workspaceScan(session);
  }

  /** What becomes of the results of analyses. */
  #onAnalyses(): Pick<
    AnalysesOptions,
    'shown' | 'onKnown' | 'onRefined' | 'onOutdated' | 'onEnd' | 'onLeftOut'
  > {
    const showSoon = (sheet: Sheet) => {
      if (this.session.client.hasPull) this.#refreshSoon();
      else this.diagnostics.push(sheet);
    };
    return {
      shown: (sheet, analysis) => {
        const { hasOnlyChanges } = this.session.workspace.settingsAt(sheet.path);
        if (!hasOnlyChanges || !sheet.isOnDisk) return undefined;
        return this.#changes
          .among(sheet, analysis.problems)
          .then((problems) => ({ ...analysis, problems }));
      },
      onKnown: (sheet, known) => this.#onKnown(sheet, known),
      onRefined: showSoon,
      onOutdated: showSoon,
      onEnd: ({ at = 'A file', message }) => {
        this.failures.count++;
        this.failures.last = `${at} ${message}`;
        const text = `The analysis ended and starts again: ${this.failures.last}`;
        this.session.connection.console.error(text);
      },
      onLeftOut: (path, message) => this.#warnings.show(`${path} ${message}.`),
    };
  }

  #onKnown(sheet: Sheet, known: Known): void {
    const { connection, proofs } = this.session;
    const { problems, notices, mistakes } = known.analysis;
    this.#warnings.showMistakes(mistakes);
    proofs.follow(sheet, problems);
    for (const notice of notices) connection.console.info(`${sheet.uri} ${notice}`);
    this.#tell(sheet, known);
  }

  /** To a client that shows a status. */
  #tell(sheet: Sheet, known = this.session.analyses.known(sheet)): void {
    const { connection, client, recordings } = this.session;
    if (!known || !client.hasStatus) return;
    const { problems, baselined, notices, milliseconds } = known.analysis;
    const options = diagnosticOptions(this.session);
    const isPresent = known.revision === sheet.revision;
    const measured = isPresent ? recordings.measured(sheet, problems) : problems;
    const findings = placed(measured, sheet).map((it) => toFinding(it, options));
    for (const { document } of sheet.parts) {
      const { uri, version } = document;
      const own = findings.filter((it) => it.uri === uri);
      const analysis: Analysis = { uri, version, milliseconds, findings: own, baselined, notices };
      void connection.sendNotification(notifications.analysed, analysis);
    }
  }

  onOpen(sheet: Sheet): void {
    const { analyses } = this.session;
    analyses.open(sheet);
    this.scan.opened(sheet.path);
    void this.#loading.then(() => {
      if (this.#runOf(sheet) !== 'manual') analyses.outdate(sheet);
      this.#push(sheet);
    });
  }

  onChange(sheet: Sheet): void {
    this.session.analyses.edit(sheet, { isDue: this.#runOf(sheet) === 'onType' });
    this.#push(sheet);
  }

  onSave(sheet: Sheet): void {
    const { analyses, client } = this.session;
    this.#changes.forget();
    // No message reports other changes on disk.
    if (!this.#isToldOfChanges) {
      this.session.recordings.refresh();
      analyses.ask({ kind: 'refresh' });
      this.#types.changed('all');
    }
    if (this.#runOf(sheet) === 'manual') return;
    analyses.outdate(sheet);
    if (client.hasPull && this.#runOf(sheet) === 'onSave') this.#refreshSoon();
    this.#push(sheet);
  }

  onClose(sheet: Sheet): void {
    this.session.analyses.close(sheet);
    if (!this.session.client.hasPull) this.diagnostics.clear(sheet);
    this.scan.changed(sheet.path);
  }

  onDisk(uris: readonly string[]): void {
    const paths = this.session.recordings.changed(uris.flatMap((it) => pathOfUri(it) ?? []));
    if (paths.length === 0) return;
    this.#changes.forget();
    this.session.analyses.ask({ kind: 'changed', paths });
    this.#types.changed(paths);
    for (const path of paths.filter(isCode)) this.scan.changed(path);
    // Configuration, manifests and ignore files affect every file.
    if (paths.some((it) => !isCode(it) || isConfiguration(it))) this.#outdateAll();
  }

  async start(): Promise<void> {
    const { workspace, analyses } = this.session;
    await workspace.load();
    this.#begin();
    this.#warnings.showMistakes(workspace.mistakes());
    this.#isToldOfChanges = await registerAll(this.session, () => void this.reload());
    // Warm before the first document asks.
    analyses.ask({ kind: 'synchronize' });
  }

  async reload(settings?: unknown): Promise<void> {
    const { workspace, analyses } = this.session;
    this.#loading = workspace.load(settings).then(() => {
      this.#changes.forget();
      analyses.ask({ kind: 'configure', folders: workspace.folders() });
      this.#outdateAll();
    });
    await this.#loading;
    this.#warnings.showMistakes(workspace.mistakes());
  }

  show(): void {
    this.session.showing++;
    this.#showAll();
  }

  #outdateAll(): void {
    const { analyses, sheets } = this.session;
    analyses.leftOut.forget();
    for (const sheet of sheets.all()) {
      if (analyses.known(sheet) || this.#runOf(sheet) !== 'manual') analyses.outdate(sheet);
    }
    this.#showAll();
  }

  #showAll(): void {
    this.#refreshSoon();
    for (const sheet of this.session.sheets.all()) this.#push(sheet);
  }

  /** To a client that does not ask for diagnostics itself. */
  #push(sheet: Sheet): void {
    if (!this.session.client.hasPull) this.diagnostics.push(sheet);
  }

  #runOf({ path }: Sheet) {
    return this.session.workspace.settingsAt(path).run;
  }
}
