import type { CancellationToken } from 'vscode-languageserver/node';
import { readingOf } from '../src/scan/text.ts';
import type { ThreadEnd } from '../src/watch/thread.ts';
import { analysisThread, type Asked, type Progress, type Start } from './analysis/thread.ts';
import type { FileAnalysis, Folder, Order, PathText } from './analysis/messages.ts';
import type { Sheet, Sheets } from './documents.ts';
import { type LeftOut, leftOutTexts } from './left-out.ts';
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
  /** Which of its findings are shown; undefined where all are. */
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
  /** Who answers the questions of an analysis. */
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

export function analysesOf(options: AnalysesOptions): Analyses {
  const { sheets } = options;
  const states = new Map<Sheet, State>();
  const edited = new Set<string>();
  let synchronized: Promise<unknown> = Promise.resolve();
  let turns = 0;

  const thread = analysisThread({
    maximumMemoryMb: options.maximumMemoryMb,
    ...(options.start ? { start: options.start } : {}),
    greeting: () => ({ kind: 'configure', folders: options.folders() }),
    texts({ isNew }) {
      const paths = isNew ? sheets.all().map((it) => it.path) : [...edited];
      edited.clear();
      return paths.map((path): PathText => [path, sheets.at(path)?.text()]);
    },
    onStale(paths) {
      for (const path of paths) {
        const sheet = sheets.at(path);
        if (sheet && outdate(sheet)) options.onOutdated(sheet);
      }
    },
    onEnd(end) {
      options.onEnd(end);
      if (end.at !== undefined) leaveOut(end.at, end);
    },
  });
  const textOf = (path: string) => {
    const sheet = sheets.at(path);
    if (sheet) return sheet.text();
    const reading = readingOf(path);
    return 'text' in reading ? reading.text : undefined;
  };
  const leftOut = leftOutTexts(textOf, options.onLeftOut);

  const analyses: Analyses = {
    open(sheet) {
      edited.add(sheet.path);
      const cancel = () => {};
      states.set(sheet, {
        ...{ wanted: 0, done: 0, revision: sheet.revision, cancel },
        known: undefined,
        running: undefined,
      });
    },
    edit(sheet, { isDue }) {
      edited.add(sheet.path);
      if (isDue) outdate(sheet);
    },
    close(sheet) {
      edited.add(sheet.path);
      states.get(sheet)?.cancel();
      states.delete(sheet);
    },
    outdate,
    known: (sheet) => states.get(sheet)?.known,
    async fresh(sheet, token) {
      for (;;) {
        await options.ready();
        const state = states.get(sheet);
        if (!state || token?.isCancellationRequested) return undefined;
        if (state.done !== state.wanted) {
          await (state.running ??= run(sheet, state));
          continue;
        }
        // The new text of a different file may change the result of this one.
        const { wanted } = state;
        if (edited.size > 0) analyses.ask({ kind: 'synchronize' });
        await synchronized;
        if (state.wanted === wanted && edited.size === 0) return state.known;
      }
    },
    ask(order, onProgress) {
      const hasTexts = edited.size > 0;
      const asked = thread.ask(order, onProgress);
      if (hasTexts) synchronized = asked.answer;
      return asked;
    },
    leftOut,
    end() {
      options.types.end();
      thread.end();
    },
  };
  return analyses;

  function outdate(sheet: Sheet): boolean {
    const state = states.get(sheet);
    if (!state) return false;
    state.wanted++;
    state.cancel();
    return true;
  }

  async function run(sheet: Sheet, state: State): Promise<void> {
    const { wanted } = state;
    const { revision, path } = sheet;
    state.revision = revision;
    const whole = (await analysed(sheet, state)) ?? leftOutAnalysis(leftOut.reasonFor(path));
    const analysis = whole && ((await options.shown(sheet, whole)) ?? whole);
    state.running = undefined;
    state.cancel = () => {};
    // Cancelled, stopped, or out of date: waiting requests ask again.
    if (!whole || !analysis || state.wanted !== wanted) return;
    state.done = wanted;
    know(sheet, state, { revision, analysis });
    const isWanted = () => state.wanted === wanted && states.get(sheet) === state;
    void refined(whole, {
      ...{ path, types: options.types, isWanted },
      ask(order) {
        const asked = analyses.ask(order);
        state.cancel = asked.cancel;
        return asked.answer;
      },
    }).then(async (it) => {
      const refinedOnes = it && ((await options.shown(sheet, it)) ?? it);
      if (!refinedOnes || !isWanted()) return;
      know(sheet, state, { revision, analysis: refinedOnes });
      options.onRefined(sheet);
    });
  }

  async function analysed(sheet: Sheet, state: State): Promise<FileAnalysis | undefined> {
    const { path } = sheet;
    if (leftOut.reasonFor(path) !== undefined) return undefined;
    const { answer, cancel } = analyses.ask({ kind: 'analyse', path });
    state.cancel = cancel;
    const given = await answer;
    // At something without a name: perhaps because of this file, so it is not tried without end.
    if (given.kind === 'ended' && given.at === undefined) leaveOut(path, given);
    return given.kind === 'analysed' ? given.analysis : undefined;
  }

  /** Unless its text has changed since the analysis started. */
  function leaveOut(path: string, end: ThreadEnd): void {
    const sheet = sheets.at(path);
    const state = sheet && states.get(sheet);
    if (state?.revision === sheet?.revision) leftOut.add(path, end);
  }

  function know(sheet: Sheet, state: State, known: Omit<Known, 'turn'>): void {
    state.known = { ...known, turn: ++turns };
    if (states.get(sheet) === state) options.onKnown(sheet, state.known);
  }
}

/** Undefined where nothing is left out. */
function leftOutAnalysis(reason: string | undefined): FileAnalysis | undefined {
  if (reason === undefined) return undefined;
  return { problems: [], notices: [reason], mistakes: [], milliseconds: 0, questions: [] };
}
