import { dirname } from 'node:path';
import type ts from 'typescript';

/** What a tsconfig.json configures. */
export interface Project {
  readonly folder: string;
  parsed: ts.ParsedCommandLine;
  files: ReadonlySet<string>;
  /** The roots of its program: the requested files and all global declarations. */
  roots: Set<string>;
  /** Imports may lead elsewhere than in the last program. */
  isMoved: boolean;
  /** Where imports lead, and in which package a file is. */
  resolutions: ts.ModuleResolutionCache;
  /** An unresolved import. Its target may appear without a notification: no watcher covers installed packages. */
  isLacking: boolean;
  /** Started with the first question. */
  service: ts.LanguageService | undefined;
}

/** The projects of all files that were asked about. */
export class Projects {
  readonly #api: typeof ts;
  readonly #all = new Map<string, Project>();

  constructor(api: typeof ts) {
    this.#api = api;
  }

  /** By the nearest tsconfig.json, or by one that it refers to, however far. */
  around(path: string): Project | undefined {
    const nearest = this.#api.findConfigFile(dirname(path), this.#api.sys.fileExists);
    const configs = new Set(nearest === undefined ? [] : [nearest]);
    for (const config of configs) {
      const project = this.#at(config);
      if (project.files.has(path)) return project;
      for (const it of project.parsed.projectReferences ?? []) {
        configs.add(this.#api.resolveProjectReferencePath(it));
      }
    }
    return undefined;
  }

  #at(config: string): Project {
    let project = this.#all.get(config);
    if (!project) {
      project = { ...this.#read(config), isMoved: false, service: undefined };
      this.#all.set(config, project);
    }
    return project;
  }

  /** Files were written, made or removed. */
  update(changed: readonly string[] | 'all'): void {
    if (changed !== 'all' && changed.every((it) => this.#isContentAlone(it))) return;
    for (const [config, project] of this.#all)
      Object.assign(project, this.#read(config), { isMoved: true });
  }

  /** Whether every project has the same files as before. */
  #isContentAlone(path: string): boolean {
    const isListed = [...this.#all.values()].some((it) => it.files.has(path));
    return isListed && this.#api.sys.fileExists(path);
  }

  /** Resolves imports again where some lead to no file. */
  lookAgain(): void {
    for (const project of this.#all.values()) {
      if (!project.isLacking) continue;
      const { folder, parsed } = project;
      Object.assign(project, this.#resolving(folder, parsed.options));
    }
  }

  clear(): void {
    this.#all.clear();
  }

  #read(config: string): Omit<Project, 'service' | 'isMoved'> {
    const { sys } = this.#api;
    const { config: json } = this.#api.readConfigFile(config, (it) => sys.readFile(it)) as {
      readonly config?: unknown;
    };
    const folder = dirname(config);
    const parsed = this.#api.parseJsonConfigFileContent(json ?? {}, sys, folder, undefined, config);
    const { options } = parsed;
    // Otherwise each program looks for them in all folders of `@types`.
    options.types = this.#api.getAutomaticTypeDirectiveNames(options, sys);
    const declared = parsed.fileNames.filter((it) => /\.d\.[cm]?ts$/.test(it));
    return {
      ...{ folder, parsed, files: new Set(parsed.fileNames), roots: new Set(declared) },
      ...this.#resolving(folder, options),
    };
  }

  #resolving(
    folder: string,
    options: ts.CompilerOptions,
  ): Pick<Project, 'resolutions' | 'isLacking'> {
    const isExact = this.#api.sys.useCaseSensitiveFileNames;
    const canonical = (it: string) => (isExact ? it : it.toLowerCase());
    return {
      resolutions: this.#api.createModuleResolutionCache(folder, canonical, options),
      isLacking: false,
    };
  }
}
