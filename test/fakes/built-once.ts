import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const variable = 'DEADTIME_TEST_RUN';

/** Mocha calls it once in a run, before it starts the processes in which files of tests run side by side. */
export function mochaGlobalSetup(): void {
  // Below node_modules, so that bundles find their dependencies.
  mkdirSync('node_modules/.cache', { recursive: true });
  process.env[variable] = mkdtempSync(resolve('node_modules/.cache/deadtime-'));
}

export function mochaGlobalTeardown(): void {
  rmSync(process.env[variable]!, { recursive: true, force: true });
}

/** The folder that `build` fills: once for all files of tests, which must not change it, unless several begin with it. */
export async function builtOnce(
  name: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const run = process.env[variable]!;
  const folder = join(run, name);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(run, `${name}-`));
  await build(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
