import { isAbsolute, relative, sep } from 'node:path';

/** As a report shows a file: relative to `cwd`, absolute outside it, with forward slashes. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path) || '.';
  const shown =
    inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside) ? path : inside;
  return sep === '/' ? shown : shown.replaceAll(sep, '/');
}
