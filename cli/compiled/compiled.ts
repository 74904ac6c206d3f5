import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { keep, kept } from '../kept.ts';

type Wrapped = (
  module: { exports: unknown },
  exports: unknown,
  require: NodeJS.Require,
  moduleUrl: string,
) => void;

export interface CompiledOptions {
  /** What stands for its `import.meta.url`: whoever looks for files beside it takes their ending from there. */
  readonly moduleUrl: string;
  /** Where what V8 made of it is kept; undefined where there is no such place. */
  readonly folder: string | undefined;
  /** What it is loaded for: each use needs other functions, and has them compiled. */
  readonly use: string;
}

export interface Compiled {
  readonly exports: unknown;
  /** Of its text, what runs it and what for. */
  readonly digest: string;
  /** Keeps what V8 has compiled until now, unless it was kept before. */
  keep(): void;
}

/**
 * The CommonJS module at `path`, a file of ours in which `import.meta.url` is called `moduleUrl`. What V8 made of it is kept
 * for the next process, which need not compile it. Node 22 can do that by itself, Node 20 cannot.
 */
export function requireCompiled(path: string, options: CompiledOptions): Compiled {
  const { moduleUrl, folder, use } = options;
  const source = `(function (module, exports, require, moduleUrl) {${readFileSync(path, 'utf8')}\n})`;
  // V8 itself compares no more than the length of the source, and its flags: under others it would compile anew each time.
  const maker = `${process.version} ${process.arch} ${cachedDataVersionTag()}`;
  const key = createHash('sha256').update(`${maker} ${use}\0${source}`);
  const digest = key.digest('hex').slice(0, 16);
  const keptAt = folder === undefined ? undefined : join(folder, digest);
  const cachedData = keptAt === undefined ? undefined : kept(keptAt);
  const script = new Script(source, {
    filename: path,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as Wrapped;
  run(module, module.exports, createRequire(path), moduleUrl);
  return {
    exports: module.exports,
    digest,
    keep() {
      const isKept = cachedData && !script.cachedDataRejected;
      if (keptAt !== undefined && !isKept) keep(keptAt, script.createCachedData());
    },
  };
}
