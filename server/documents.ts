import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Connection,
  NotebookCellKind,
  NotebookDocuments,
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
  const documents = new TextDocuments(TextDocument);
  const notebooks = new NotebookDocuments(documents);
  const byUri = new Map<string, OpenSheet>();
  const byPath = new Map<string, OpenSheet>();

  documents.onDidOpen(({ document }) => {
    // Cells open with their notebook, of which they are parts.
    if (document.uri.startsWith('vscode-notebook-cell:')) return;
    const path = pathOf(document.uri, extensions[document.languageId], folder);
    if (path === undefined) return;
    const { uri } = document;
    open({ uri, path, parts: () => [{ document, start: markOf(document) }] });
  });
  documents.onDidChangeContent(({ document }) => {
    const sheet = byUri.get(document.uri);
    // The first content comes with its opening.
    if (sheet && sheet.revision !== document.version) changed(sheet, document.version);
  });
  documents.onDidSave(({ document }) => {
    const sheet = byUri.get(document.uri);
    if (sheet) events.onSave(sheet);
  });
  documents.onDidClose(({ document }) => close(document.uri));

  notebooks.onDidOpen((notebook) => {
    const cells = () =>
      notebook.cells.flatMap((cell) => {
        const document = notebooks.getCellTextDocument(cell);
        return document && cell.kind === NotebookCellKind.Code && extensions[document.languageId]
          ? [document]
          : [];
      });
    const isTyped = cells().some((it) => it.languageId === 'typescript');
    const path = pathOf(notebook.uri, isTyped ? '.ts' : '.js', folder);
    if (path !== undefined) open({ uri: notebook.uri, path, parts: () => below(cells()) });
  });
  notebooks.onDidChange(({ notebookDocument: { uri } }) => {
    const sheet = byUri.get(uri);
    if (sheet) changed(sheet, sheet.revision + 1);
  });
  notebooks.onDidSave(({ uri }) => {
    const sheet = byUri.get(uri);
    if (sheet) events.onSave(sheet);
  });
  notebooks.onDidClose(({ uri }) => close(uri));

  return {
    get: (uri) =>
      byUri.get(uri) ?? byUri.get(notebooks.findNotebookDocumentForCell(uri)?.uri ?? ''),
    at: (path) => byPath.get(path),
    all: () => [...byUri.values()],
    uriOf: (path) => byPath.get(path)?.uri ?? pathToFileURL(path).href,
    listen(connection) {
      documents.listen(connection);
      notebooks.listen(connection);
    },
  };

  function open(it: { uri: string; path: string; parts: () => readonly Part[] }): void {
    const { uri, parts } = it;
    const given = uri.startsWith('file:') ? fileURLToPath(uri) : it.path;
    const isSpelledAnew = given.toLowerCase() === it.path.toLowerCase();
    // Open under two spellings, with two texts: the second keeps its own.
    const path = byPath.has(it.path) && isSpelledAnew ? given : it.path;
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
    byUri.set(uri, sheet);
    byPath.set(path, sheet);
    events.onOpen(sheet);
  }

  function changed(sheet: OpenSheet, revision: number): void {
    sheet.revision = revision;
    events.onChange(sheet);
  }

  function close(uri: string): void {
    const sheet = byUri.get(uri);
    if (!sheet) return;
    byUri.delete(uri);
    if (byPath.get(sheet.path) === sheet) byPath.delete(sheet.path);
    events.onClose(sheet);
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
