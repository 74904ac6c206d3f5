import { disk, type Files } from '../project/files.ts';
import { createModules, type ProjectModules } from '../project/modules.ts';
import type { Clock } from './clock.ts';
import { isFailure, sourceOf } from './parse.ts';

/** What the files of the project at `root` say to each other, read when one asks. */
export function projectModules(root: string, clock: Clock, files: Files = disk): ProjectModules {
  return createModules({
    root,
    files,
    parse(text, path, modules, previous) {
      const source = clock.measure('parse', () =>
        sourceOf(text, path, { modules: () => modules, previous }),
      );
      return isFailure(source) ? undefined : source;
    },
  });
}
