import { join, resolve } from 'node:path';
import { hashOf } from '../project/file-state.ts';
import { disk, type Files } from '../project/files.ts';
import { contains } from '../project/tree.ts';
import { visible, visibleLines } from '../report/visible.ts';
import type { Profile } from '../../rules/define-rule.ts';
import { buildOfDeadtime } from '../scan/cache/build.ts';
import { type ScanMemory, scanMemory } from '../scan/cache/scan-memory.ts';
import { ownSecret, userCacheFolder } from '../system/own-files.ts';
import type { TypesOption } from './types.ts';

export interface CacheOptions extends TypesOption {
  /** Whether what earlier runs found out is used, and kept for later ones. */
  readonly cache: boolean;
  readonly cacheLocation?: string;
  readonly profile?: Profile;
  /** Names of those that are run; all of them without it. */
  readonly rule?: readonly string[];
  /** Whether the results contain the probes of a program. */
  readonly findsProbes?: boolean;
}

/**
 * In the user's folder and not in the project's: scanned code must not be able to forge results. Undefined where the cache is
 * disabled or has no place.
 */
export function memoryFor(
  root: string,
  options: CacheOptions,
  { run }: Files = disk,
): ScanMemory | undefined {
  const { cache, cacheLocation, profile = '', rule = [], findsProbes = false } = options;
  // Answers of TypeScript may depend on any file of any package.
  if (!cache || options.types) return undefined;
  const folder = cacheLocation === undefined ? ownFolder() : resolve(cacheLocation);
  if (folder === undefined) return undefined;
  const kind = [root, profile, ...(findsProbes ? ['probes'] : []), ...new Set(rule)];
  const version = versionFor(folder, root);
  if (version === undefined) return undefined;
  const memory = scanMemory({ folder, version, kind, ...(run && { run }) });
  const saying = (keep: () => void) => {
    try {
      keep();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      process.stderr.write(
        `deadtime: cannot write the cache, so the next run scans all files again: ${cause}\n`,
      );
    }
  };
  return {
    ...memory,
    keep: (...them) => saying(() => memory.keep(...them)),
    keepAsIs: () => saying(() => memory.keepAsIs()),
  };
}

/** The cached names in the texts of the files at `root`, as `check` last wrote them; read at the first question. */
export function knownNamesOf(root: string): ScanMemory['knownNames'] {
  let memory: ScanMemory | undefined;
  let isRead = false;
  return (path) => {
    if (!isRead) memory = memoryFor(root, { cache: true });
    isRead = true;
    return memory?.knownNames(path);
  };
}

/** What lies in the project may have come with it, so this user's own has a mark that nothing else can have. */
function versionFor(folder: string, root: string): string | undefined {
  const build = buildOfDeadtime();
  if (!contains(root, folder)) return build;
  try {
    return `${build} ${hashOf(`${ownSecret()}\0${folder}`)}`;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    process.stderr.write(`deadtime: ${visible(folder)} is not used: ${visibleLines(cause)}\n`);
    return undefined;
  }
}

function ownFolder(): string | undefined {
  try {
    return join(userCacheFolder(), 'scans');
  } catch {
    // The user has no home.
    return undefined;
  }
}
