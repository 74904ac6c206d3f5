import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type ts from 'typescript';
import { typeAt } from '../types.ts';
import type { Change, Checker } from './checker.ts';
import { nodeAt } from './node-at.ts';

interface Project {
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

interface Snapshot {
  readonly version: string;
  /** Undefined for an unreadable file. */
  readonly text: ts.IScriptSnapshot | undefined;
}

/** TypeScript 5 and 6: a language service for each tsconfig.json, in this process. */
export function classicChecker(api: typeof ts): Checker {
  const registry = api.createDocumentRegistry();
  const projects = new Map<string, Project>();
  const versions = new Map<string, string>();
  /** A program asks for each of its files after each edit. */
  const snapshots = new Map<string, Snapshot>();
  let texts: Change['texts'] = new Map();
  let edits = 0;

  return {
    update({ texts: present, edited, changed, asked }) {
      texts = present;
      if (changed === 'all') versions.clear();
      else for (const it of changed) versions.delete(it);
      for (const it of edited) versions.delete(it);
      for (const it of edited) if (texts.has(it)) versions.set(it, `edit ${++edits}`);
      if (changed === 'all' || !changed.every(isContentAlone)) {
        for (const [config, project] of projects)
          Object.assign(project, read(config), { isMoved: true });
      }
      if (edited.length > 0) lookAgain();
      for (const it of asked) projectAround(it)?.roots.add(it);
    },
    answersTo({ path, length, ranges }) {
      const project = projectAround(path);
      if (!project) return undefined;
      project.service ??= api.createLanguageService(hostOf(project), registry);
      const program = project.service.getProgram();
      project.isMoved = false;
      const file = program?.getSourceFile(path);
      if (!program || file?.text.length !== length) return undefined;
      return ranges.map((range) => {
        const node = nodeAt<ts.Node>(file, range);
        return node && typeAt(program.getTypeChecker(), node);
      });
    },
    end: () => projects.clear(),
  };

  function lookAgain(): void {
    for (const project of projects.values()) {
      if (!project.isLacking) continue;
      const { folder, parsed } = project;
      Object.assign(project, resolving(folder, parsed.options));
    }
  }

  function resolving(folder: string, options: ts.CompilerOptions) {
    const canonical = (it: string) => (api.sys.useCaseSensitiveFileNames ? it : it.toLowerCase());
    return {
      resolutions: api.createModuleResolutionCache(folder, canonical, options),
      isLacking: false,
    };
  }

  /** Whether every project has the same files as before. */
  function isContentAlone(path: string): boolean {
    return [...projects.values()].some((it) => it.files.has(path)) && api.sys.fileExists(path);
  }

  /** By the nearest tsconfig.json, or by one that it refers to, however far. */
  function projectAround(path: string): Project | undefined {
    const nearest = api.findConfigFile(dirname(path), api.sys.fileExists);
    const configs = new Set(nearest === undefined ? [] : [nearest]);
    for (const config of configs) {
      const project = projectAt(config);
      if (project.files.has(path)) return project;
      for (const it of project.parsed.projectReferences ?? []) {
        configs.add(api.resolveProjectReferencePath(it));
      }
    }
    return undefined;
  }

  function projectAt(config: string): Project {
    let project = projects.get(config);
    if (!project)
      projects.set(config, (project = { ...read(config), isMoved: false, service: undefined }));
    return project;
  }

  function read(config: string): Omit<Project, 'service' | 'isMoved'> {
    const { sys } = api;
    const { config: json } = api.readConfigFile(config, (it) => sys.readFile(it)) as {
      readonly config?: unknown;
    };
    const folder = dirname(config);
    const parsed = api.parseJsonConfigFileContent(json ?? {}, sys, folder, undefined, config);
    const { options } = parsed;
    // Otherwise each program looks for them in all folders of `@types`.
    options.types = api.getAutomaticTypeDirectiveNames(options, sys);
    const declared = parsed.fileNames.filter((it) => /\.d\.[cm]?ts$/.test(it));
    return {
      ...{ folder, parsed, files: new Set(parsed.fileNames), roots: new Set(declared) },
      ...resolving(folder, options),
    };
  }

  function hostOf(project: Project): ts.LanguageServiceHost {
    const { sys } = api;
    /** As the program sees the files, other projects' sources for what they build included. */
    let compilerHost: ts.CompilerHost | undefined;
    /** What TypeScript's declarations leave out. */
    const unlisted: object = {
      setCompilerHost: (it: ts.CompilerHost) => void (compilerHost = it),
      // Without our cache each program reads the manifests around all of its files again.
      getModuleResolutionCache: () => project.resolutions,
      // Other projects are read where they are written, built or not.
      useSourceOfProjectReferenceRedirect: () => true,
      hasInvalidatedResolutions: () => project.isMoved,
    };
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => project.parsed.options,
      getScriptFileNames: () => [...project.roots],
      getProjectReferences: () => project.parsed.projectReferences,
      getScriptVersion: versionOf,
      getScriptSnapshot: snapshotAt,
      getCurrentDirectory: () => project.folder,
      getDefaultLibFileName: (options) => api.getDefaultLibFilePath(options),
      readFile: textAt,
      fileExists: (path) => texts.has(path) || sys.fileExists(path),
      directoryExists: (path) => sys.directoryExists(path),
      getDirectories: (path) => sys.getDirectories(path),
      readDirectory: (...of) => sys.readDirectory(...of),
      useCaseSensitiveFileNames: () => sys.useCaseSensitiveFileNames,
      ...(sys.realpath ? { realpath: sys.realpath } : {}),
      resolveModuleNameLiterals: (names, from, redirected, options, file) =>
        names.map((it) => {
          const mode = api.getModeForUsageLocation(file, it, options);
          const args = [compilerHost ?? host, project.resolutions, redirected, mode] as const;
          const found = api.resolveModuleName(it.text, from, options, ...args);
          project.isLacking ||= !found.resolvedModule;
          return found;
        }),
      ...unlisted,
    };
    return host;
  }

  function textAt(path: string): string | undefined {
    return texts.get(path) ?? api.sys.readFile(path);
  }

  function snapshotAt(path: string): ts.IScriptSnapshot | undefined {
    const version = versionOf(path);
    let known = snapshots.get(path);
    if (known?.version !== version) {
      const text = textAt(path);
      known = { version, text: text === undefined ? text : api.ScriptSnapshot.fromString(text) };
      snapshots.set(path, known);
    }
    return known.text;
  }

  function versionOf(path: string): string {
    let version = versions.get(path);
    if (version === undefined) {
      version = String(statSync(path, { throwIfNoEntry: false })?.mtimeMs);
      versions.set(path, version);
    }
    return version;
  }
}
