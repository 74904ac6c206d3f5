import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { checksumOf } from '../../scan/cache/checksum.ts';
import { textOf } from '../../scan/cache/text-of.ts';
import { keep, kept } from '../kept.ts';

export interface CompiledOptions {
  /** The `import.meta.url` of the bundled modules: code that resolves neighbouring files reads their extension from it. */
  readonly moduleUrl: string;
  /** The folder for V8's compiled code; undefined where there is no such place. */
  readonly folder: string | undefined;
  /** The command that loads them: each uses different functions, and has them compiled. */
  readonly use: string;
  /** Packages that are loaded already, by name. */
  readonly imported?: Readonly<Record<string, object>>;
}

export interface Compiled {
  /** The exports of the module with a name. */
  require(name: string): unknown;
  /** Keeps what V8 has compiled until now, unless it was kept before. */
  keep(): void;
}

/**
 * The modules in some files of ours, CommonJS in which `import.meta.url` is called `moduleUrl`: they export functions that return
 * what a module exports, by its name (two-files.ts makes them so). A file is read when a module is asked for that is in none before
 * it. What V8 made of it is kept for the next process, which need not compile it. Node 22 can do that by itself, Node 20 cannot.
 */
export function compiledFrom(paths: readonly string[], options: CompiledOptions): Compiled {
  const files: CompiledFile[] = [];
  const modules = new Map<string, object>();
  const requireOther = createRequire(options.moduleUrl);
  const require = (name: string): unknown => {
    if (!name.startsWith('./')) return options.imported?.[name] ?? requireOther(name);
    let found = modules.get(name);
    // Copied, since each use of what getters give would call one.
    if (!found) modules.set(name, (found = { ...makerOf(name)() }));
    return found;
  };
  const makerOf = (name: string): Maker => {
    for (const [i, path] of paths.entries()) {
      const { modules } = (files[i] ??= fileAt(path, require, options));
      if (Object.hasOwn(modules, name)) return modules[name]!;
    }
    throw new Error(`No module is called ${name}`);
  };
  return {
    require,
    keep() {
      for (const it of files) it.keep();
    },
  };
}

type Maker = () => object;
type Modules = Readonly<Record<string, Maker>>;

interface CompiledFile {
  readonly modules: Modules;
  keep(): void;
}

function fileAt(
  path: string,
  require: (name: string) => unknown,
  { moduleUrl, folder, use }: CompiledOptions,
): CompiledFile {
  const bytes = readFileSync(path);
  // V8 itself compares only the length of the source, and its flags: with other flags it would compile again each time. Of two
  // sources of one length, one in 2^32 would be mistaken for the cached one.
  const maker = `${process.version} ${process.arch} ${cachedDataVersionTag()}`;
  const key = checksumOf(`${maker} ${use}\0`, bytes);
  const keptAt = folder === undefined ? undefined : join(folder, key);
  const cachedData = keptAt === undefined ? undefined : kept(keptAt);
  const source = `(function (module, exports, require, moduleUrl) {${textOf(bytes)}\n})`;
  const script = new Script(source, {
    filename: path,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = { exports: {} as Modules };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module, module.exports, require, moduleUrl);
  return {
    modules: module.exports,
    keep() {
      const isKept = cachedData && !script.cachedDataRejected;
      if (keptAt !== undefined && !isKept) keep(keptAt, script.createCachedData());
    },
  };
}
