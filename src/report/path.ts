import { isAbsolute, relative, sep } from 'node:path';

/** The path of a file in a report: relative to `cwd`, absolute outside it, with forward slashes. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path) || '.';
  const shown =
    inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside) ? path : inside;
  return sep === '/' ? shown : shown.replaceAll(sep, '/');
}
