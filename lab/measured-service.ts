import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Recording } from '../src/runtime/recording.ts';

/** A service of `fixtures/truth`. */
export interface Service {
  readonly name: string;
  readonly packages: readonly string[];
  /** Its form without the mistake. */
  readonly isFixed?: boolean;
  /** The parameters of `fixtures/truth/load.js`. */
  readonly load: readonly (string | number)[];
  readonly environment?: Readonly<Record<string, string>>;
}

const environment = {
  POSTGRES_URL: 'postgres://postgres@127.0.0.1:5432/test',
  MYSQL_URL: 'mysql://root@127.0.0.1:3306/test',
  REDIS_URL: 'redis://127.0.0.1:6379',
  ...process.env,
};
const own = resolve('fixtures/truth');

function folderOf({ name, packages, isFixed }: Service): string {
  const folder = mkdtempSync(join(tmpdir(), 'deadtime-truth-'));
  cpSync(join(own, name), folder, { recursive: true, filter: (it) => !it.endsWith('/fixed') });
  if (isFixed) cpSync(join(own, name, 'fixed'), folder, { recursive: true });
  cpSync(join(own, 'load.js'), join(folder, 'load.js'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const dependencies = Object.fromEntries(packages.map((it) => [it, '*']));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, private: true, type: 'module', dependencies }),
  );
  return folder;
}

/** What the built `deadtime run` records of it under its load; throws with what it printed where it records nothing. */
export function recordingOf(service: Service): Recording {
  const folder = folderOf(service);
  try {
    const { stderr } = spawnSync(
      process.execPath,
      [resolve('dist/cli.js'), 'run', '--load-script', 'load.js', '--', 'node', 'server.js'],
      {
        ...{ cwd: folder, encoding: 'utf8' },
        env: { ...environment, ...service.environment, LOAD: JSON.stringify(service.load) },
      },
    );
    if (!stderr.includes('Measured')) throw new Error(stderr);
    return JSON.parse(readFileSync(join(folder, '.deadtime/run.json'), 'utf8')) as Recording;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
