import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { foldersFrom } from '../folders-above.ts';
import type { Checker } from './checker.ts';
import { classicChecker } from './classic.ts';
import type { NativeApi } from './native-api.ts';
import { nativeChecker, type NativeNames } from './native.ts';

/** A TypeScript as it is installed in a project. */
export interface Installed {
  /** Of its package. */
  readonly folder: string;
  /** Runs it. */
  load(): Checker;
}

/** Where a project has both, `typescript` is an older version for tools that need it, and this version checks. */
const packages = ['@typescript/native', 'typescript'];

/** The TypeScript that a file's project has installed; nothing of it is run yet. */
export function installedFor(path: string): Installed | undefined {
  for (const name of packages) {
    // Node.js would look up to the top of the disk, and what is found is run.
    const owner = foldersFrom(dirname(path)).find((it) =>
      existsSync(join(it, 'node_modules', name, 'package.json')),
    );
    if (owner === undefined) continue;
    const installed = createRequire(join(owner, 'package.json'));
    const manifest = found(() => installed.resolve(`${name}/package.json`));
    if (manifest === undefined) continue;
    const folder = dirname(manifest);
    for (const prefix of [name, `${name}/unstable`]) {
      const api = found(() => installed.resolve(`${prefix}/sync`));
      if (api === undefined) continue;
      return {
        folder,
        load() {
          // 7.0 has another file system under the same name.
          const names = (prefix === name ? installed(`${prefix}/fs`) : {}) as NativeNames;
          return nativeChecker(installed(api) as NativeApi, names, dirname(path));
        },
      };
    }
    return { folder, load: () => classicChecker(installed(name) as typeof ts) };
  }
  return undefined;
}

function found(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}
