import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { placeFrom } from '../scan/places.ts';
import { rootAround } from '../scan/repository.ts';

/** A caller's mistake, in words that help it: the tool answers with them. */
export class Refusal extends Error {}

/** The folder that the tools may read: the repository around the folder in which the server was started. */
export interface Workspace {
  /** The folder for relative paths, without symbolic links. */
  readonly cwd: string;
  /** The tools name, scan and measure nothing outside of it. */
  readonly root: string;
}

export function workspaceAt(folder: string): Workspace {
  const cwd = realpathSync(folder);
  return { cwd, root: rootAround(cwd) };
}

/** Absolute and without symbolic links, so that neither they nor `..` lead out; a missing file is judged by its folder. */
export function pathInside({ cwd, root }: Workspace, path: string): string {
  if (path.includes('\0')) throw new Refusal(`${JSON.stringify(path)} is no name of a file.`);
  const real = realPathOf(resolve(cwd, path));
  const inside = relative(root, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new Refusal(`${path} is outside of the workspace. Name a path below ${root}.`);
  }
  return real;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

/** `file:line`, `file:line:column` or `file:line:column#number` with an absolute file; undefined for a name of another form. */
export function placeInside(workspace: Workspace, name: string): string | undefined {
  const place = placeFrom(name);
  if (!place) return undefined;
  return `${pathInside(workspace, place.file)}:${place.name}`;
}
