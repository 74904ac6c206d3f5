import type ts from 'typescript';
import { typeAt } from '../types.ts';
import type { Checker } from './checker.ts';
import { type Project, Projects } from './classic-projects.ts';
import { Texts } from './classic-texts.ts';
import { nodeAt } from './node-at.ts';

/** TypeScript 5 and 6: a language service for each tsconfig.json, in this process. */
export function classicChecker(api: typeof ts): Checker {
  const registry = api.createDocumentRegistry();
  const projects = new Projects(api);
  const texts = new Texts(api);
  return {
    update({ asked, ...change }) {
      texts.update(change);
      projects.update(change.changed);
      if (change.edited.length > 0) projects.lookAgain();
      for (const it of asked) projects.around(it)?.roots.add(it);
    },
    answersTo({ path, length, ranges }) {
      const project = projects.around(path);
      if (!project) return undefined;
      project.service ??= api.createLanguageService(hostOf(api, project, texts), registry);
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
}

function hostOf(api: typeof ts, project: Project, texts: Texts): ts.LanguageServiceHost {
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
    getScriptVersion: (path) => texts.versionOf(path),
    getScriptSnapshot: (path) => texts.snapshotAt(path),
    getCurrentDirectory: () => project.folder,
    getDefaultLibFileName: (options) => api.getDefaultLibFilePath(options),
    readFile: (path) => texts.at(path),
    fileExists: (path) => texts.exists(path),
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
