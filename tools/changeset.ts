// `npm run changeset -- [add|status|version]`: changesets for the package at the top of the repository.
// Changesets versions the packages of `workspaces` alone, so it runs in a copy without them.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const cli = resolve('node_modules/@changesets/cli/bin.js');
const kept = ['.changeset', 'CHANGELOG.md'];
const copy = mkdtempSync(join(tmpdir(), 'deadtime-changeset-'));
try {
  const text = readFileSync('package.json', 'utf8');
  const { name, version } = JSON.parse(text) as Manifest;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ name, version }, undefined, 2));
  for (const it of kept) if (existsSync(it)) cpSync(it, join(copy, it), { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=copy');
  process.exitCode = run(process.execPath, [cli, ...process.argv.slice(2)]);
  const next = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(
    'package.json',
    text.replace(`"version": "${version}"`, `"version": "${next.version}"`),
  );
  for (const it of kept.filter((file) => existsSync(join(copy, file)))) {
    rmSync(it, { recursive: true, force: true });
    cpSync(join(copy, it), it, { recursive: true });
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function git(...parameters: readonly string[]): void {
  const identity = ['-c', 'user.name=copy', '-c', 'user.email=copy@localhost'];
  run('git', [...identity, '-c', 'commit.gpgsign=false', ...parameters]);
}

function run(command: string, parameters: readonly string[]): number {
  return spawnSync(command, parameters, { cwd: copy, stdio: 'inherit' }).status ?? 1;
}
