import { dirname, sep } from 'node:path';
import { switchesOnCls } from '../analysis/effects/ambient.ts';
import { factsOf, forgetFacts as forgetFactsAt } from '../analysis/facts.ts';
import { runtimeOf } from '../engine/runtime.ts';
import {
  addFileDependency,
  addExternal,
  closeDependencies,
  type ActiveQuery,
} from '../engine/dependencies.ts';
import type { Source } from '../analysis/file/source.ts';
import type { Basis } from './basis.ts';
import { audiencesOf } from './audience.ts';
import { refusalBy, refusedBy } from './barrels.ts';
import { isConfiguration } from './configuration-file.ts';
import { declarationsBy } from './declarations.ts';
import { deploymentsOf } from './deployment.ts';
import {
  answerOf,
  askingOf,
  type Entry,
  forgetAsked,
  isSameList,
  newEntry,
  reachedFrom,
  renewGround,
  weightOf,
} from './entry.ts';
import { hashOf } from './file-state.ts';
import { disk } from './files.ts';
import { lacks } from './lacking.ts';
import { externalDependencies, fileReadsOf } from './external-dependencies.ts';
import { overlaid } from './overlay.ts';
import type { ProjectModules } from './project-modules.ts';
import { resolverOf } from './resolver.ts';
import { summaryFrom } from './summary.ts';
import { textIndexOf } from './text-index.ts';
import type { ModulesOptions } from './modules-options.ts';
import { kindOf, MAXIMUM_FILE, type NameKey } from './text-names.ts';
import { versionOf } from './versions.ts';

/** Some 100,000 lines. With it, scanning a monorepo of 680,000 lines takes 300 MB at most. */
const MAXIMUM_TEXT = 3_500_000;
/** What stays at the limit, so that not every file after it has others dropped. */
const KEPT_SHARE = 0.8;
const CODE = /\.[cm]?[jt]sx?$/;

export function createModules(options: ModulesOptions): ProjectModules {
  const overlays = new Map<string, string>();
  const files = overlaid(options.files ?? disk, overlays);
  const around = options.around ? overlaid(options.around, overlays) : files;
  const resolver = resolverOf(around, options.root);
  const maximumText = options.maximumText ?? MAXIMUM_TEXT;
  const entries = new Map<string, Entry>();
  const deployments = deploymentsOf(around, resolver.tree);
  const audiences = audiencesOf(resolver.tree);
  const { knownNames: earlier, notesReads: isKept } = options;
  const texts = textIndexOf(files, resolver.tree, { earlier, isKept, ...audiences });
  const declarations = declarationsBy(around, resolver.tree);
  const external = externalDependencies();
  let parsedText = 0;
  /** Of it, what has been parsed since the last `trim`. */
  let freshText = 0;
  let uses = 0;
  let adopted: (ActiveQuery & { readonly path: string }) | undefined;

  const modules: ProjectModules = {
    pathOf: (specifier, from) => resolver.resolve(specifier, from),
    leftOut: resolver.tree.leftOut,
    declarations: (path) => declarations.for(path),
    resolve(specifier, from, name) {
      const entry = entryBehind(specifier, from);
      if (!entry) return undefined;
      entry.isAsked = true;
      // During edits, collecting the files behind a barrel would be in vain with each keystroke.
      const refusing = refusedBy(entry, name, overlays.size === 0 ? entryBehind : undefined);
      const { activeQuery: reader } = runtimeOf(modules);
      if (options.notesReads)
        for (const it of refusing
          ? refusalBy(refusing, name!, external)
          : [external.file(entry.path)])
          addExternal(reader, it);
      else if (overlays.size > 0) addFileDependency(reader, entry.ground);
      return refusing ? undefined : modules.factsAt(entry.path);
    },
    mayHave(specifier, from, name, members) {
      const entry = entryBehind(specifier, from);
      // One is enough, and as short to keep as that.
      const names = members.map((it) => [name, it]).find((it) => lacks(entry?.text ?? '', it));
      if (!entry || !names) return true;
      const { path, ground } = entry;
      const { activeQuery: reader } = runtimeOf(modules);
      if (options.notesReads) addExternal(reader, external.lacking(path, names));
      else if (overlays.size > 0) addFileDependency(reader, ground);
      return false;
    },
    filesNaming(kind, name, from) {
      const { naming, earlier } = entryAt(from);
      const key: NameKey = `${kind} ${name}`;
      const paths = answerOf(earlier?.naming, key, () => texts.filesNaming(kind, name, from));
      naming.set(key, paths);
      const { activeQuery: reader } = runtimeOf(modules);
      if (options.notesReads)
        for (const it of [
          external.naming(key),
          ...(paths ?? []).map((path) => external.file(path)),
        ])
          addExternal(reader, it);
      else if (overlays.size > 0)
        for (const it of paths ?? []) addFileDependency(reader, entryAt(it).ground);
      const found = paths?.map((path) => {
        readEntry(path).isAsked = true;
        return modules.factsAt(path);
      });
      return found?.every((it) => it !== undefined) ? found : undefined;
    },
    isEdited: (path) => overlays.has(path),
    versionOf(name, from) {
      const { versions, earlier } = entryAt(from);
      const version = answerOf(earlier?.versions, name, () => versionOf(resolver.tree, name, from));
      versions.set(name, version);
      return version;
    },
    placeOf(path) {
      const entry = entryAt(path);
      // All of the path, where no manifest limits it.
      const root = entry.earlier?.root ?? resolver.tree.markedRootOf(dirname(path)) ?? '';
      entry.root = root;
      return path.slice(root.endsWith(sep) ? root.length - sep.length : root.length);
    },
    runsInBrowsers: (from) => (entryAt(from).runsInBrowsers = audiences.isBrowsers(from)),
    deploymentOf(from) {
      const deployment = deployments.of(from);
      entryAt(from).deployment = JSON.stringify(deployment);
      return deployment;
    },
    factsAt(path) {
      const entry = readEntry(path);
      entry.lastUse = ++uses;
      if (entry.facts) return entry.facts;
      if (!entry.source && !entry.isBroken && entry.text !== undefined) {
        const isShort = entry.text.length <= MAXIMUM_FILE;
        const source = isShort && options.parse(entry.text, path, modules, entry.previous);
        entry.isBroken = !source;
        if (source) hold(entry, source);
      }
      entry.facts = entry.source && factsOf(entry.source);
      return entry.facts;
    },
    heldFor(path, text) {
      const source = entries.get(path)?.source;
      return source?.text === text ? source : undefined;
    },
    previousOf: (path) => entries.get(path)?.previous,
    adopt(source) {
      if (options.notesReads) {
        adopted = { path: source.path, dependencies: undefined };
        runtimeOf(modules).activeQuery = adopted;
      }
      const entry = entryAt(source.path);
      if (entry.source === source) return;
      if (entry.text !== undefined && entry.text !== source.text) forget([source.path]);
      drop(entry);
      entry.text = source.text;
      entry.stamp = files.stamp(source.path);
      hold(entry, source);
    },
    overlay(path, text) {
      if (overlays.get(path) === text) return [];
      const isNew = resolver.tree.kindOf(path) !== 'file';
      const before = files.read(path) ?? '';
      if (text === undefined) overlays.delete(path);
      else overlays.set(path, text);
      const isSwitch = isNew || text === undefined || switchesOnCls(before) !== switchesOnCls(text);
      return isSwitch ? modules.changed([path]) : [...forget([path], true)];
    },
    changed(paths) {
      resolver.forget();
      deployments.forget();
      audiences.forget();
      // A manifest, or a folder with all that is in it.
      if (!paths.every((it) => CODE.test(it))) texts.forgetFolders();
      const stale = forget(paths);
      const isConfigured = paths.some(isConfiguration);
      if (isConfigured) declarations.forget();
      // A file that came or went, or a manifest, may change where any import leads.
      const others = [...entries.values()].filter(
        (it) => isConfigured || !isAnsweredAsBefore(it.path, it),
      );
      const around = forgetAround(others.map((it) => it.path));
      others.forEach(letGo);
      return [...new Set([...stale, ...around])];
    },
    refresh() {
      const changed = [...entries.values()]
        .filter((it) => it.stamp !== undefined && it.stamp !== files.stamp(it.path))
        .map((it) => it.path);
      return modules.changed([...changed, ...declarations.stale(), ...texts.stale()]);
    },
    readsOf(path) {
      if (adopted?.path !== path) return fileReadsOf(undefined);
      closeDependencies(adopted);
      return fileReadsOf(adopted.dependencies);
    },
    names(others = []) {
      for (const it of others) texts.namesOf(it);
      return new Map(texts.known());
    },
    basisOf: (path) => entries.get(path),
    isStanding: (path, basis) =>
      isAnsweredAsBefore(path, basis) &&
      (basis.isReadable === undefined || basis.isReadable === isReadable(path)),
    outdate: (paths) => [...forgetAround(paths)],
    dependenciesOf: (path) => reachedFrom(entries, path),
    hashOf(path) {
      const entry = readEntry(path);
      if (entry.text === undefined) return undefined;
      return (entry.hash ??= hashOf(entry.text));
    },
    summaryOf(path) {
      const facts = modules.factsAt(path);
      const hash = modules.hashOf(path);
      return facts && hash !== undefined ? summaryFrom(facts, hash) : undefined;
    },
    trim() {
      if (freshText <= maximumText / 8 && parsedText <= maximumText) return;
      freshText = 0;
      const parsed = [...entries.values()].filter((it) => it.source);
      // Most hosts do not ask for a file scanned before, and no requested file depends on an unrequested one.
      for (const it of parsed) if (!it.isAsked && !overlays.has(it.path)) drop(it);
      if (parsedText <= maximumText) return;
      // No facts stay: those of one file keep alive the trees of the files that it has asked.
      const asked = parsed.filter((it) => it.source).sort((a, b) => a.lastUse - b.lastUse);
      for (const entry of asked) forgetFactsOf(entry);
      for (const entry of asked) {
        if (parsedText <= maximumText * KEPT_SHARE) return;
        drop(entry);
      }
    },
  };
  return modules;

  function entryAt(path: string): Entry {
    let entry = entries.get(path);
    if (!entry) {
      entry = newEntry(path, options.earlier?.(path));
      entries.set(path, entry);
    }
    return entry;
  }

  /** Of the file that an import leads to. */
  function entryBehind(specifier: string, from: string): Entry | undefined {
    const { asked, earlier } = entryAt(from);
    const path = answerOf(earlier?.asked, specifier, () => resolver.resolve(specifier, from));
    asked.set(specifier, path);
    return path === undefined ? undefined : readEntry(path);
  }

  function readEntry(path: string): Entry {
    const entry = entryAt(path);
    if (entry.text !== undefined || entry.source) return entry;
    entry.isReadable = entry.earlier?.isReadable ?? isReadable(path);
    if (entry.isReadable) {
      entry.stamp = files.stamp(path);
      entry.text = files.read(path);
    }
    return entry;
  }

  function isAnsweredAsBefore(path: string, basis: Basis): boolean {
    const { asked, naming, versions, root, deployment } = basis;
    return (
      [...asked].every(([specifier, it]) => resolver.resolve(specifier, path) === it) &&
      [...naming].every(([key, it]) => isSameList(namingAround(key, path), it)) &&
      [...versions].every(([name, it]) => versionOf(resolver.tree, name, path) === it) &&
      (root === undefined || root === (resolver.tree.markedRootOf(dirname(path)) ?? '')) &&
      (deployment === undefined || deployment === JSON.stringify(deployments.of(path))) &&
      [undefined, audiences.isBrowsers(path)].includes(basis.runsInBrowsers)
    );
  }

  function namingAround(key: NameKey, from: string): readonly string[] | undefined {
    const kind = kindOf(key);
    return texts.filesNaming(kind, key.slice(kind.length + 1), from);
  }

  /** Whether one of the names has another answer than the file has got. */
  function isOther({ path, naming }: Entry, names: readonly NameKey[]): boolean {
    return names.some(
      (it) => naming.has(it) && !isSameList(namingAround(it, path), naming.get(it)),
    );
  }

  function isReadable(path: string): boolean {
    return overlays.has(path) || resolver.tree.isInside(path);
  }

  function forgetFactsOf(entry: Entry): void {
    const source = entry.source ?? entry.previous;
    if (source) forgetFactsAt(source.ast);
    entry.facts = undefined;
    entry.before = undefined;
    entry.offered = undefined;
    renewGround(entry);
  }

  function hold(entry: Entry, source: Source): void {
    entry.source = source;
    // What it has asked is asked again, unless its facts have outlasted the edit.
    if (entry.before && factsOf(source) !== entry.before) forgetAsked(entry);
    entry.before = undefined;
    entry.previous = undefined;
    parsedText += weightOf(source);
    freshText += weightOf(source);
  }

  function drop(entry: Entry): void {
    if (entry.before) entry.facts = undefined;
    else forgetFactsOf(entry);
    if (entry.source) parsedText -= weightOf(entry.source);
    entry.source = undefined;
    entry.previous = undefined;
    entry.isBroken = false;
    entry.text = undefined;
    entry.hash = undefined;
    entry.spelled = undefined;
    entry.offered = undefined;
  }

  /** Forgets files and the facts of those that have asked them, however far. Returns all their paths. */
  function forget(paths: readonly string[], isEdit = false): ReadonlySet<string> {
    const said = paths.flatMap((it) => texts.update(it));
    const asking = said.length > 0 ? [...entries.values()].filter((it) => isOther(it, said)) : [];
    const others = asking.map((it) => it.path);
    const stale = askingOf(entries, [...paths, ...others]);
    forgetFacts(stale, isEdit ? paths.filter((it) => mayLast(it, others)) : []);
    paths.flatMap((it) => entries.get(it) ?? []).forEach(letGo);
    return stale;
  }

  /** The facts of a file may outlast an edit of it, unless it has asked for names that lead elsewhere now. */
  function mayLast(path: string, others: readonly string[]): boolean {
    const entry = entries.get(path);
    if (!entry || !overlays.has(path) || others.includes(path)) return false;
    if (entry.source) entry.before = factsOf(entry.source);
    return entry.before !== undefined;
  }

  /** The text must be read again. */
  function letGo(entry: Entry): void {
    const previous = overlays.has(entry.path) ? (entry.source ?? entry.previous) : undefined;
    drop(entry);
    entry.previous = previous;
    entry.stamp = undefined;
  }

  /** Forgets the facts of files and of those that have asked them. */
  function forgetAround(paths: readonly string[]): ReadonlySet<string> {
    const stale = askingOf(entries, paths);
    forgetFacts(stale);
    return stale;
  }

  function forgetFacts(stale: ReadonlySet<string>, lasting: readonly string[] = []): void {
    for (const it of stale) {
      const entry = entries.get(it);
      if (!entry || lasting.includes(it)) continue;
      forgetFactsOf(entry);
      forgetAsked(entry);
    }
  }
}
