import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** The diagnostics of TypeScript for files in their present state. */
export interface TypeCheck {
  /** `TS2304: Cannot find name 'client'.`, once for each place, without the place: edits move those. */
  diagnosticsOf(path: string): readonly string[];
}

/** Packages that are not installed next to the code are resolved here, and are `any` where they are missing here too. */
const packages = resolve('node_modules');

/** `tx.from<Row>('rows')` where `tx` is `any`: the diagnostic only shows that a package is missing. */
const TYPE_ARGUMENTS_OF_ANY = 2347;

/**
 * By the tsconfig.json around each file, but also for JavaScript, and with the types of Node. `texts` are files that are
 * not on disk, by absolute path.
 */
export function createTypeCheck(texts: ReadonlyMap<string, string> = new Map()): TypeCheck {
  const registry = ts.createDocumentRegistry();
  const services = new Map<string, ts.LanguageService>();
  const roots = new Map<string, Set<string>>();
  for (const path of texts.keys()) rootsFor(path).add(path);
  return {
    diagnosticsOf(path) {
      const files = rootsFor(path).add(path);
      const config = configOf(path);
      let service = services.get(config);
      if (!service) {
        service = ts.createLanguageService(hostFor(optionsOf(config), files, texts), registry);
        services.set(config, service);
      }
      const found = [
        ...service.getSyntacticDiagnostics(path),
        ...service.getSemanticDiagnostics(path),
      ];
      return found
        .filter(({ code }) => code !== TYPE_ARGUMENTS_OF_ANY)
        .map(
          ({ code, messageText }) =>
            `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
        );
    },
  };

  function rootsFor(path: string): Set<string> {
    const config = configOf(path);
    const files = roots.get(config) ?? new Set();
    roots.set(config, files);
    return files;
  }
}

/** The diagnostics of a file that are new, each as often as it is new. */
export function newAmong(after: readonly string[], before: readonly string[]): readonly string[] {
  const known = [...before];
  return after.filter((it) => {
    const at = known.indexOf(it);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

function configOf(path: string): string {
  return ts.findConfigFile(dirname(path), ts.sys.fileExists) ?? '';
}

const { Bundler } = ts.ModuleResolutionKind;

function optionsOf(config: string): ts.CompilerOptions {
  const own = config
    ? ts.parseJsonConfigFileContent(
        ts.readConfigFile(config, ts.sys.readFile).config ?? {},
        { ...ts.sys, readDirectory: () => [] },
        dirname(config),
      ).options
    : { strict: true, target: ts.ScriptTarget.ES2022, moduleResolution: Bundler };
  return {
    ...own,
    ...{ allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true, composite: false },
    ...{ incremental: false, types: ['node'], typeRoots: [join(packages, '@types')] },
    // What is left over is untidy, and sound.
    ...{ noUnusedLocals: false, noUnusedParameters: false },
    // Two scripts may have the same names.
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
}

function hostFor(
  options: ts.CompilerOptions,
  files: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): ts.LanguageServiceHost {
  const { getDirectories, realpath } = ts.sys;
  const cwd = process.cwd();
  // Which files there are stays as it is.
  const resolved = ts.createModuleResolutionCache(cwd, (it) => it, options);
  const bundled = { ...options, moduleResolution: Bundler };
  const resolvedHere = ts.createModuleResolutionCache(cwd, (it) => it, bundled);
  const disk = {
    fileExists: (path: string) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path: string) => texts.get(path) ?? ts.sys.readFile(path),
    // A folder that is not on disk is not read otherwise.
    ...(texts.size === 0 && { directoryExists: ts.sys.directoryExists }),
  };
  return {
    ...disk,
    ...{ getDirectories, ...(realpath && { realpath }) },
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files],
    getCurrentDirectory: () => cwd,
    getDefaultLibFileName: (it) => ts.getDefaultLibFilePath(it),
    // Who gives the texts edits none on disk: then no file has to be asked for its version.
    ...(texts.size > 0 && { getProjectVersion: () => String(files.size) }),
    // The text is its version: only what is edited is parsed again.
    getScriptVersion: (path) => (path.startsWith(packages) ? '' : (disk.readFile(path) ?? '')),
    getScriptSnapshot(path) {
      const text = disk.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const own = ts.resolveModuleName(text, from, options, disk, resolved);
        if (own.resolvedModule || text.startsWith('.')) return own;
        return ts.resolveModuleName(text, join(packages, 'any.ts'), bundled, disk, resolvedHere);
      }),
  };
}
