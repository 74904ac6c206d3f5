import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { contains } from '../project/tree.ts';
import { UsageError } from './failure.ts';

export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  readonly text: string;
  /** The project that it is to be in, where its user has not named the file: links lead out of it no more than `..` would. */
  readonly within?: string;
  readonly isExecutable?: boolean;
}

/**
 * Writes them all, each whole, or none; a device or a pipe is written to as it is. The one place of the command line that writes to a
 * project. Throws `UsageError`.
 */
export function writeFiles(files: readonly FileToWrite[]): void {
  const written: { readonly path: string; readonly draft: string }[] = [];
  try {
    for (const file of files) {
      const { path, text, within = projectOf(path) } = file;
      try {
        if (within !== undefined) assertInside(path, within);
        const { mode, ...target } = targetOf(file);
        const isDraft = target.draft !== target.path;
        written.push(target);
        // A link at a draft's place is not followed.
        writeFileSync(target.draft, text, { flag: isDraft ? 'wx' : 'w' });
        if (isDraft && mode !== undefined) chmodSync(target.draft, mode);
      } catch (error) {
        if (error instanceof UsageError) throw error;
        throw new UsageError(`Cannot write ${path}: ${(error as Error).message}`);
      }
    }
    for (const { path, draft } of written) if (draft !== path) renameSync(draft, path);
  } catch (error) {
    for (const { path, draft } of written) if (draft !== path) rmSync(draft, { force: true });
    throw error;
  }
}

/** Adds to a file that CI names; other commands of the job write to it, too. */
export function appendToFile(path: string, text: string): void {
  appendFileSync(path, text);
}

/** Of `--html`, absolute: the errors that are visible before the run; a disk may still fill up during it. Throws a `UsageError`. */
export function writablePath(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--html names a file, and ${path} is a folder.`);
  }
  if (!statSync(dirname(absolute), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--html: there is no folder ${dirname(absolute)}.`);
  }
  return absolute;
}

/** The links of the working directory come with the code that is scanned, so a report that a user names there follows none out of it. */
function projectOf(path: string): string | undefined {
  const around = process.cwd();
  return contains(around, resolve(path)) ? around : undefined;
}

/** Throws a `UsageError` where the path, or a folder above it, is a link that leads out of `folder`, or to nothing. */
export function assertInside(path: string, folder: string): void {
  const real = realOf(path);
  if (real !== undefined && contains(realpathSync(folder), real)) return;
  const where = real === undefined ? 'to nothing' : `out of the project, to ${real}`;
  throw new UsageError(
    `${path} was not written: a link leads ${where}. Replace the link with a file or folder.`,
  );
}

/** Without links; what does not exist yet is judged by its folder. Undefined for a link to nothing. */
function realOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })) {
    return statSync(path, { throwIfNoEntry: false }) && realpathSync(path);
  }
  const folder = realOf(dirname(path));
  return folder === undefined ? undefined : join(folder, basename(path));
}

/** A regular file is written next to its place, with the permissions of the old file, and replaces it at the end. */
function targetOf({ path: file, isExecutable = false }: FileToWrite) {
  const named = resolve(file);
  const stat = statSync(named, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new Error('it is a folder');
  // What a link points to is replaced, not the link.
  const path = stat ? realpathSync(named) : named;
  if (stat && !stat.isFile()) return { path, draft: path, mode: undefined };
  mkdirSync(dirname(path), { recursive: true });
  // Not imported: each start of the command line would wait for it.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  return { path, draft, mode: isExecutable ? 0o755 : stat && stat.mode & 0o777 };
}
