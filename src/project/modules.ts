import { switchesOnCls } from '../analysis/effects/ambient.ts';
import { factsOf } from '../analysis/facts.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import type { Declarations } from '../analysis/file/declared.ts';
import type { Deployment, NameKind, Source } from '../analysis/file/source.ts';
import {
  addFileDependency,
  addExternal,
  closeDependencies,
  type ActiveQuery,
  type ExternalDependency,
} from '../engine/dependencies.ts';
import { runtimeOf } from '../engine/runtime.ts';
import { Answers } from './answers.ts';
import { refusalBy, refusedBy } from './barrels.ts';
import type { Basis, FileReads } from './basis.ts';
import { type ByFolder, isConfiguration } from './configuration-file.ts';
import { declarationsBy } from './declarations.ts';
import { Entries } from './entries.ts';
import { type Entry, reachedFrom } from './entry.ts';
import { externalDependencies, fileReadsOf } from './external-dependencies.ts';
import { hashOf } from './file-state.ts';
import { disk, type Files } from './files.ts';
import { lacks } from './lacking.ts';
import type { ModulesOptions } from './modules-options.ts';
import { overlaid } from './overlay.ts';
import type { ProjectModules } from './project-modules.ts';
import { type FileSummary, summaryFrom } from './summary.ts';
import { MAXIMUM_FILE, type NameKey } from './text-names.ts';
import type { LeftOut } from './tree.ts';

export function createModules(options: ModulesOptions): ProjectModules {
  return new ModulesOnDemand(options);
}

class ModulesOnDemand implements ProjectModules {
  readonly #options: ModulesOptions;
  readonly #overlays = new Map<string, string>();
  readonly #files: Files;
  readonly #answers: Answers;
  readonly #entries: Entries;
  readonly #declarations: ByFolder<Declarations | undefined>;
  readonly #external = externalDependencies();
  /** Files whose last edit has not reached their trees yet. */
  readonly #edited = new Set<string>();
  /** The analysis whose dependencies are recorded. */
  #adopted: (ActiveQuery & { readonly path: string }) | undefined;

  constructor(options: ModulesOptions) {
    const overlays = this.#overlays;
    const files = overlaid(options.files ?? disk, overlays);
    const around = options.around ? overlaid(options.around, overlays) : files;
    this.#options = options;
    this.#files = files;
    this.#answers = new Answers(files, around, options);
    const { tree } = this.#answers;
    const { earlier, maximumText } = options;
    this.#entries = new Entries({ files, tree, overlays, earlier, maximumText });
    this.#declarations = declarationsBy(around, tree, options);
  }

  pathOf(specifier: string, from: string): string | undefined {
    return this.#answers.pathOf(specifier, from);
  }

  declarations(path: string): Declarations | undefined {
    return this.#declarations.for(path);
  }

  isEdited(path: string): boolean {
    return this.#overlays.has(path);
  }

  hasEdits(): boolean {
    return this.#overlays.size > 0;
  }

  versionOf(name: string, from: string): string | undefined {
    return this.#answers.versionOf(this.#entries.at(from), name);
  }

  placeOf(path: string): string {
    return this.#answers.placeOf(this.#entries.at(path));
  }

  runsInBrowsers(from: string): boolean {
    return this.#answers.runsInBrowsers(this.#entries.at(from));
  }

  deploymentOf(from: string): Deployment {
    return this.#answers.deploymentOf(this.#entries.at(from));
  }

  resolve(specifier: string, from: string, name?: string): FileFacts | undefined {
    const entry = this.#entryBehind(specifier, from);
    if (!entry) return undefined;
    entry.isAsked = true;
    // The text of an edited file is another with each keystroke, where its tree has the same parts; and during edits, collecting
    // the files behind a barrel would be in vain.
    const refusing = this.isEdited(entry.path)
      ? undefined
      : refusedBy(entry, name, this.hasEdits() ? undefined : this.#entryBehind);
    this.#dependOn([entry], () =>
      refusing ? refusalBy(refusing, name!, this.#external) : [this.#external.file(entry.path)],
    );
    return refusing ? undefined : this.factsAt(entry.path);
  }

  leadsTo(specifier: string, from: string, path: string): boolean {
    return this.#answers.targetOf(this.#entries.at(from), specifier) === path;
  }

  mayHave(specifier: string, from: string, name: string, members: readonly string[]): boolean {
    const entry = this.#entryBehind(specifier, from);
    // As in `resolve`.
    if (!entry || this.isEdited(entry.path)) return true;
    // One is enough, and as short to keep as that.
    const names = members.map((it) => [name, it]).find((it) => lacks(entry.text ?? '', it));
    if (!names) return true;
    this.#dependOn([entry], () => [this.#external.lacking(entry.path, names)]);
    return false;
  }

  filesNaming(kind: NameKind, name: string, from: string): readonly FileFacts[] | undefined {
    const key: NameKey = `${kind} ${name}`;
    const paths = this.#answers.filesNaming(this.#entries.at(from), key);
    const entries = paths?.map((it) => this.#entries.at(it));
    this.#dependOn(entries ?? [], () => [
      this.#external.naming(key),
      ...(paths ?? []).map((path) => this.#external.file(path)),
    ]);
    const found = entries?.map(({ path }) => {
      this.#entries.read(path).isAsked = true;
      return this.factsAt(path);
    });
    return found?.every((it) => it !== undefined) ? found : undefined;
  }

  /** The file that an import leads to. */
  readonly #entryBehind = (specifier: string, from: string): Entry | undefined => {
    const path = this.#answers.targetOf(this.#entries.at(from), specifier);
    return path === undefined ? undefined : this.#entries.read(path);
  };

  /** The active query depends on `reads` for a host that records them, and during edits on all of the files. */
  #dependOn(entries: readonly Entry[], reads: () => readonly ExternalDependency[]): void {
    const { activeQuery: reader } = runtimeOf(this);
    if (this.#options.notesReads) for (const it of reads()) addExternal(reader, it);
    else if (this.hasEdits()) for (const it of entries) addFileDependency(reader, it.ground);
  }

  factsAt(path: string): FileFacts | undefined {
    this.#followEdits();
    const entry = this.#entries.use(path);
    if (entry.facts) return entry.facts;
    if (!entry.source && !entry.isBroken && entry.text !== undefined) {
      const source = this.#parsed(entry, entry.text);
      if (source) this.#entries.hold(entry, source);
      else this.#entries.leaveBroken(entry);
    }
    entry.facts = entry.source && factsOf(entry.source);
    return entry.facts;
  }

  /** The trees tell which of the results so far are valid. */
  #followEdits(): void {
    for (const path of this.#edited) {
      this.#edited.delete(path);
      this.factsAt(path);
    }
  }

  #parsed({ path, previous }: Entry, text: string): Source | undefined {
    return text.length <= MAXIMUM_FILE
      ? this.#options.parse(text, path, this, previous)
      : undefined;
  }

  hashOf(path: string): string | undefined {
    const entry = this.#entries.read(path);
    if (entry.text === undefined) return undefined;
    return (entry.hash ??= hashOf(entry.text));
  }

  summaryOf(path: string): FileSummary | undefined {
    const facts = this.factsAt(path);
    const hash = this.hashOf(path);
    return facts && hash !== undefined ? summaryFrom(facts, hash) : undefined;
  }

  heldFor(path: string, text: string): Source | undefined {
    const source = this.#entries.all.get(path)?.source;
    return source?.text === text ? source : undefined;
  }

  previousOf(path: string): Source | undefined {
    return this.#entries.all.get(path)?.previous;
  }

  adopt(source: Source): void {
    const { path, text } = source;
    if (this.#options.notesReads) {
      this.#adopted = { path, dependencies: undefined };
      runtimeOf(this).activeQuery = this.#adopted;
    }
    this.#edited.delete(path);
    this.#followEdits();
    const entry = this.#entries.at(path);
    if (entry.source === source) return;
    if (entry.text !== undefined && entry.text !== text) this.#forget([path]);
    this.#entries.adopt(source);
  }

  trim(): void {
    this.#entries.trim();
  }

  overlay(path: string, text: string | undefined): readonly string[] {
    if (this.#overlays.get(path) === text) return [];
    // So far nothing depends on parts of files.
    if (!this.hasEdits()) this.#entries.computeAgain();
    const isFurther = this.isEdited(path);
    const isNew = this.#answers.tree.kindOf(path) !== 'file';
    const before = this.#files.read(path) ?? '';
    if (text === undefined) this.#overlays.delete(path);
    else this.#overlays.set(path, text);
    const isSwitch = isNew || text === undefined || switchesOnCls(before) !== switchesOnCls(text);
    if (isSwitch) {
      this.#edited.delete(path);
      return this.changed([path]);
    }
    if (!isFurther) return [...this.#forget([path])];
    this.#edited.add(path);
    return [...this.#entries.edit(path, this.#outdatedBy([path]))];
  }

  changed(paths: readonly string[]): readonly string[] {
    this.#answers.forget(paths);
    const stale = this.#forget(paths);
    const isConfigured = paths.some(isConfiguration);
    if (isConfigured) this.#declarations.forget();
    // A file that came or went, or a manifest, may change where any import leads.
    const others = this.#pathsOf((it) => isConfigured || !this.#answers.areAsBefore(it.path, it));
    const around = this.#entries.forgetAround(others);
    this.#entries.letGo(others);
    return [...new Set([...stale, ...around])];
  }

  refresh(): readonly string[] {
    const changed = this.#pathsOf(
      ({ path, stamp }) => stamp !== undefined && stamp !== this.#files.stamp(path),
    );
    const { texts } = this.#answers;
    return this.changed([...changed, ...this.#declarations.stale(), ...texts.stale()]);
  }

  outdate(paths: readonly string[]): readonly string[] {
    return [...this.#entries.forgetAround(paths)];
  }

  #forget(paths: readonly string[]): ReadonlySet<string> {
    return this.#entries.forget(paths, this.#outdatedBy(paths));
  }

  /** The files that have asked for names which are in other files since the texts of these have changed. */
  #outdatedBy(paths: readonly string[]): readonly string[] {
    const names = paths.flatMap((it) => this.#answers.texts.update(it));
    return names.length > 0 ? this.#pathsOf((it) => this.#answers.isOutdatedBy(it, names)) : [];
  }

  #pathsOf(fits: (entry: Entry) => boolean): readonly string[] {
    return [...this.#entries.all.values()].filter(fits).map((it) => it.path);
  }

  readsOf(path: string): FileReads {
    const adopted = this.#adopted;
    if (adopted?.path !== path) return fileReadsOf(undefined);
    closeDependencies(adopted);
    return fileReadsOf(adopted.dependencies);
  }

  names(others: readonly string[] = []): ReadonlyMap<string, ReadonlySet<NameKey>> {
    const { texts } = this.#answers;
    for (const it of others) texts.namesOf(it);
    return new Map(texts.known());
  }

  basisOf(path: string): Basis | undefined {
    return this.#entries.all.get(path);
  }

  isStanding(path: string, basis: Basis): boolean {
    return (
      this.#answers.areAsBefore(path, basis) &&
      (basis.isReadable === undefined || basis.isReadable === this.#entries.isReadable(path))
    );
  }

  dependenciesOf(path: string): readonly string[] {
    return reachedFrom(this.#entries.all, path);
  }

  leftOut(): readonly LeftOut[] {
    return this.#answers.tree.leftOut();
  }
}
