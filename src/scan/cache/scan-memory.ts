import { dirname } from 'node:path';
import type { Basis } from '../../project/basis.ts';
import { hashOf } from '../../project/file-state.ts';
import type { Files } from '../../project/files.ts';
import { merged, observer, type Observer, unchanged } from '../../project/observer.ts';
import type { ProjectModules } from '../../project/project-modules.ts';
import type { NameKey } from '../../project/text-names.ts';
import { markUsed } from '../../system/own-files.ts';
import type { Configurations } from '../configuration.ts';
import type { FilesOptions, FoundFiles, SearchedDisk } from '../files.ts';
import type { ScannedFile } from '../scan-result.ts';
import { keep, keptAt, type KeptFile, keptPath, namesPath } from './kept.ts';
import { keptNamesAt } from './kept-names.ts';
import { type FreshFile, KnownFiles } from './known-files.ts';
import { Searches } from './searches.ts';

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
  /** The answers of an earlier run for a file, as far as they are still valid. */
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

/** Both read through the memory's observer. */
export interface ScannedProject {
  readonly modules: ProjectModules;
  readonly configurations: Configurations;
}

export interface MemoryOptions {
  /** Absolute. */
  readonly folder: string;
  /** The version of Deadtime: equal only for equal analysis code. */
  readonly version: string;
  /** The further inputs of the result: the root, the profile, the rules. */
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
  const names = keptNamesAt(namesPath(path), version);
  const around = known && unchanged(known.surroundings, now, run);
  const files = new KnownFiles({
    files: known?.files ?? new Map<string, KeptFile>(),
    ...{ names, observer: seen, now, isAroundUnchanged: around !== undefined },
  });
  const searches = new Searches(around && known.searches);
  // Where a file other than code has changed, they are computed again.
  const configurations = digestsOf(() => (around ? known.configurations : NO_DIGESTS));

  return {
    observer: seen,
    search: (paths, asked) => searches.search(paths, asked, searchedDisk(seen)),
    knownNames: (file) => files.namesIn(file),
    answered: (file) => files.basisOf(file),
    recall(found) {
      if (!known) return new Map();
      return around && files.recalled(found, files.reachableFrom(found.files), () => false);
    },
    recallFor(found, project) {
      const hasMoved = (it: string, { basis }: KeptFile) =>
        known?.configurations.get(dirname(it)) !== configurations.around(it, project) ||
        (basis !== undefined && !project.modules.isStanding(it, basis));
      return files.recalled(found, files.paths, hasMoved);
    },
    keep(found, scanned, project) {
      const { modules } = project;
      // Read now: otherwise the next run could not compare the names.
      const read = modules.names([...files.renewed].filter((it) => names.has(it)));
      if (!files.add(found, scanned, (it) => modules.basisOf(it))) return;
      for (const it of seen.texts.keys()) configurations.around(it, project);
      write(read);
    },
    keepAsIs() {
      const isNew = searches.size !== known?.searches.size;
      if (around?.isRefreshed || files.isRefreshed || isNew) write();
      else for (const it of [path, namesPath(path)]) markUsed(it);
    },
  };

  function write(read?: ReadonlyMap<string, ReadonlySet<NameKey>>): void {
    const surroundings = around ? merged(around.surroundings, seen.seen()) : seen.seen();
    if (!surroundings || !seen.isSteady()) return;
    const whole = files.whole();
    keep(path, version, {
      ...{ files: whole, surroundings, configurations: configurations.all() },
      searches: searches.lastOf((it) => whole.has(it)),
    });
    const hashes = Array.from(whole, ([it, { state }]) => [it, state.hash] as const);
    const isNew = hashes.some(([it, hash]) => read?.has(it) && !names.has(it, hash));
    if (read && isNew) names.keep(hashes, read);
    else markUsed(namesPath(path));
  }
}

const NO_DIGESTS: ReadonlyMap<string, string> = new Map();

/** Digests of the configurations that hold for the files of a folder. */
interface Digests {
  around(file: string, project: ScannedProject): string;
  /** By folder. */
  all(): ReadonlyMap<string, string>;
}

/** `known` is read when they are first needed. */
function digestsOf(known: () => ReadonlyMap<string, string>): Digests {
  let digests: Map<string, string> | undefined;
  const all = () => (digests ??= new Map(known()));
  return {
    around(file, { modules, configurations }) {
      const directory = dirname(file);
      let digest = all().get(directory);
      if (digest === undefined) {
        const said = [configurations.for(file), modules.declarations?.(file)];
        const plain = JSON.stringify(said, (_, it: unknown) => (it instanceof Map ? [...it] : it));
        all().set(directory, (digest = hashOf(plain)));
      }
      return digest;
    },
    all,
  };
}

function searchedDisk({ listing, around }: Observer): SearchedDisk {
  return {
    list: listing,
    read: around.read,
    exists: (path) => around.stamp(path) !== undefined,
    real: around.real,
  };
}
