/**
 * A part of a file, or a whole file, that a result depends on, by its number: each keystroke asks of thousands whether they are
 * valid, and bits of numbers are read faster than objects.
 */
export type Dependency = number & { readonly isOf: 'a file' };

/**
 * The dependencies of a result outside of the trees of edited files. The analysis records the first four for the findings of a
 * file, and the disk cache stores them; a review and the disk cache record the rest for their reads of files other than code.
 */
export type ExternalDependency =
  /** A file that was parsed, or would have been if it could be read. */
  | { readonly kind: 'file'; readonly path: string }
  /** No file that was asked for the name exports it: nothing else of these files was read. */
  | { readonly kind: 'refused'; readonly name: string }
  /** Which files contain a name: `key` has the kind of place and the name. */
  | { readonly kind: 'naming'; readonly key: string }
  /** The text of a file shows that objects of a class lack a member: the class and the member. */
  | { readonly kind: 'lacking'; readonly path: string; readonly names: readonly string[] }
  /** The text of a file beside the code, such as a manifest. */
  | { readonly kind: 'document'; readonly path: string }
  /** The entries of a folder. */
  | { readonly kind: 'folder'; readonly path: string }
  /** Whether there is a file. */
  | { readonly kind: 'presence'; readonly path: string }
  /** Where a path with links in it leads. */
  | { readonly kind: 'link'; readonly path: string }
  /** The output of a program, such as a configuration. */
  | { readonly kind: 'program'; readonly path: string };

/** A result on whose value others depend, and not on what it depends on itself: early cut-off. */
export interface ComparedResult {
  /** A recomputed value differs. */
  isInvalid: boolean;
  /** Recomputes the value where that is needed; false while it is being computed already. */
  readonly refresh: () => boolean;
  /** The edit for which it was refreshed last. */
  refreshedFor?: number;
  /** The number of the set that it was added to last. */
  addedTo?: number;
}

/**
 * The dependencies of a result besides its own file: those outside of trees, other files, and parts of files that are edited. A
 * cached result contains its dependencies, so that they do not depend on which query asked for it first.
 */
export interface DependencySet {
  /** Unique among all sets. */
  readonly number: number;
  /** By identity: the code that adds them creates one object of each. */
  external: Set<ExternalDependency> | undefined;
  /** Whole files: most results depend on many, of which few change while another one is edited. */
  files: Dependency[];
  /** Both lists may hold a dependency more than once. */
  parts: Dependency[];
  compared: ComparedResult[];
  /** The sets of provisional results that were used, which were not complete then. */
  open: Set<DependencySet> | undefined;
  isOpen: boolean;
  /** How many files were invalid when all of these were valid. */
  filesValidAt?: number;
  /** The edit for which it was checked last, and whether it was valid then. */
  checkedFor?: number | undefined;
  wasValid?: boolean | undefined;
}

/** A bit for each dependency: set once it is invalid. */
let invalid = new Uint8Array(2 ** 13);
let count = 0;
let invalidFiles = 0;

/** A valid one; its number is not used again. */
export function newDependency(): Dependency {
  const dependency = count++;
  if (dependency >>> 3 === invalid.length) {
    const before = invalid;
    invalid = new Uint8Array(2 * before.length);
    invalid.set(before);
  }
  return dependency as Dependency;
}

/** Results that depend on it are recomputed. */
export function invalidate(dependency: Dependency): void {
  invalid[dependency >>> 3]! |= 1 << (dependency & 7);
}

/** As `invalidate`, for a whole file. */
export function invalidateFile(dependency: Dependency): void {
  invalidate(dependency);
  invalidFiles++;
}

function isSomeInvalid(all: readonly Dependency[]): boolean {
  for (let i = 0; i < all.length; i++) {
    const dependency = all[i]!;
    // no veto: what outlasts an edit is compared with facts computed from scratch in test/edited-facts.test.ts.
    if ((invalid[dependency >>> 3]! & (1 << (dependency & 7))) !== 0) return true;
  }
  return false;
}

/** A query that is being computed, or the analysis of a file. */
export interface ActiveQuery {
  dependencies: DependencySet | undefined;
  /** Its dependencies are not recorded. */
  readonly isUntracked?: boolean;
}

/** `query` has used a result with these dependencies. */
export function addDependencies(query: ActiveQuery, dependencies: DependencySet | undefined): void {
  // no veto: spares the work.
  if (!dependencies || query.isUntracked) return;
  // no veto: spares the work.
  if (query.dependencies === dependencies) return;
  // Most results depend on what one other depends on: they share its set.
  if (!query.dependencies && isComplete(dependencies)) {
    query.dependencies = dependencies;
    return;
  }
  const own = ownDependencies(query);
  if (isComplete(dependencies)) addAll(own, dependencies);
  else (own.open ??= new Set()).add(dependencies);
}

/** Whether all dependencies of a result are in its set. */
export function isComplete({ isOpen, open }: DependencySet): boolean {
  return !isOpen && !open;
}

/** `query` has used something outside of the trees. */
export function addExternal(query: ActiveQuery, dependency: ExternalDependency): void {
  if (!query.isUntracked && !query.dependencies?.external?.has(dependency))
    externalOf(ownDependencies(query)).add(dependency);
}

/** `query` has used a part of a file. */
export function addDependency(query: ActiveQuery, dependency: Dependency): void {
  if (!query.isUntracked) addOwn(ownDependencies(query), 'parts', dependency);
}

/** As `addDependency`, for a whole file. */
export function addFileDependency(query: ActiveQuery, dependency: Dependency): void {
  if (!query.isUntracked) addOwn(ownDependencies(query), 'files', dependency);
}

/** `query` has used a result that is compared. */
export function addCompared(query: ActiveQuery, result: ComparedResult): void {
  if (!query.isUntracked) addOwnCompared(ownDependencies(query), result);
}

/** As `addDependencies`, of what is outside of the trees alone. */
export function addExternals(query: ActiveQuery, dependencies: DependencySet | undefined): void {
  if (!dependencies) return;
  for (const it of dependencies.external ?? []) addExternal(query, it);
  // What is not complete may come to hold others.
  if (dependencies.open) addDependencies(query, dependencies);
}

function externalOf(dependencies: DependencySet): Set<ExternalDependency> {
  return (dependencies.external ??= new Set());
}

function addAll(to: DependencySet, from: DependencySet): void {
  if (from.external) for (const it of from.external) externalOf(to).add(it);
  for (const it of from.files) addOwn(to, 'files', it);
  for (const it of from.parts) addOwn(to, 'parts', it);
  for (const it of from.compared) addOwnCompared(to, it);
}

/**
 * The set that each dependency was added to last, for as many as there is room for: most are added again immediately, and a look into a
 * set takes longer. One that was overwritten is added twice, which does no harm.
 */
const ROOM = 2 ** 13;
const lastAdded = new Int32Array(ROOM).fill(-1);
const lastAddedTo = new Int32Array(ROOM);

function addOwn(
  dependencies: DependencySet,
  kind: 'files' | 'parts',
  dependency: Dependency,
): void {
  const place = dependency % ROOM;
  // no veto: spares the work.
  if (lastAdded[place] === dependency && lastAddedTo[place] === dependencies.number) return;
  lastAdded[place] = dependency;
  lastAddedTo[place] = dependencies.number;
  if (dependencies[kind] === NONE) dependencies[kind] = [dependency];
  else dependencies[kind].push(dependency);
}

function addOwnCompared(dependencies: DependencySet, result: ComparedResult): void {
  // no veto: spares the work.
  if (result.addedTo === dependencies.number) return;
  result.addedTo = dependencies.number;
  if (dependencies.compared === NONE) dependencies.compared = [result];
  else dependencies.compared.push(result);
}

/** The query is done: its set is complete but for what open ones still add. */
export function closeDependencies(query: ActiveQuery): void {
  const { dependencies } = query;
  if (!dependencies?.isOpen) return;
  dependencies.isOpen = false;
  if (dependencies.open) addOpen(dependencies);
  // Results of queries in between have added theirs.
  dependencies.parts = withoutRepeats(dependencies.parts);
  dependencies.files = withoutRepeats(dependencies.files);
  dependencies.compared = withoutRepeats(dependencies.compared);
}

/** Below that, repeats take less room than removing them takes time. */
const MANY = 64;

function withoutRepeats<T>(all: T[]): T[] {
  return all.length > MANY ? [...new Set(all)] : all;
}

/** Takes over what the open sets hold by now. */
function addOpen(dependencies: DependencySet): void {
  const found = new Set([dependencies]);
  for (const it of found) for (const other of it.open ?? []) found.add(other);
  found.delete(dependencies);
  for (const it of found) addAll(dependencies, it);
  const stillOpen = [...found].filter((it) => it.isOpen);
  dependencies.open = stillOpen.length > 0 ? new Set(stillOpen) : undefined;
}

let numbers = 0;
const NONE: never[] = [];

/** The set that belongs to this query alone: also for what it reads after its provisional result was used. */
export function ownDependencies(query: ActiveQuery): DependencySet {
  const { dependencies } = query;
  if (dependencies?.isOpen) return dependencies;
  const own: DependencySet = {
    number: ++numbers,
    external: dependencies?.external && new Set(dependencies.external),
    files: copied(dependencies?.files),
    parts: copied(dependencies?.parts),
    compared: copied(dependencies?.compared),
    open: dependencies?.open && new Set(dependencies.open),
    isOpen: true,
  };
  return (query.dependencies = own);
}

function copied<T>(list: readonly T[] = NONE): T[] {
  return list.length === 0 ? NONE : list.slice();
}

/** Whether a result is valid at this edit. */
export function isValid(dependencies: DependencySet, edit: number): boolean {
  if (dependencies.checkedFor === edit) return dependencies.wasValid!;
  dependencies.checkedFor = edit;
  // A refresh of a compared result may ask again meanwhile.
  dependencies.wasValid = false;
  // The cheapest check first.
  if (dependencies.filesValidAt !== invalidFiles) {
    // no veto: as below.
    if (isSomeInvalid(dependencies.files)) return false;
    if (!dependencies.isOpen) dependencies.filesValidAt = invalidFiles;
  }
  // no veto: what outlasts an edit is compared with facts computed from scratch in test/edited-facts.test.ts.
  if (isSomeInvalid(dependencies.parts) || dependencies.compared.some((it) => it.isInvalid))
    return false;
  let isDecided = true;
  for (const it of dependencies.compared) {
    if (it.refreshedFor !== edit) {
      if (it.refresh()) it.refreshedFor = edit;
      else isDecided = false;
    }
    // no veto: as above.
    if (it.isInvalid) return false;
  }
  // no veto: as above.
  if (dependencies.open && ![...dependencies.open].every((it) => isValid(it, edit))) return false;
  if (isDecided) dependencies.wasValid = true;
  else dependencies.checkedFor = undefined;
  return isDecided;
}
