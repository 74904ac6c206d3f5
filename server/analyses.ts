import type { CancellationToken } from 'vscode-languageserver/node';
import { readingOf } from '../src/scan/text.ts';
import type { ThreadEnd } from '../src/watch/thread.ts';
import type { Asked, Progress, Start } from './analysis/thread.ts';
import type { FileAnalysis, Folder, Order } from './analysis/messages.ts';
import type { Sheet, Sheets } from './documents.ts';
import { type LeftOut, leftOutTexts } from './left-out.ts';
import { SheetThread } from './sheet-thread.ts';
import { refined, type SheetTypes } from './types.ts';

/** The result of the analysis of a sheet. */
export interface Known {
  /** The sheet's, when it was analysed. */
  readonly revision: number;
  readonly analysis: FileAnalysis;
  /** Another number for another analysis. */
  readonly turn: number;
}

/** The results of the open sheets, and how to get results for their present texts. */
export interface Analyses {
  open(sheet: Sheet): void;
  /** Its text has changed; the analysis of the previous text is cancelled where `isDue`. */
  edit(sheet: Sheet, options: { readonly isDue: boolean }): void;
  close(sheet: Sheet): void;
  /** The findings may be others for a reason outside of the text. */
  outdate(sheet: Sheet): void;
  /** The last findings; `revision` identifies their text. */
  known(sheet: Sheet): Known | undefined;
  /** Waits until the results are up to date; undefined for a closed or cancelled sheet. */
  fresh(sheet: Sheet, token?: CancellationToken): Promise<Known | undefined>;
  ask(order: Order, onProgress?: (it: Progress) => void): Asked;
  readonly leftOut: LeftOut;
  end(): void;
}

export interface AnalysesOptions {
  readonly sheets: Pick<Sheets, 'at' | 'all'>;
  /** Settles once the folders and their present settings are read. */
  ready(): Promise<unknown>;
  folders(): readonly Folder[];
  /** The findings to show; undefined where all are shown. */
  shown(sheet: Sheet, analysis: FileAnalysis): Promise<FileAnalysis> | undefined;
  /** A sheet has been analysed. */
  onKnown(sheet: Sheet, known: Known): void;
  /** The analysis of a sheet's present text has come to something else, because of the types in it. */
  onRefined(sheet: Sheet): void;
  /** A different file has changed, and with it perhaps the findings of this one. */
  onOutdated(sheet: Sheet): void;
  /** The analysis was stopped, or ended itself, and starts again. */
  onEnd(end: ThreadEnd): void;
  /** A file is not analysed until its text changes. */
  onLeftOut(path: string, message: string): void;
  readonly maximumMemoryMb: number;
  readonly start?: Start | undefined;
  /** The provider of answers to the questions of an analysis. */
  readonly types: SheetTypes;
}

interface State {
  /** Counts the reasons to analyse it. */
  wanted: number;
  /** The count that `known` answers. */
  done: number;
  known: Known | undefined;
  running: Promise<void> | undefined;
  /** The sheet's, when it was last given to be analysed. */
  revision: number;
  cancel: () => void;
}

/** The first analysis of a text, without types. */
interface FirstAnalysis extends Pick<State, 'revision' | 'wanted'> {
  readonly whole: FileAnalysis;
}

export function analysesOf(options: AnalysesOptions): Analyses {
  return new SheetAnalyses(options);
}

class SheetAnalyses implements Analyses {
  readonly leftOut: LeftOut;
  readonly #options: AnalysesOptions;
  readonly #thread: SheetThread;
  readonly #states = new Map<Sheet, State>();
  #turns = 0;

  constructor(options: AnalysesOptions) {
    const { sheets, maximumMemoryMb, start } = options;
    this.#options = options;
    this.leftOut = leftOutTexts((path) => textAt(path, sheets), options.onLeftOut);
    this.#thread = new SheetThread({
      ...{ sheets, maximumMemoryMb, start },
      folders: () => options.folders(),
      onStale: (paths) => {
        for (const path of paths) {
          const sheet = sheets.at(path);
          if (sheet && this.outdate(sheet)) options.onOutdated(sheet);
        }
      },
      onEnd: (end) => {
        options.onEnd(end);
        if (end.at !== undefined) this.#leaveOut(end.at, end);
      },
    });
  }

  open(sheet: Sheet): void {
    this.#thread.edit(sheet.path);
    const cancel = () => {};
    this.#states.set(sheet, {
      ...{ wanted: 0, done: 0, revision: sheet.revision, cancel },
      known: undefined,
      running: undefined,
    });
  }

  edit(sheet: Sheet, { isDue }: { readonly isDue: boolean }): void {
    this.#thread.edit(sheet.path);
    if (isDue) this.outdate(sheet);
  }

  close(sheet: Sheet): void {
    this.#thread.edit(sheet.path);
    this.#states.get(sheet)?.cancel();
    this.#states.delete(sheet);
  }

  /** False where it is not open. */
  outdate(sheet: Sheet): boolean {
    const state = this.#states.get(sheet);
    if (!state) return false;
    state.wanted++;
    state.cancel();
    return true;
  }

  known(sheet: Sheet): Known | undefined {
    return this.#states.get(sheet)?.known;
  }

  async fresh(sheet: Sheet, token?: CancellationToken): Promise<Known | undefined> {
    for (;;) {
      await this.#options.ready();
      const state = this.#states.get(sheet);
      if (!state || token?.isCancellationRequested) return undefined;
      if (state.done !== state.wanted) {
        await (state.running ??= this.#run(sheet, state));
        continue;
      }
      // The new text of a different file may change the result of this one.
      const { wanted } = state;
      await this.#thread.synchronized();
      if (state.wanted === wanted && !this.#thread.hasEdits) return state.known;
    }
  }

  ask(order: Order, onProgress?: (it: Progress) => void): Asked {
    return this.#thread.ask(order, onProgress);
  }

  end(): void {
    this.#options.types.end();
    this.#thread.end();
  }

  async #run(sheet: Sheet, state: State): Promise<void> {
    const { wanted } = state;
    const { revision, path } = sheet;
    state.revision = revision;
    const whole =
      (await this.#analysed(sheet, state)) ?? leftOutAnalysis(this.leftOut.reasonFor(path));
    const analysis = whole && ((await this.#options.shown(sheet, whole)) ?? whole);
    state.running = undefined;
    state.cancel = () => {};
    // Cancelled, stopped, or out of date: waiting requests ask again.
    if (!whole || !analysis || state.wanted !== wanted) return;
    state.done = wanted;
    this.#know(sheet, state, { revision, analysis });
    void this.#refine(sheet, state, { whole, revision, wanted });
  }

  async #analysed(sheet: Sheet, state: State): Promise<FileAnalysis | undefined> {
    const { path } = sheet;
    if (this.leftOut.reasonFor(path) !== undefined) return undefined;
    const { answer, cancel } = this.ask({ kind: 'analyse', path });
    state.cancel = cancel;
    const given = await answer;
    // At something without a name: perhaps because of this file, so it is not tried without end.
    if (given.kind === 'ended' && given.at === undefined) this.#leaveOut(path, given);
    return given.kind === 'analysed' ? given.analysis : undefined;
  }

  /** Analyses again with the types that the first analysis has asked for. */
  async #refine(
    sheet: Sheet,
    state: State,
    { whole, revision, wanted }: FirstAnalysis,
  ): Promise<void> {
    const isWanted = () => state.wanted === wanted && this.#states.get(sheet) === state;
    const it = await refined(whole, {
      ...{ path: sheet.path, types: this.#options.types, isWanted },
      ask: (order) => {
        const asked = this.ask(order);
        state.cancel = asked.cancel;
        return asked.answer;
      },
    });
    const analysis = it && ((await this.#options.shown(sheet, it)) ?? it);
    if (!analysis || !isWanted()) return;
    this.#know(sheet, state, { revision, analysis });
    this.#options.onRefined(sheet);
  }

  #know(sheet: Sheet, state: State, known: Omit<Known, 'turn'>): void {
    state.known = { ...known, turn: ++this.#turns };
    if (this.#states.get(sheet) === state) this.#options.onKnown(sheet, state.known);
  }

  /** Unless its text has changed since the analysis started. */
  #leaveOut(path: string, end: ThreadEnd): void {
    const sheet = this.#options.sheets.at(path);
    const state = sheet && this.#states.get(sheet);
    if (state?.revision === sheet?.revision) this.leftOut.add(path, end);
  }
}

function textAt(path: string, sheets: Pick<Sheets, 'at'>): string | undefined {
  const sheet = sheets.at(path);
  if (sheet) return sheet.text();
  const reading = readingOf(path);
  return 'text' in reading ? reading.text : undefined;
}

/** Undefined where nothing is left out. */
function leftOutAnalysis(reason: string | undefined): FileAnalysis | undefined {
  if (reason === undefined) return undefined;
  return {
    problems: [],
    baselined: 0,
    notices: [reason],
    mistakes: [],
    milliseconds: 0,
    questions: [],
  };
}
