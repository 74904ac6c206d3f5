import type { FileFacts } from '../analysis/file/file.ts';
import type { Modules, Source } from '../analysis/file/source.ts';
import type { Basis, FileReads } from './basis.ts';
import type { Resolver } from './resolver.ts';
import type { FileSummary } from './summary.ts';
import type { NameKey } from './text-names.ts';

/** The files of one or more repositories, parsed and understood when another file asks for them. */
export interface ProjectModules extends Modules, Pick<Resolver['tree'], 'leftOut'> {
  /** The path that `specifier` names in the file `from`; undefined as for `resolve`. */
  pathOf(specifier: string, from: string): string | undefined;
  /** The facts of a file, from its overlay or from disk; undefined for what cannot be read or parsed. */
  factsAt(path: string): FileFacts | undefined;
  /** The tree that is held for a file, if it was made of this very text: spares the host a second parse. */
  heldFor(path: string, text: string): Source | undefined;
  /** The tree of an unsaved text that another has replaced: it may be made that one's. */
  previousOf(path: string): Source | undefined;
  /** Uses a tree that the host has already parsed as the content of the file at its path. */
  adopt(source: Source): void;
  /**
   * An editor's unsaved text for a path; undefined makes the disk valid again. Returns the paths of the files whose facts
   * depended on the earlier text, as `changed` does; after an edit of such a text, those of its other parts are kept.
   */
  overlay(path: string, text: string | undefined): readonly string[];
  /** Files were written, made or removed: forgets them and those whose facts rest on them. Returns the paths of the latter. */
  changed(paths: readonly string[]): readonly string[];
  /**
   * Checks on disk which files have changed since they were read, for hosts without notifications; returns as `changed` does.
   */
  refresh(): readonly string[];
  /** Forgets what was concluded about files and about those whose facts rest on them, as after a change; their trees stay. */
  outdate(paths: readonly string[]): readonly string[];
  /** The questions to other files since `adopt` got the file at `path`, its last one; nothing without a record. */
  readsOf(path: string): FileReads;
  /** The names in the texts of all files that were asked for some (text-index.ts), and of `others`. */
  names(others?: readonly string[]): ReadonlyMap<string, ReadonlySet<NameKey>>;
  /** The dependencies of a file's facts so far besides texts; undefined for a file that was not analysed. */
  basisOf(path: string): Basis | undefined;
  /** Whether the same would be answered now. */
  isStanding(path: string, basis: Basis): boolean;
  /** Every file whose text the facts of `path` have been drawn from so far, without `path`. */
  dependenciesOf(path: string): readonly string[];
  /** A key of the text for caches; undefined where there is no such file. */
  hashOf(path: string): string | undefined;
  /** The summary of this file for other files, as plain data. */
  summaryOf(path: string): FileSummary | undefined;
  /** To be called between two files of a scan: drops parsed trees once they exceed the limit. */
  trim(): void;
}
