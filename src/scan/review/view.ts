import { type Files, withoutMark } from '../../project/files.ts';
import type { ProjectModules } from '../../project/project-modules.ts';
import type { ModulesOptions } from '../../project/modules-options.ts';
import type { Rule } from '../../../rules/define-rule.ts';
import type { Clock } from '../clock.ts';
import type { Configurations } from '../configuration.ts';
import { projectModules } from '../project.ts';
import { scanFiles, type ScanResult } from '../scan-files.ts';
import type { Watch } from '../watch.ts';
import { wordsFor } from '../left-out.ts';

/** The project as it was or is on one side of a change. */
export interface View {
  readonly modules: ProjectModules;
  scan(paths: readonly string[]): Promise<ScanResult>;
  /** The text of the scan: offsets count from its first character. */
  textAt(path: string): string | undefined;
}

export interface ViewOptions {
  readonly rules: readonly Rule[];
  readonly isOfSomeRules?: boolean;
  /** The same on both sides: a configuration that has changed brings no findings. */
  readonly configurations: Configurations;
  readonly clock: Clock;
  /** Of the files on disk: the cached names of a text, which saves reading it. */
  readonly knownNames?: ModulesOptions['knownNames'];
  readonly watch?: Watch | undefined;
}

export function viewOf(files: Files, root: string, options: ViewOptions): View {
  const { knownNames, configurations } = options;
  const { usesUnconfirmed } = configurations;
  const modules = projectModules(root, options.clock, { files, knownNames, usesUnconfirmed });
  const read = (path: string) => {
    const text = files.read(path);
    return text === undefined
      ? ({ reason: 'unreadable', message: wordsFor('unreadable') } as const)
      : { text };
  };
  return {
    modules,
    scan: (paths) =>
      scanFiles(
        { files: paths, named: new Set(), missing: [], notices: [] },
        { ...options, modules, read },
      ),
    textAt(path) {
      options.watch?.begin(path);
      const text = files.read(path);
      return text === undefined ? undefined : withoutMark(text);
    },
  };
}
