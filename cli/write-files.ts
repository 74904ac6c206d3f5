import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './failure.ts';

export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  readonly text: string;
}

/** Writes them all, each whole, or none; a device or a pipe is written to as it is. Throws `UsageError`. */
export function writeFiles(files: readonly FileToWrite[]): void {
  const written: { readonly path: string; readonly draft: string }[] = [];
  try {
    for (const { path, text } of files) {
      try {
        const target = targetOf(path);
        written.push(target);
        writeFileSync(target.draft, text);
      } catch (error) {
        throw new UsageError(`Cannot write ${path}: ${(error as Error).message}`);
      }
    }
    for (const { path, draft } of written) if (draft !== path) renameSync(draft, path);
  } catch (error) {
    for (const { path, draft } of written) if (draft !== path) rmSync(draft, { force: true });
    throw error;
  }
}

/** A regular file comes into being beside its place, and takes it at the end. */
function targetOf(file: string): { readonly path: string; readonly draft: string } {
  const named = resolve(file);
  const stat = statSync(named, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new Error('it is a folder');
  // What a link points to is replaced, not the link.
  const path = stat ? realpathSync(named) : named;
  if (stat && !stat.isFile()) return { path, draft: path };
  mkdirSync(dirname(path), { recursive: true });
  return { path, draft: join(dirname(path), `.${basename(path)}.${process.pid}`) };
}
