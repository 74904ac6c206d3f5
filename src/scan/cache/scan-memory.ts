import { dirname } from 'node:path';
import { exportedNames } from '../../project/exported-names.ts';
import { disk, type Files } from '../../project/files.ts';
import { type Basis, type FileReads } from '../../project/basis.ts';
import { targetsOf } from '../../project/entry.ts';
import type { ProjectModules } from '../../project/project-modules.ts';
import { type FileState, hashOf, NO_STATE, stateAt } from '../../project/file-state.ts';
import { merged, observer, type Observer, unchanged } from '../../project/observer.ts';
import { type NameKey, namesIn, NO_NAMES } from '../../project/text-names.ts';
import { markUsed } from '../../system/own-files.ts';
import type { Configurations } from '../configuration.ts';
import { filesOf, type FilesOptions, type FoundFiles, type SearchedDisk } from '../files.ts';
import { isLasting } from '../left-out.ts';
import type { ScannedFile } from '../scan-result.ts';
import { keep, keptAt, type KeptFile, keptPath, namesPath } from './kept.ts';
import { keptNamesAt } from './kept-names.ts';
import { type Names, staleness } from './staleness.ts';

/**
 * The cached results of the files of a project, each with its dependencies: the texts of the file and of the files read for it,
 * the targets of their imports, and all other files read. A change in one of them invalidates the result.
 */
export interface ScanMemory {
  /** All reads of a scan must go through this, so that its results can be cached. */
  readonly observer: Observer;
  /** As `filesOf`, without a search where no folder and no ignore file has changed since the same was asked for. */
  search(paths: readonly string[], options: Omit<FilesOptions, 'disk'>): FoundFiles;
  /** The names in a text that an earlier run has read and that is still the same. */
  knownNames(path: string): ReadonlySet<NameKey> | undefined;
  /** What an earlier run was answered for a file, as far as it would be answered the same now. */
  answered(path: string): Basis | undefined;
  /** The results that are still valid, found without a parser and rules; undefined where a file other than code has changed. */
  recall(found: FoundFiles): ReadonlyMap<string, ScannedFile> | undefined;
  /** The same, after resolving imports again. */
  recallFor(found: FoundFiles, project: ScannedProject): ReadonlyMap<string, ScannedFile>;
  /** Writes the valid results and the new ones. Throws where they cannot be written. */
  keep(found: FoundFiles, scanned: ReadonlyMap<string, FreshFile>, project: ScannedProject): void;
  /** Nothing was scanned: keeps the times of files that were read to see that they are the same. */
  keepAsIs(): void;
}

/** The findings of a file, and the other files that the analysis searched for them. */
export interface FreshFile {
  readonly file: ScannedFile;
  readonly reads: FileReads;
}

/** Both read through the memory's observer. */
export interface ScannedProject {
  readonly modules: ProjectModules;
  readonly configurations: Configurations;
}

export interface MemoryOptions {
  /** Absolute. */
  readonly folder: string;
  /** Of Deadtime: the same only for the same analysis. */
  readonly version: string;
  /** What else decides what is found: the root, the profile, the rules. */
  readonly kind: readonly string[];
  /** As in `Files`. */
  readonly run?: Files['run'];
  /** When the files are read, in milliseconds since 1970. */
  readonly now?: number;
}

export function scanMemory(options: MemoryOptions): ScanMemory {
  const { folder, run, now = Date.now() } = options;
  const kind = JSON.stringify(options.kind);
  const path = keptPath(folder, kind);
  // Two kinds may have one path.
  const version = `${options.version} ${kind}`;
  const seen = observer(now, run);
  const known = keptAt(path, version);
  const knownNames = keptNamesAt(namesPath(path), version);
  const around = known && unchanged(known.surroundings, now, run);
  const files = known?.files ?? new Map<string, KeptFile>();
  /** Where a file other than code has changed, they are computed again. */
  let configurations: Map<string, string> | undefined;
  const digests = () => (configurations ??= new Map(around && known.configurations));
  /** The newest last. */
  const searches = new Map<string, readonly string[]>(around && known.searches);
  /** Whose texts are what they were. */
  const confirmed = new Set<string>();
  /** The changed files, and those with a changed dependency: only their texts are valid. */
  const renewed = new Set<string>();
  let isRefreshed = around?.isRefreshed ?? false;
  /** Whether the texts of all files have been compared. */
  let isAllChecked = false;

  return {
    observer: seen,
    search(paths, options) {
      const asked = JSON.stringify([paths, options]);
      const kept = searches.get(asked);
      if (kept) {
        searches.delete(asked);
        searches.set(asked, kept);
      }
      if (kept) return { files: kept, named: new Set(), missing: [], notices: [] };
      const found = filesOf(paths, { ...options, disk: searchedDisk(seen) });
      const { files, named, missing, notices } = found;
      if (named.size + missing.length + notices.length === 0) searches.set(asked, files);
      return found;
    },
    knownNames(path) {
      const state = files.get(path)?.state;
      if (!state?.hash) return undefined;
      // A link that has come may lead out of the project, where nothing is read.
      if (!around && seen.around.real(path) !== path) return undefined;
      const names = knownNames.of(path, state.hash);
      if (!names || confirmed.has(path)) return names;
      if (stateAt(path, state, now).hash !== state.hash) return undefined;
      confirmed.add(path);
      return names;
    },
    answered(path) {
      const basis = around && files.get(path)?.basis;
      return basis && !isAllChecked ? { ...basis, naming: new Map() } : basis;
    },
    recall(found) {
      if (!known) return new Map();
      return around && recalled(found, reachableFrom(found.files), () => false);
    },
    recallFor(found, project) {
      const hasMoved = (it: string, { basis }: KeptFile) =>
        known?.configurations.get(dirname(it)) !== configurationAround(it, project) ||
        (basis !== undefined && !project.modules.isStanding(it, basis));
      return recalled(found, new Set(files.keys()), hasMoved);
    },
    keep(found, scanned, project) {
      // Read now: otherwise the next run could not compare the names.
      const names = project.modules.names([...renewed].filter((it) => knownNames.has(it)));
      const others = [...seen.texts.keys()].filter(
        (it) => files.has(it) && files.get(it)!.state.hash !== seen.texts.get(it)!.hash,
      );
      // Written while this ran: it is unresolved which of the two texts the results depend on.
      if (others.some((it) => confirmed.has(it))) return;
      // What they export may have changed once more.
      forget(new Set(others), () => undefined);
      for (const it of others) files.delete(it);
      for (const [it, state] of seen.texts) {
        const old = files.get(it);
        const fresh = scanned.get(it);
        const basis = bothOf(old?.basis, project.modules.basisOf(it));
        // A temporary failure is reported each time until then.
        const lasting = fresh?.file.notices.every(isLasting) ? fresh : undefined;
        files.set(
          it,
          withBasis(basis, {
            state: old?.state ?? state,
            result: lasting ? { ...lasting.file, isNamed: found.named.has(it) } : old?.result,
            reads: (lasting ?? old)?.reads ?? [],
          }),
        );
        configurationAround(it, project);
      }
      for (const it of renewed) {
        // It was asked for, and may not be read.
        if (!seen.texts.has(it) && project.modules.basisOf(it)) files.set(it, unread);
      }
      write(names);
    },
    keepAsIs() {
      const isNew = searches.size !== known?.searches.size;
      if (isRefreshed || isNew) write();
      else for (const it of [path, namesPath(path)]) markUsed(it);
    },
  };

  function write(names?: ReadonlyMap<string, ReadonlySet<NameKey>>): void {
    const surroundings = around ? merged(around.surroundings, seen.seen()) : seen.seen();
    if (!surroundings || !seen.isSteady()) return;
    for (const { targets, reads } of files.values()) {
      for (const it of targets) if (!files.has(it)) files.set(it, unread);
      for (const it of reads) if ('path' in it && !files.has(it.path)) files.set(it.path, unread);
    }
    const whole = [...searches].filter(([, found]) => found.every((it) => files.has(it)));
    const last = new Map(whole.slice(-MOST_SEARCHES));
    keep(path, version, { files, surroundings, configurations: digests(), searches: last });
    const hashes = Array.from(files, ([it, { state }]) => [it, state.hash] as const);
    const isNew = hashes.some(([it, hash]) => names?.has(it) && !knownNames.has(it, hash));
    if (names && isNew) knownNames.keep(hashes, names);
    else markUsed(namesPath(path));
  }

  function namesKeptOf(file: string): ReadonlySet<NameKey> | undefined {
    return knownNames.of(file, files.get(file)?.state.hash ?? '');
  }

  /** Invalidates the results with changed dependencies, and returns the valid results of the given files. */
  function recalled(
    found: FoundFiles,
    reachable: ReadonlySet<string>,
    hasMoved: (path: string, file: KeptFile) => boolean,
  ): ReadonlyMap<string, ScannedFile> {
    isAllChecked = reachable.size === files.size;
    const changed = new Map<string, FileState>();
    for (const it of reachable) {
      const file = files.get(it)!;
      const before = file.state;
      const state = stateAt(it, before, now);
      if (state.hash === '' || state.hash !== before.hash || hasMoved(it, file)) {
        changed.set(it, state);
        continue;
      }
      confirmed.add(it);
      if (state !== before && state.signature) {
        isRefreshed = true;
        const { basis, result, reads } = file;
        files.set(it, withBasis(basis, { state, result, reads }));
      }
    }
    forget(new Set(changed.keys()), namesOf);
    for (const [it, state] of changed) {
      if (state.hash === '') {
        // The signature of its folder would not show that the file is readable again.
        if (around) files.set(it, unread);
        else files.delete(it);
        continue;
      }
      isRefreshed = true;
      confirmed.add(it);
      renewed.add(it);
      files.set(it, withBasis(undefined, { state, result: undefined, reads: [] }));
    }
    const results = new Map<string, ScannedFile>();
    for (const it of found.files) {
      const result = files.get(it)?.result;
      if (result?.isNamed === found.named.has(it)) results.set(it, result);
    }
    return results;
  }

  /**
   * Invalidates the results that depend on one of `changed`, also of files outside of this run: they would seem to depend on
   * what this run has read; and the files that contain a name, where these may have changed. `namesOf` returns what a file may
   * export, and the names for which its content has changed; undefined where that is unresolved.
   */
  function forget(
    changed: ReadonlySet<string>,
    namesOf: (path: string) => Names | undefined,
  ): void {
    if (changed.size === 0) return;
    const targetsOf = (it: string) => files.get(it)?.targets ?? [];
    const { isStale, isOther } = staleness(changed, namesOf, targetsOf);
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

  function namesOf(path: string): Names | undefined {
    const isSilent = files.get(path)?.state.hash === '' || knownNames.lacks(path);
    const before = isSilent ? NO_NAMES : namesKeptOf(path);
    const text = disk.read(path);
    const after = text === undefined ? NO_NAMES : namesIn(text, path);
    const exported = text === undefined ? undefined : exportedNames(text);
    return { text, exported, said: before && changedNames(before, after) };
  }

  /** Those that are not what they were: one file less may be few enough. */
  function changedNames(before: ReadonlySet<NameKey>, after: ReadonlySet<NameKey>) {
    const all = new Set([...before, ...after]);
    // Whether the present content of the file counts may also have changed.
    if (!around) return all;
    return new Set([...all].filter((it) => before.has(it) !== after.has(it)));
  }

  function reachableFrom(paths: readonly string[]): ReadonlySet<string> {
    const reached = new Set(paths.filter((it) => files.has(it)));
    for (const it of reached) {
      const file = files.get(it)!;
      if (file.asksAllFiles) return new Set(files.keys());
      for (const target of file.targets) reached.add(target);
    }
    return reached;
  }

  function configurationAround(file: string, { modules, configurations: all }: ScannedProject) {
    const directory = dirname(file);
    let digest = digests().get(directory);
    if (digest === undefined) {
      const said = [all.for(file), modules.declarations?.(file)];
      const plain = JSON.stringify(said, (_, it: unknown) => (it instanceof Map ? [...it] : it));
      digests().set(directory, (digest = hashOf(plain)));
    }
    return digest;
  }
}

const MOST_SEARCHES = 8;

function searchedDisk({ listing, around }: Observer): SearchedDisk {
  return {
    list: listing,
    read: around.read,
    exists: (path) => around.stamp(path) !== undefined,
    real: around.real,
  };
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
