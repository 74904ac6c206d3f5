import type { Basis, FileReads } from '../../project/basis.ts';
import { targetsOf } from '../../project/entry.ts';
import { exportedNames } from '../../project/exported-names.ts';
import { type FileState, NO_STATE, stateAt } from '../../project/file-state.ts';
import { disk } from '../../project/files.ts';
import type { Observer } from '../../project/observer.ts';
import { type NameKey, namesIn, NO_NAMES } from '../../project/text-names.ts';
import type { FoundFiles } from '../files.ts';
import { isLasting } from '../left-out.ts';
import type { ScannedFile } from '../scan-result.ts';
import type { KeptNames } from './kept-names.ts';
import type { KeptFile } from './kept.ts';
import { type Names, staleness } from './staleness.ts';

/** The findings of a file, and the other files that the analysis searched for them. */
export interface FreshFile {
  readonly file: ScannedFile;
  readonly reads: FileReads;
}

interface KnownFilesOptions {
  /** Of the earlier runs; this changes them. */
  readonly files: Map<string, KeptFile>;
  readonly names: KeptNames;
  /** Whether no file other than code has changed. */
  readonly isAroundUnchanged: boolean;
  readonly observer: Observer;
  readonly now: number;
}

/** The files of earlier runs: their texts, results, and the dependencies of these. */
export class KnownFiles {
  readonly #options: KnownFilesOptions;
  readonly #files: Map<string, KeptFile>;
  /** Whose texts are what they were. */
  readonly #confirmed = new Set<string>();
  /** The changed files, and those with a changed dependency: only their texts are valid. */
  readonly #renewed = new Set<string>();
  /** Whether the texts of all files have been compared. */
  #isAllChecked = false;
  #isRefreshed = false;

  constructor(options: KnownFilesOptions) {
    this.#options = options;
    this.#files = options.files;
  }

  get paths(): ReadonlySet<string> {
    return new Set(this.#files.keys());
  }

  get renewed(): ReadonlySet<string> {
    return this.#renewed;
  }

  /** Whether a file differs from what is cached, if only in its time. */
  get isRefreshed(): boolean {
    return this.#isRefreshed;
  }

  /** The names in the text of a file that is still the same. */
  namesIn(path: string): ReadonlySet<NameKey> | undefined {
    const { names, isAroundUnchanged, observer, now } = this.#options;
    const state = this.#files.get(path)?.state;
    if (!state?.hash) return undefined;
    // A link that has come may lead out of the project, where nothing is read.
    if (!isAroundUnchanged && observer.around.real(path) !== path) return undefined;
    const its = names.of(path, state.hash);
    if (!its || this.#confirmed.has(path)) return its;
    if (stateAt(path, state, now).hash !== state.hash) return undefined;
    this.#confirmed.add(path);
    return its;
  }

  /** The answers of an earlier run, as far as they are still valid. */
  basisOf(path: string): Basis | undefined {
    const basis = this.#options.isAroundUnchanged ? this.#files.get(path)?.basis : undefined;
    return basis && !this.#isAllChecked ? { ...basis, naming: new Map() } : basis;
  }

  /** The files, and all that their results rest on. */
  reachableFrom(paths: readonly string[]): ReadonlySet<string> {
    const reached = new Set(paths.filter((it) => this.#files.has(it)));
    for (const it of reached) {
      const file = this.#files.get(it)!;
      if (file.asksAllFiles) return new Set(this.#files.keys());
      for (const target of file.targets) reached.add(target);
    }
    return reached;
  }

  /** Invalidates the results with changed dependencies, and returns the valid results of the given files. */
  recalled(
    found: FoundFiles,
    reachable: ReadonlySet<string>,
    hasMoved: (path: string, file: KeptFile) => boolean,
  ): ReadonlyMap<string, ScannedFile> {
    this.#isAllChecked = reachable.size === this.#files.size;
    const changed = this.#changedAmong(reachable, hasMoved);
    this.#forget(new Set(changed.keys()), (it) => this.#namesNowIn(it));
    for (const [it, state] of changed) this.#renew(it, state);
    const results = new Map<string, ScannedFile>();
    for (const it of found.files) {
      const result = this.#files.get(it)?.result;
      if (result?.isNamed === found.named.has(it)) results.set(it, result);
    }
    return results;
  }

  #changedAmong(
    paths: ReadonlySet<string>,
    hasMoved: (path: string, file: KeptFile) => boolean,
  ): ReadonlyMap<string, FileState> {
    const changed = new Map<string, FileState>();
    for (const it of paths) {
      const file = this.#files.get(it)!;
      const before = file.state;
      const state = stateAt(it, before, this.#options.now);
      if (state.hash === '' || state.hash !== before.hash || hasMoved(it, file)) {
        changed.set(it, state);
        continue;
      }
      this.#confirmed.add(it);
      if (state !== before && state.signature) {
        this.#isRefreshed = true;
        const { basis, result, reads } = file;
        this.#files.set(it, withBasis(basis, { state, result, reads }));
      }
    }
    return changed;
  }

  #renew(path: string, state: FileState): void {
    if (state.hash === '') {
      // The signature of its folder would not show that the file is readable again.
      if (this.#options.isAroundUnchanged) this.#files.set(path, unread);
      else this.#files.delete(path);
      return;
    }
    this.#isRefreshed = true;
    this.#confirmed.add(path);
    this.#renewed.add(path);
    this.#files.set(path, withBasis(undefined, { state, result: undefined, reads: [] }));
  }

  /**
   * Invalidates the results that depend on one of `changed`, also of files outside of this run: they would seem to depend on
   * what this run has read; and the files that contain a name, where these may have changed. `namesOf` returns what a file may
   * export, and the names for which its content has changed; undefined where that is unresolved.
   */
  #forget(changed: ReadonlySet<string>, namesOf: (path: string) => Names | undefined): void {
    if (changed.size === 0) return;
    const files = this.#files;
    const { isStale, isOther } = staleness(changed, namesOf, (it) => files.get(it)?.targets ?? []);
    for (const [it, file] of [...files]) {
      const isForgotten = file.result !== undefined && isStale(it, file.reads);
      const basis = file.asksAllFiles ? withoutNames(file.basis, isOther) : undefined;
      if (!isForgotten && basis === undefined) continue;
      const { state, result, reads } = isForgotten
        ? { state: file.state, result: undefined, reads: [] }
        : file;
      files.set(it, withBasis(basis ?? file.basis, { state, result, reads }));
    }
  }

  #namesNowIn(path: string): Names {
    const { names } = this.#options;
    const { hash } = this.#files.get(path)!.state;
    const before = hash === '' || names.lacks(path) ? NO_NAMES : names.of(path, hash);
    const text = disk.read(path);
    const after = text === undefined ? NO_NAMES : namesIn(text, path);
    const exported = text === undefined ? undefined : exportedNames(text);
    return { text, exported, said: before && this.#changedNames(before, after) };
  }

  /** Those that are not what they were: one file less may be few enough. */
  #changedNames(before: ReadonlySet<NameKey>, after: ReadonlySet<NameKey>): ReadonlySet<NameKey> {
    const all = new Set([...before, ...after]);
    // Whether the present content of the file counts may also have changed.
    if (!this.#options.isAroundUnchanged) return all;
    return new Set([...all].filter((it) => before.has(it) !== after.has(it)));
  }

  /** Adds what a scan has read and found. False where a file was written meanwhile: which text the results depend on is unresolved. */
  add(
    found: FoundFiles,
    scanned: ReadonlyMap<string, FreshFile>,
    basisOf: (path: string) => Basis | undefined,
  ): boolean {
    const files = this.#files;
    const { texts } = this.#options.observer;
    const others = [...texts.keys()].filter(
      (it) => files.has(it) && files.get(it)!.state.hash !== texts.get(it)!.hash,
    );
    if (others.some((it) => this.#confirmed.has(it))) return false;
    // What they export may have changed once more.
    this.#forget(new Set(others), () => undefined);
    for (const it of others) files.delete(it);
    for (const [it, state] of texts) {
      const old = files.get(it);
      const fresh = scanned.get(it);
      // A temporary failure is reported each time until then.
      const lasting = fresh?.file.notices.every(isLasting) ? fresh : undefined;
      files.set(
        it,
        withBasis(bothOf(old?.basis, basisOf(it)), {
          state: old?.state ?? state,
          result: lasting ? { ...lasting.file, isNamed: found.named.has(it) } : old?.result,
          reads: (lasting ?? old)?.reads ?? [],
        }),
      );
    }
    for (const it of this.#renewed) {
      // It was asked for, and may not be read.
      if (!texts.has(it) && basisOf(it)) files.set(it, unread);
    }
    return true;
  }

  /** All of them, with the files that they depend on and that were not read. */
  whole(): Map<string, KeptFile> {
    const files = this.#files;
    for (const { targets, reads } of files.values()) {
      for (const it of targets) if (!files.has(it)) files.set(it, unread);
      for (const it of reads) if ('path' in it && !files.has(it.path)) files.set(it.path, unread);
    }
    return files;
  }
}

/** For an import that leads to an unreadable file: it counts as changed at every check. */
const unread: KeptFile = {
  state: NO_STATE,
  basis: undefined,
  targets: [],
  asksAllFiles: false,
  result: undefined,
  reads: [],
};

function withBasis(
  basis: Basis | undefined,
  rest: Pick<KeptFile, 'state' | 'result' | 'reads'>,
): KeptFile {
  const targets = basis ? targetsOf(basis) : [];
  return { ...rest, basis, targets, asksAllFiles: (basis?.naming.size ?? 0) > 0 };
}

/** Without the names that may now be in different files; undefined where there are none. */
function withoutNames(
  basis: Basis | undefined,
  isOther: (naming: Iterable<NameKey>) => boolean,
): Basis | undefined {
  if (!basis || !isOther(basis.naming.keys())) return undefined;
  return { ...basis, naming: new Map([...basis.naming].filter(([it]) => !isOther([it]))) };
}

/** What one run has not asked another may have. */
function bothOf(a: Basis | undefined, b: Basis | undefined): Basis | undefined {
  if (!a || !b) return a ?? b;
  return {
    asked: new Map([...a.asked, ...b.asked]),
    naming: new Map([...a.naming, ...b.naming]),
    versions: new Map([...a.versions, ...b.versions]),
    root: b.root ?? a.root,
    deployment: b.deployment ?? a.deployment,
    runsInBrowsers: b.runsInBrowsers ?? a.runsInBrowsers,
    isReadable: b.isReadable ?? a.isReadable,
  };
}
