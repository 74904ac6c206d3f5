import { delimiter, isAbsolute } from 'node:path';

/**
 * PATH without the folders that a project brings: npm and npx put `node_modules/.bin` in front, and a relative folder is
 * whichever the command runs in. A program that is started by its name is the machine's.
 */
export function ownProgramPath(path: string): string {
  return path
    .split(delimiter)
    .filter((it) => isAbsolute(it) && !it.split(/[\\/]/).includes('node_modules'))
    .join(delimiter);
}
