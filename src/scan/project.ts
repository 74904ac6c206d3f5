import { disk, type Files } from '../project/files.ts';
import { createModules } from '../project/modules.ts';
import { type ProjectModules } from '../project/project-modules.ts';
import type { ModulesOptions } from '../project/modules-options.ts';
import type { TypeMemory } from '../project/type-memory.ts';
import type { Clock } from './clock.ts';
import { isFailure, sourceOf } from './parse.ts';

/** Where a project's files are read, and who knows the types in them. */
export interface ProjectOptions {
  readonly files?: Files;
  /** For what is read beside the code; as `files` where nobody tells it apart. */
  readonly around?: Files | undefined;
  readonly types?: TypeMemory | undefined;
  /** For whoever keeps findings, and has to know what they rest on. */
  readonly notesReads?: boolean;
  /** Nobody asks for `refresh`: when files were written is of no use. */
  readonly isForOneScan?: boolean;
  readonly knownNames?: ModulesOptions['knownNames'];
  readonly earlier?: ModulesOptions['earlier'];
}

/** What the files of the project at `root` say to each other, read when one asks. */
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
