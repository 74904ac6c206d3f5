import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { forgetOld } from './forget-old.ts';

type Wrapped = (module: { exports: unknown }, exports: unknown, require: NodeJS.Require) => void;

/**
 * What the CommonJS module at `path`, a file of ours, exports. What V8 made of it is kept in `folder` for the next
 * process, which need not compile it. Node 22 can do that by itself, Node 20 cannot.
 */
export function requireCompiled(path: string, folder: string): unknown {
  const source = `(function (module, exports, require) {${readFileSync(path, 'utf8')}\n})`;
  // V8 itself compares no more than the length of the source.
  const key = createHash('sha256').update(`${process.version} ${process.arch}\0${source}`);
  const keptAt = join(folder, key.digest('hex').slice(0, 16));
  const cachedData = kept(keptAt);
  const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as Wrapped;
  run(module, module.exports, createRequire(path));
  if (!cachedData || script.cachedDataRejected) {
    // By then V8 has compiled what a run needs.
    process.once('exit', () => keep(keptAt, script.createCachedData()));
  }
  return module.exports;
}

function kept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Another process may read the file meanwhile, or write the same. */
function keep(path: string, data: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    forgetOld(dirname(path));
    writeFileSync(`${path}.${process.pid}`, data);
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // Nothing can be kept here: the next process compiles it again.
  }
}
