import type { CancellationToken } from 'vscode-languageserver/node';
import { analysisThread, type Asked, type Progress, type Start } from './analysis/thread.ts';
import type { Answer, FileAnalysis, Folder, Order, PathText } from './analysis/messages.ts';
import type { Sheet, Sheets } from './documents.ts';
import { refined, type SheetTypes } from './types.ts';

/** What an analysis said about a sheet. */
export interface Known {
  /** The sheet's, when it was analysed. */
  readonly revision: number;
  readonly analysis: FileAnalysis;
  /** Another number for another analysis. */
  readonly turn: number;
}

/** What is known about the open sheets, and the way to know it for their present texts. */
export interface Analyses {
  open(sheet: Sheet): void;
  /** Its text is another; the analysis of the one before is cancelled where `isDue`. */
  edit(sheet: Sheet, options: { readonly isDue: boolean }): void;
  close(sheet: Sheet): void;
  /** The findings may be others for a reason outside of the text. */
  outdate(sheet: Sheet): void;
  /** The last findings; `revision` says of which text. */
  known(sheet: Sheet): Known | undefined;
  /** Waits until what is known is up to date; undefined for what is closed or cancelled meanwhile. */
  fresh(sheet: Sheet, token?: CancellationToken): Promise<Known | undefined>;
  ask(order: Order, onProgress?: (it: Progress) => void): Asked;
  end(): Promise<void>;
}

export interface AnalysesOptions {
  readonly sheets: Pick<Sheets, 'at' | 'all'>;
  /** Settles once the folders and their present settings are known. */
  ready(): Promise<unknown>;
  folders(): readonly Folder[];
  /** Which of its findings are shown; undefined where all are. */
  shown(sheet: Sheet, analysis: FileAnalysis): Promise<FileAnalysis> | undefined;
  /** A sheet has been analysed. */
  onKnown(sheet: Sheet, known: Known): void;
  /** The analysis of a sheet's present text has come to something else, because of the types in it. */
  onRefined(sheet: Sheet): void;
  /** What another file says has changed, and with it perhaps the findings of this one. */
  onOutdated(sheet: Sheet): void;
  /** The analysis ended by itself and starts anew. */
  onEnd(reason: string): void;
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
  cancel: () => void;
  /** How often the analysis has ended over this text. */
  failures: number;
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
    onEnd: options.onEnd,
  });

  const analyses: Analyses = {
    open(sheet) {
      edited.add(sheet.path);
      const cancel = () => {};
      states.set(sheet, {
        ...{ wanted: 0, done: 0, failures: 0, cancel },
        known: undefined,
        running: undefined,
      });
    },
    edit(sheet, { isDue }) {
      edited.add(sheet.path);
      const state = states.get(sheet);
      if (state) state.failures = 0;
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
        // Another file's new text may say something else about this one.
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
    async end() {
      options.types.end();
      await thread.end();
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
    const { answer, cancel } = analyses.ask({ kind: 'analyse', path });
    state.cancel = cancel;
    const given = await answer;
    const whole = given ? analysisIn(given) : failedAnalysis(++state.failures);
    const analysis = whole && ((await options.shown(sheet, whole)) ?? whole);
    state.running = undefined;
    state.cancel = () => {};
    // Cancelled, failed for the first time, or worth nothing any more: whoever waits asks again.
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

  function know(sheet: Sheet, state: State, known: Omit<Known, 'turn'>): void {
    state.known = { ...known, turn: ++turns };
    if (states.get(sheet) === state) options.onKnown(sheet, state.known);
  }
}

function analysisIn(answer: Answer): FileAnalysis | undefined {
  return answer.kind === 'analysed' ? answer.analysis : undefined;
}

/** A text over which the analysis has ended twice is left alone until it changes. */
function failedAnalysis(failures: number): FileAnalysis | undefined {
  if (failures < 2) return undefined;
  const notices = ['the analysis ended twice over this text and waits for another'];
  return { problems: [], notices, mistakes: [], milliseconds: 0, questions: [] };
}
