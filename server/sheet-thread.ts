import type { ThreadEnd } from '../src/watch/thread.ts';
import type { Folder, Order, PathText } from './analysis/messages.ts';
import { analysisThread, type Asked, type Progress, type Start } from './analysis/thread.ts';
import type { Sheets } from './documents.ts';

export interface SheetThreadOptions {
  readonly sheets: Pick<Sheets, 'at' | 'all'>;
  readonly maximumMemoryMb: number;
  readonly start: Start | undefined;
  folders(): readonly Folder[];
  /** The findings of these files may have changed. */
  onStale(paths: readonly string[]): void;
  onEnd(end: ThreadEnd): void;
}

/** The thread of the analysis: each order brings the texts that were edited before. */
export class SheetThread {
  readonly #thread: ReturnType<typeof analysisThread>;
  readonly #edited = new Set<string>();
  #synchronized: Promise<unknown> = Promise.resolve();

  constructor({ sheets, maximumMemoryMb, start, folders, onStale, onEnd }: SheetThreadOptions) {
    this.#thread = analysisThread({
      ...{ maximumMemoryMb, ...(start ? { start } : {}) },
      greeting: () => ({ kind: 'configure', folders: folders() }),
      texts: ({ isNew }) => {
        const paths = isNew ? sheets.all().map((it) => it.path) : [...this.#edited];
        this.#edited.clear();
        return paths.map((path): PathText => [path, sheets.at(path)?.text()]);
      },
      onStale,
      onEnd,
    });
  }

  /** Whether it lacks the text of a sheet. */
  get hasEdits(): boolean {
    return this.#edited.size > 0;
  }

  edit(path: string): void {
    this.#edited.add(path);
  }

  ask(order: Order, onProgress?: (it: Progress) => void): Asked {
    const hasTexts = this.hasEdits;
    const asked = this.#thread.ask(order, onProgress);
    if (hasTexts) this.#synchronized = asked.answer;
    return asked;
  }

  /** Settles once it has all texts. */
  synchronized(): Promise<unknown> {
    if (this.hasEdits) this.ask({ kind: 'synchronize' });
    return this.#synchronized;
  }

  end(): void {
    this.#thread.end();
  }
}
