import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Connection,
  NotebookCellKind,
  NotebookDocuments,
  type Position,
  type Range,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isCode } from '../src/scan/language.ts';
import { withoutMark } from '../src/project/files.ts';
import { pathOfUri } from './uris.ts';

/** A text that is analysed as one file: a document, or the code cells of a notebook in their order. */
export interface Sheet {
  /** The URI of the document or the notebook. */
  readonly uri: string;
  /** Absolute; made up for what lies on no disk. */
  readonly path: string;
  readonly isOnDisk: boolean;
  /** Another number for another text. */
  readonly revision: number;
  readonly parts: readonly Part[];
  /** The analysed text: without a byte-order mark. */
  text(): string;
}

export interface Part {
  readonly document: TextDocument;
  /** The offset of the document in the sheet's text. */
  readonly start: number;
}

/** A place of a sheet in its document. */
export interface DocumentPlace {
  readonly uri: string;
  readonly range: Range;
}

export interface SheetEvents {
  onOpen(sheet: Sheet): void;
  onChange(sheet: Sheet): void;
  onSave(sheet: Sheet): void;
  onClose(sheet: Sheet): void;
}

export interface Sheets {
  /** The sheet of a document, a notebook or one of its cells. */
  get(uri: string): Sheet | undefined;
  at(path: string): Sheet | undefined;
  all(): readonly Sheet[];
  uriOf(path: string): string;
  listen(connection: Connection): void;
}

/** Which languages an editor means, by the ids of the protocol. */
const extensions: Readonly<Record<string, string>> = {
  javascript: '.js',
  javascriptreact: '.jsx',
  typescript: '.ts',
  typescriptreact: '.tsx',
  vue: '.vue',
  svelte: '.svelte',
  astro: '.astro',
};

export const languageIds: readonly string[] = Object.keys(extensions);

interface OpenSheet extends Sheet {
  revision: number;
}

/** `folder` is where texts that were never saved are taken to be. */
export function openSheets(folder: () => string, events: SheetEvents): Sheets {
  return new SheetsOfEditor(folder, events);
}

class SheetsOfEditor implements Sheets {
  readonly #folder: () => string;
  readonly #events: SheetEvents;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #notebooks = new NotebookDocuments(this.#documents);
  readonly #byUri = new Map<string, OpenSheet>();
  readonly #byPath = new Map<string, OpenSheet>();

  constructor(folder: () => string, events: SheetEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#followDocuments();
    this.#followNotebooks();
  }

  get(uri: string): Sheet | undefined {
    const notebook = () => this.#notebooks.findNotebookDocumentForCell(uri);
    return this.#byUri.get(uri) ?? this.#byUri.get(notebook()?.uri ?? '');
  }

  at(path: string): Sheet | undefined {
    return this.#byPath.get(path);
  }

  all(): readonly Sheet[] {
    return [...this.#byUri.values()];
  }

  uriOf(path: string): string {
    return this.#byPath.get(path)?.uri ?? pathToFileURL(path).href;
  }

  listen(connection: Connection): void {
    this.#documents.listen(connection);
    this.#notebooks.listen(connection);
  }

  #followDocuments(): void {
    this.#documents.onDidOpen(({ document }) => {
      // Cells open with their notebook, of which they are parts.
      if (document.uri.startsWith('vscode-notebook-cell:')) return;
      const path = pathOf(document.uri, extensions[document.languageId], this.#folder);
      if (path === undefined) return;
      const { uri } = document;
      this.#open({ uri, path, parts: () => [{ document, start: markOf(document) }] });
    });
    this.#documents.onDidChangeContent(({ document: { uri, version } }) => {
      // The first content comes with its opening.
      if (this.#byUri.get(uri)?.revision !== version) this.#change(uri, () => version);
    });
    this.#documents.onDidSave(({ document }) => this.#save(document.uri));
    this.#documents.onDidClose(({ document }) => this.#close(document.uri));
  }

  #followNotebooks(): void {
    this.#notebooks.onDidOpen((notebook) => {
      const cells = () =>
        notebook.cells.flatMap((cell) => {
          const document = this.#notebooks.getCellTextDocument(cell);
          return document && cell.kind === NotebookCellKind.Code && extensions[document.languageId]
            ? [document]
            : [];
        });
      const isTyped = cells().some((it) => it.languageId === 'typescript');
      const path = pathOf(notebook.uri, isTyped ? '.ts' : '.js', this.#folder);
      if (path !== undefined) this.#open({ uri: notebook.uri, path, parts: () => below(cells()) });
    });
    this.#notebooks.onDidChange(({ notebookDocument: { uri } }) =>
      this.#change(uri, (revision) => revision + 1),
    );
    this.#notebooks.onDidSave(({ uri }) => this.#save(uri));
    this.#notebooks.onDidClose(({ uri }) => this.#close(uri));
  }

  #open(it: { uri: string; path: string; parts: () => readonly Part[] }): void {
    const { uri, parts } = it;
    const given = uri.startsWith('file:') ? fileURLToPath(uri) : it.path;
    const isSpelledAnew = given.toLowerCase() === it.path.toLowerCase();
    // Open under two spellings, with two texts: the second keeps its own.
    const path = this.#byPath.has(it.path) && isSpelledAnew ? given : it.path;
    const sheet: OpenSheet = {
      uri,
      path,
      isOnDisk: uri.startsWith('file:') && !uri.endsWith('.ipynb'),
      revision: parts()[0]?.document.version ?? 0,
      get parts() {
        return parts();
      },
      text: () =>
        withoutMark(
          parts()
            .map(({ document }) => document.getText())
            .join('\n'),
        ),
    };
    this.#byUri.set(uri, sheet);
    this.#byPath.set(path, sheet);
    this.#events.onOpen(sheet);
  }

  #change(uri: string, revisionAfter: (revision: number) => number): void {
    const sheet = this.#byUri.get(uri);
    if (!sheet) return;
    sheet.revision = revisionAfter(sheet.revision);
    this.#events.onChange(sheet);
  }

  #save(uri: string): void {
    const sheet = this.#byUri.get(uri);
    if (sheet) this.#events.onSave(sheet);
  }

  #close(uri: string): void {
    const sheet = this.#byUri.get(uri);
    if (!sheet) return;
    this.#byUri.delete(uri);
    if (this.#byPath.get(sheet.path) === sheet) this.#byPath.delete(sheet.path);
    this.#events.onClose(sheet);
  }
}

/** Undefined for what is neither a file nor a new text, and for languages that are not ours. */
function pathOf(
  uri: string,
  extension: string | undefined,
  folder: () => string,
): string | undefined {
  if (!uri.startsWith('file:')) {
    if (!uri.startsWith('untitled:') || extension === undefined) return undefined;
    const name = basename(unescaped(uri.slice('untitled:'.length)));
    return join(folder(), `untitled-${extname(name) === extension ? name : name + extension}`);
  }
  const path = pathOfUri(uri);
  if (path === undefined || isCode(path)) return path;
  return extension === undefined ? undefined : path + extension;
}

/** As it is written where a `%` begins no character. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Editors keep the mark to themselves; where one does not, it is a character of the document alone. */
function markOf(document: TextDocument): number {
  return document.getText({ start: zero, end: { line: 0, character: 1 } }) === '\uFEFF' ? -1 : 0;
}

const zero = { line: 0, character: 0 };

function below(documents: readonly TextDocument[]): readonly Part[] {
  let start = 0;
  return documents.map((document) => {
    const part = { document, start };
    start += document.getText().length + 1;
    return part;
  });
}

/** The place of a range of the sheet's text. */
export function placeOf(
  sheet: Sheet,
  [start, end]: readonly [number, number],
): DocumentPlace | undefined {
  const part = sheet.parts.findLast((it) => it.start <= start);
  if (!part) return undefined;
  const { document } = part;
  const range = {
    start: document.positionAt(start - part.start),
    end: document.positionAt(end - part.start),
  };
  return { uri: document.uri, range };
}

/** The end of the line in which a place starts, without its line break. */
export function endOfLine(sheet: Sheet, { uri, range }: DocumentPlace): Position {
  const { line } = range.start;
  const { document } = sheet.parts.find((it) => it.document.uri === uri)!;
  const text = document.getText({
    start: { line, character: 0 },
    end: { line: line + 1, character: 0 },
  });
  return { line, character: text.split(/[\r\n]/, 1)[0]!.length };
}
