import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { globSync } from 'tinyglobby';
import { cliBuild } from './build.ts';
import { noticesOf } from './notices.ts';
import { ownTarget, parserBinary } from './parser-binary.ts';
import { sbomOf } from './sbom.ts';
import { traced } from './traced-source.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const out = `${root}extension/dist/`;

/** Bundles what the extension loads into extension/dist: the client, and Deadtime itself as a package of its own. */
export async function buildExtension(): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const client = await build({
    absWorkingDir: root,
    entryPoints: ['extension/main.ts'],
    outfile: `${out}extension.cjs`,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    external: ['vscode'],
    minify: true,
    metafile: true,
    logLevel: 'warning',
  });
  const server = await build({ ...serverBuild(), metafile: true });
  const metafiles = [client.metafile, server.metafile];
  writeFileSync(`${out}THIRD-PARTY-NOTICES.txt`, noticesOf(root, metafiles));
  writeFileSync(`${out}sbom.cdx.json`, sbomOf(root, metafiles, ['oxc-parser']));
  copyPackageFiles();
  copyParser();
}

/** As for npm, but with its dependencies: an extension installs none. */
function serverBuild(): BuildOptions {
  return {
    ...cliBuild([traced]),
    outdir: `${out}server/dist`,
    // The parser is copied as a package, because it loads its parts by path. The other packages come from the user, if at all.
    external: ['oxc-parser', 'pg-native', 'eslint'],
    // The other form of jsonc-parser loads its parts by names that a bundler does not see.
    mainFields: ['module', 'main'],
    // As for npm: stacks that are reported name what failed.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    banner: {
      js: `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`,
    },
  };
}

/** What the commands read of their package: src/system/package-root.ts is one folder above dist/. */
function copyPackageFiles(): void {
  const { name, version, files } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly files: readonly string[];
  };
  const read = files.filter((it) => it.startsWith('rules/') || it.startsWith('src/'));
  for (const path of globSync(read, { cwd: root })) copy(path, `server/${path}`);
  writeFileSync(
    `${out}server/package.json`,
    JSON.stringify({ name, version, type: 'module', private: true }),
  );
}

/** With its binary for this machine. */
function copyParser(): void {
  const scripts = globSync(['oxc-parser/{package.json,LICENSE}', 'oxc-parser/src-js/**/*.js'], {
    cwd: `${root}node_modules`,
  });
  for (const path of scripts) copy(`node_modules/${path}`, `server/node_modules/${path}`);
  for (const { from, to } of parserBinary(ownTarget())) copy(from, `server/${to}`);
}

function copy(from: string, to: string): void {
  const target = join(out, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(resolve(root, from), target);
}
