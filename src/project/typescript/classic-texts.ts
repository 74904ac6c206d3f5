import { statSync } from 'node:fs';
import type ts from 'typescript';
import type { Change } from './checker.ts';

interface Snapshot {
  readonly version: string;
  /** Undefined for an unreadable file. */
  readonly text: ts.IScriptSnapshot | undefined;
}

/** The texts of files as an editor has them, else as on disk, with a version of each. */
export class Texts {
  readonly #api: typeof ts;
  readonly #versions = new Map<string, string>();
  /** A program asks for each of its files after each edit. */
  readonly #snapshots = new Map<string, Snapshot>();
  #unsaved: Change['texts'] = new Map();
  #edits = 0;

  constructor(api: typeof ts) {
    this.#api = api;
  }

  update({ texts, edited, changed }: Omit<Change, 'asked'>): void {
    this.#unsaved = texts;
    if (changed === 'all') this.#versions.clear();
    else for (const it of changed) this.#versions.delete(it);
    for (const it of edited) this.#versions.delete(it);
    for (const it of edited) if (texts.has(it)) this.#versions.set(it, `edit ${++this.#edits}`);
  }

  exists(path: string): boolean {
    return this.#unsaved.has(path) || this.#api.sys.fileExists(path);
  }

  at(path: string): string | undefined {
    return this.#unsaved.get(path) ?? this.#api.sys.readFile(path);
  }

  snapshotAt(path: string): ts.IScriptSnapshot | undefined {
    const version = this.versionOf(path);
    let known = this.#snapshots.get(path);
    if (known?.version !== version) {
      const text = this.at(path);
      const snapshot = text === undefined ? text : this.#api.ScriptSnapshot.fromString(text);
      known = { version, text: snapshot };
      this.#snapshots.set(path, known);
    }
    return known.text;
  }

  versionOf(path: string): string {
    let version = this.#versions.get(path);
    if (version === undefined) {
      version = String(statSync(path, { throwIfNoEntry: false })?.mtimeMs);
      this.#versions.set(path, version);
    }
    return version;
  }
}
