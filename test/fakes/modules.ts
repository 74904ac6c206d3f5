import { describe as described } from '../../src/analysis/provenance/describe.ts';
import { exportedValue } from '../../src/analysis/provenance/exports.ts';
import type { Files } from '../../src/project/files.ts';
import { createModules } from '../../src/project/modules.ts';
import { type ProjectModules } from '../../src/project/project-modules.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';

/** The modules of the project at /app. */
export function modulesOver(
  files: Files,
  { onParse, ...options }: { maximumText?: number; onParse?: (path: string) => void } = {},
): ProjectModules {
  return createModules({
    files,
    root: '/app',
    parse(text, path, modules) {
      onParse?.(path);
      const source = sourceOf(text, path, { modules: () => modules });
      return isFailure(source) ? undefined : source;
    },
    ...options,
  });
}

/** Exports `pool`. */
export const POOL = "import { Pool } from 'pg'\nexport const pool = new Pool()\n";

/** What `name` of `path` is, as other files see it. */
export function exportOf(modules: ProjectModules, path: string, name: string): string {
  const file = modules.factsAt(path);
  return file ? described(exportedValue(file, name)) : 'no file';
}
