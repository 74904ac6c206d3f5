import type { Files } from '../../project/files.ts';
import { createModules, type ProjectModules } from '../../project/modules.ts';
import { isFailure, sourceOf } from '../../scan/parse.ts';

/** The modules of the project at /app. */
export function modulesOver(files: Files, options: { maximumText?: number } = {}): ProjectModules {
  return createModules({
    files,
    root: '/app',
    parse(text, path, modules) {
      const source = sourceOf(text, path, { modules: () => modules });
      return isFailure(source) ? undefined : source;
    },
    ...options,
  });
}
