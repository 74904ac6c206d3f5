import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { keep, kept } from './kept.ts';

type Wrapped = (module: { exports: unknown }, exports: unknown, require: NodeJS.Require) => void;

export interface Compiled {
  readonly exports: unknown;
  /** Of its text and what runs it. */
  readonly digest: string;
}

/**
 * The CommonJS module at `path`, a file of ours. What V8 made of it is kept in `folder` for the next process, which need
 * not compile it. Node 22 can do that by itself, Node 20 cannot.
 */
export function requireCompiled(path: string, folder: string): Compiled {
  const source = `(function (module, exports, require) {${readFileSync(path, 'utf8')}\n})`;
  // V8 itself compares no more than the length of the source.
  const key = createHash('sha256').update(`${process.version} ${process.arch}\0${source}`);
  const digest = key.digest('hex').slice(0, 16);
  const keptAt = join(folder, digest);
  const cachedData = kept(keptAt);
  const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as Wrapped;
  run(module, module.exports, createRequire(path));
  if (!cachedData || script.cachedDataRejected) {
    // By then V8 has compiled what a run needs.
    process.once('exit', () => keep(keptAt, script.createCachedData()));
  }
  return { exports: module.exports, digest };
}
