import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { buildFrom } from '../../src/scan/cache/build.ts';
import { modelNames } from './model-names.ts';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';
import { traced } from './traced-source.ts';
import { buildInTwo } from './two-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Bundles what npm publishes: the command line, and dist/plugin.js. Returns what is in the plugin. */
export async function buildPackage(): Promise<Metafile> {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const [cli, plugin] = await Promise.all([buildCli('dist'), buildPlugin()]);
  chmodSync(`${root}dist/cli.js`, 0o755);
  copyFileSync(`${root}tools/build/plugin-types.d.ts`, `${root}dist/plugin.d.ts`);
  // It is imported for what it does.
  writeFileSync(`${root}dist/register.d.ts`, 'export {};\n');
  writeContents(`${root}dist`, [...cli, plugin]);
  return plugin;
}

function buildPlugin(): Promise<Metafile> {
  return metafileOf({
    ...common(),
    stdin: {
      // The second name is what `require()` of an ES module returns, from Node 20.19 on.
      contents: `export { default, default as 'module.exports' } from './src/eslint/plugin.ts';`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: 'dist/plugin.js',
  });
}

/** Lists the packages in these bundles, and those that npm installs next to them, in files of the folder. */
export function writeContents(folder: string, metafiles: readonly Metafile[]): void {
  writeFileSync(`${folder}/THIRD-PARTY-NOTICES.txt`, noticesOf(root, metafiles));
  const installed = Object.keys(manifest().dependencies);
  writeFileSync(`${folder}/sbom.cdx.json`, sbomOf(root, metafiles, installed));
}

/**
 * Writes npm's command line: cli.js, the modules that it starts as processes, and command-line.cjs and commands.cjs, of which
 * it immediately reads what a run needs, and keeps it compiled. A test builds one with its own rules.
 */
export async function buildCli(
  outdir: string,
  plugins: readonly Plugin[] = [],
): Promise<readonly Metafile[]> {
  const [processes, commandLine] = await Promise.all([
    metafileOf({ ...cliBuild([...plugins, compiledApart, traced]), outdir }),
    buildInTwo(
      {
        ...common(plugins),
        define: { ...common().define, 'import.meta.url': 'moduleUrl' },
        // What Node compiles from a text cannot load modules that way without a warning.
        supported: { 'dynamic-import': false },
        banner: {},
      },
      {
        root,
        first: `${outdir}/command-line.cjs`,
        second: `${outdir}/commands.cjs`,
        packages: `${outdir}/packages.cjs`,
        isApart: /^(?:@modelcontextprotocol\/|pg$|vscode-languageserver|zod$)/,
        // What a `check` needs that an earlier run has answered: each start waits for that.
        start: ['src/cli/command-line.ts', 'src/cli/run.ts', 'src/cli/commands/check.ts'],
        copied: /^src\/(?:engine|analysis|patterns)\//,
      },
    ),
  ]);
  return [processes, ...commandLine];
}

/** All of the command line in modules, for a program that starts it once. */
export function cliBuild(plugins: readonly Plugin[] = []): BuildOptions {
  return {
    ...common(plugins),
    entryPoints: {
      cli: 'src/cli/main.ts',
      // Started as processes of their own.
      keeper: 'src/proof/servers/keeper.ts',
      'delay-proxy': 'src/proof/servers/delay-proxy.ts',
      'benchmark-process': 'src/proof/harness/benchmark-process.ts',
      'type-process': 'src/project/typescript/type-process.ts',
      'why-process': 'src/cli/why-process.ts',
      // Loaded into programs that are measured.
      register: 'src/runtime/program/register.ts',
      'loader-thread': 'src/runtime/program/loader-thread.ts',
      // Started as threads.
      'analysis-worker': 'server/analysis/analysis-worker.ts',
      'mcp-worker': 'src/cli/commands/mcp-worker.ts',
    },
    outdir: 'dist',
    // A command that does not run is not read. The parts are next to cli.js: src/system/package-root.ts depends on the depth.
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: { js: `#!/usr/bin/env node\n${requireBanner}` },
  };
}

/** Packages in CommonJS load what comes with Node.js by `require`, which a module lacks. */
const requireBanner = `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`;

function common(plugins: readonly Plugin[] = []): BuildOptions {
  const { dependencies, peerDependencies } = manifest();
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { DEADTIME_BUILD: JSON.stringify(buildFrom(root)) },
    // All else is bundled: npm installs no package next to it. pg loads pg-native where a user asks for it, which we do not.
    external: [...Object.keys({ ...dependencies, ...peerDependencies }), 'pg-native'],
    // The other form of jsonc-parser loads its parts by names that a bundler does not see.
    mainFields: ['module', 'main'],
    plugins: [...plugins, modelNames],
    // Not the names: a minified stack in a user's report would be unreadable, and restoring names costs each closure.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  };
}

function manifest() {
  return JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Readonly<
    Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>
  >;
}

/** Makes dist/cli.js load all else from dist/command-line.cjs and dist/commands.cjs. */
const compiledApart: Plugin = {
  name: 'compiled apart',
  setup(building) {
    building.onResolve({ filter: /^\.\/command-line\.ts$/ }, () => ({
      path: `${root}src/cli/compiled/command-line.ts`,
    }));
  },
};

async function metafileOf(options: BuildOptions): Promise<Metafile> {
  return (await build({ ...options, metafile: true })).metafile;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPackage();
