import { delimiter, isAbsolute } from 'node:path';

/** As the user has set it: for a command that the user names. */
export const GIVEN_PATH = process.env['PATH'];

/**
 * PATH without the folders that a project controls: npm and npx put `node_modules/.bin` in front, and a relative folder depends
 * on the working directory. A program started by its name is the machine's.
 */
export function ownProgramPath(path: string): string {
  return path
    .split(delimiter)
    .filter((it) => isAbsolute(it) && !it.split(/[\\/]/).includes('node_modules'))
    .join(delimiter);
}
