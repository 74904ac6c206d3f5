import { dirname } from 'node:path';
import { listedIn } from '../../src/project/files.ts';
import type { ProjectModules } from '../../src/project/project-modules.ts';
import { contains } from '../../src/project/tree.ts';
import { filesOf } from '../../src/scan/files.ts';
import { rootAround } from '../../src/scan/repository.ts';
import { Department, type Shared } from './department.ts';
import type { Folder } from './messages.ts';

/** The departments of an editor: its folders, and what was opened outside of them. */
export class Departments {
  readonly #shared: Shared;
  #all: Department[] = [];

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  configure(folders: readonly Folder[]): void {
    this.#all = folders.map((it) => new Department(it, this.#shared));
  }

  /** The innermost folder around the path. */
  at(path: string): Department {
    const [nearest] = this.#all
      .filter((it) => contains(it.folder.path, path))
      .sort((a, b) => b.folder.path.length - a.folder.path.length);
    if (nearest) return nearest;
    const { overrides = {}, exclude = [] } = this.#all[0]?.folder ?? {};
    const root = rootAround(dirname(path));
    // Trust is given to the folders that are open.
    const isTrusted = { hasTypes: false, trustsConfiguration: false };
    const folder = { path: root, isEnabled: true, overrides, exclude, ...isTrusted };
    const made = new Department(folder, this.#shared);
    this.#all.push(made);
    return made;
  }

  /** The paths that the modules of each return, each path once. */
  pathsFrom(each: (modules: ProjectModules) => readonly string[]): readonly string[] {
    return [...new Set(this.#all.flatMap(({ modules }) => each(modules)))];
  }

  /** The files of all folders. Calls `begin` with each folder before it is listed. */
  files(begin: (path: string) => void): readonly (readonly [path: string, its: Department])[] {
    return this.#all.flatMap((department) =>
      this.#filesIn(department, begin).map((path) => [path, department] as const),
    );
  }

  #filesIn({ folder }: Department, begin: (path: string) => void): readonly string[] {
    if (!folder.isEnabled) return [];
    const list = (path: string) => {
      begin(path);
      return listedIn(path);
    };
    const { files } = filesOf([folder.path], {
      ...{ cwd: folder.path, ignorePatterns: folder.exclude, disk: { list } },
    });
    // A nested folder is scanned immediately, with its own settings.
    return files.filter((it) => this.at(it).folder === folder);
  }

  /** Files other than code may have changed. */
  forget(): void {
    for (const it of this.#all) it.forget();
  }
}
