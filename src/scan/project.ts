import type { DeclarationsOptions } from '../project/declarations.ts';
import { disk, type Files } from '../project/files.ts';
import { createModules } from '../project/modules.ts';
import { type ProjectModules } from '../project/project-modules.ts';
import type { ModulesOptions } from '../project/modules-options.ts';
import type { TypeMemory } from '../project/type-memory.ts';
import type { Clock } from './clock.ts';
import { isFailure, sourceOf } from './parse.ts';

/** How a project's files are read, and the provider of their types. */
export interface ProjectOptions extends DeclarationsOptions {
  readonly files?: Files;
  /** For reads other than code; as `files` where a host does not separate them. */
  readonly around?: Files | undefined;
  readonly types?: TypeMemory | undefined;
  /** For hosts that cache findings, and need their dependencies. */
  readonly notesReads?: boolean;
  /** No host calls `refresh`: modification times are not needed. */
  readonly isForOneScan?: boolean;
  readonly knownNames?: ModulesOptions['knownNames'];
  readonly earlier?: ModulesOptions['earlier'];
}

/** The modules of the project at `root`, read on demand. */
export function projectModules(
  root: string,
  clock: Clock,
  { files = disk, around = files, types, isForOneScan = false, ...options }: ProjectOptions = {},
): ProjectModules {
  return createModules({
    ...options,
    root,
    around,
    files: isForOneScan ? { ...files, stamp: () => undefined } : files,
    parse(text, path, modules, previous) {
      const source = clock.measure('parse', () =>
        sourceOf(text, path, { modules: () => modules, previous, types }),
      );
      return isFailure(source) ? undefined : source;
    },
  });
}
