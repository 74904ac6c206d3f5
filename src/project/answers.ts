import { dirname, sep } from 'node:path';
import type { Deployment } from '../analysis/file/source.ts';
import { type Audiences, audiencesOf } from './audience.ts';
import type { Basis } from './basis.ts';
import { type Deployments, deploymentsOf } from './deployment.ts';
import { answerOf, type Entry, isSameList } from './entry.ts';
import type { Files } from './files.ts';
import type { ModulesOptions } from './modules-options.ts';
import { type Resolver, resolverOf } from './resolver.ts';
import { type TextIndex, textIndexOf } from './text-index.ts';
import { kindOf, type NameKey } from './text-names.ts';
import type { Tree } from './tree.ts';
import { versionOf } from './versions.ts';

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * The answers to what a file asks about its project, besides the facts of other files: where imports lead, which files contain a
 * name, packages and deployments. Each is noted in the entry of the file that asks.
 */
export class Answers {
  readonly texts: TextIndex;
  readonly #resolver: Resolver;
  readonly #deployments: Deployments;
  readonly #audiences: Audiences;

  /** `files` has the code, `around` all else. */
  constructor(
    files: Files,
    around: Files,
    options: Pick<ModulesOptions, 'root' | 'knownNames' | 'notesReads'>,
  ) {
    this.#resolver = resolverOf(around, options.root);
    this.#deployments = deploymentsOf(around, this.tree);
    this.#audiences = audiencesOf(this.tree);
    const { knownNames: earlier, notesReads: isKept } = options;
    this.texts = textIndexOf(files, this.tree, { earlier, isKept, ...this.#audiences });
  }

  get tree(): Tree {
    return this.#resolver.tree;
  }

  pathOf(specifier: string, from: string): string | undefined {
    return this.#resolver.resolve(specifier, from);
  }

  /** The path of the file that an import leads to. */
  targetOf({ path, asked, earlier }: Entry, specifier: string): string | undefined {
    const target = answerOf(earlier?.asked, specifier, () => this.pathOf(specifier, path));
    asked.set(specifier, target);
    return target;
  }

  filesNaming({ path, naming, earlier }: Entry, key: NameKey): readonly string[] | undefined {
    const paths = answerOf(earlier?.naming, key, () => this.#naming(key, path));
    naming.set(key, paths);
    return paths;
  }

  versionOf({ path, versions, earlier }: Entry, name: string): string | undefined {
    const version = answerOf(earlier?.versions, name, () => versionOf(this.tree, name, path));
    versions.set(name, version);
    return version;
  }

  placeOf(entry: Entry): string {
    const { path, earlier } = entry;
    // All of the path, where no manifest limits it.
    const root = (entry.root = earlier?.root ?? this.#rootOf(path));
    return path.slice(root.endsWith(sep) ? root.length - sep.length : root.length);
  }

  runsInBrowsers(entry: Entry): boolean {
    return (entry.runsInBrowsers = this.#audiences.isBrowsers(entry.path));
  }

  deploymentOf(entry: Entry): Deployment {
    const deployment = this.#deployments.of(entry.path);
    entry.deployment = JSON.stringify(deployment);
    return deployment;
  }

  /** Whether a file would get the same answers now. */
  areAsBefore(path: string, basis: Basis): boolean {
    const { asked, naming, versions, root, deployment } = basis;
    return (
      [...asked].every(([specifier, it]) => this.pathOf(specifier, path) === it) &&
      [...naming].every(([key, it]) => isSameList(this.#naming(key, path), it)) &&
      [...versions].every(([name, it]) => versionOf(this.tree, name, path) === it) &&
      (root === undefined || root === this.#rootOf(path)) &&
      (deployment === undefined || deployment === JSON.stringify(this.#deployments.of(path))) &&
      [undefined, this.#audiences.isBrowsers(path)].includes(basis.runsInBrowsers)
    );
  }

  /** Whether one of the names now has a different answer than the file has got. */
  isOutdatedBy({ path, naming }: Entry, names: readonly NameKey[]): boolean {
    return names.some(
      (it) => naming.has(it) && !isSameList(this.#naming(it, path), naming.get(it)),
    );
  }

  /** Files were written, made or removed. */
  forget(paths: readonly string[]): void {
    this.#resolver.forget();
    this.#deployments.forget();
    this.#audiences.forget();
    // A manifest, or a folder with all that is in it.
    if (!paths.every((it) => CODE.test(it))) this.texts.forgetFolders();
  }

  #naming(key: NameKey, from: string): readonly string[] | undefined {
    const kind = kindOf(key);
    return this.texts.filesNaming(kind, key.slice(kind.length + 1), from);
  }

  #rootOf(path: string): string {
    return this.tree.markedRootOf(dirname(path)) ?? '';
  }
}
