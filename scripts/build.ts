import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { buildFrom } from '../scan/cache/build.ts';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Bundles what npm publishes: dist/cli.js with its lazily loaded parts, dist/hook.cjs, and dist/plugin.js. */
export async function buildPackage(): Promise<void> {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const cli = cliBuild();
  const built = await Promise.all([
    build({ ...cli, plugins: [hookApart], metafile: true }),
    build({
      ...common(),
      entryPoints: ['cli/commands/hook.ts'],
      outfile: 'dist/hook.cjs',
      format: 'cjs',
      external: ['oxc-parser'],
      minify: true,
      sourcemap: false,
      metafile: true,
    }),
    build({
      ...common(),
      stdin: {
        // The second name is what `require()` of an ES module returns, from Node 20.19 on.
        contents: `export { default, default as 'module.exports' } from './plugin.ts';`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile: 'dist/plugin.js',
      metafile: true,
    }),
  ]);
  chmodSync(`${root}dist/cli.js`, 0o755);
  const metafiles = built.map((it) => it.metafile);
  writeFileSync(`${root}dist/THIRD-PARTY-NOTICES.txt`, noticesOf(root, metafiles));
  const installed = Object.keys(manifest().dependencies);
  writeFileSync(`${root}dist/sbom.cdx.json`, sbomOf(root, metafiles, installed));
  copyFileSync(`${root}scripts/plugin-types.d.ts`, `${root}dist/plugin.d.ts`);
}

/** How dist/cli.js is made; a test makes one with rules of its own. */
export function cliBuild(): BuildOptions {
  return {
    ...common(),
    entryPoints: {
      cli: 'cli/main.ts',
      // Started as processes of their own.
      keeper: 'benchmarks/servers/keeper.ts',
      'delay-proxy': 'benchmarks/servers/delay-proxy.ts',
      'benchmark-process': 'benchmarks/harness/benchmark-process.ts',
      'type-process': 'types/type-process.ts',
      // Started as a thread.
      'analysis-worker': 'server/analysis/analysis-worker.ts',
    },
    outdir: 'dist',
    // A command that is not run is not read. The parts lie beside cli.js: cli/package.ts counts on the depth.
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: { js: '#!/usr/bin/env node' },
  };
}

function common(): BuildOptions {
  const { dependencies, peerDependencies } = manifest();
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { DEADTIME_BUILD: JSON.stringify(buildFrom(root)) },
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    sourcemap: true,
    logLevel: 'warning',
  };
}

function manifest() {
  return JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Readonly<
    Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>
  >;
}

/** Makes dist/cli.js load the hook from dist/hook.cjs. */
const hookApart: Plugin = {
  name: 'hook apart',
  setup(building) {
    building.onResolve({ filter: /\/commands\/hook\.ts$/ }, () => ({
      path: `${root}cli/hook/apart.ts`,
    }));
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPackage();
