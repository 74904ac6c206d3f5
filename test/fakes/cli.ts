import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { agentVariables } from '../../src/cli/agent.ts';
import { buildCli } from '../../tools/build/build.ts';
import { builtOnce } from './built-once.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const templates = 'src/cli/init/templates';

export interface FakeCli {
  /** Of the bundle: for tests that need the process itself. */
  readonly entry: string;
  run(args: readonly string[], options: RunOptions): Promise<Run>;
  remove(): void;
}

export interface RunOptions {
  readonly cwd: string;
  /** Undefined for a variable that is not set. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Closes the pipe after the first piece of stdout, as `head` does. */
  readonly readsOnce?: boolean;
  /** Standard input; nothing where it is left out. */
  readonly input?: string;
}

/** The command line, bundled as for npm, with `no-wait` for its only rule and the benchmarks of benchmark-cases.ts. */
export async function fakeCli(): Promise<FakeCli> {
  const root = await builtOnce('fake-cli', async (folder) => {
    await buildCli(join(folder, 'dist'), [fakeRules]);
    cpSync('package.json', join(folder, 'package.json'));
    cpSync(templates, join(folder, templates), { recursive: true });
    mkdirSync(join(folder, 'rules', 'no-wait'), { recursive: true });
    writeFileSync(join(folder, 'rules', 'no-wait', 'README.md'), page);
  });
  const entry = join(root, 'dist', 'cli.js');
  const cache = mkdtempSync(join(tmpdir(), 'deadtime-cache-'));
  return {
    entry,
    run: (args, options) =>
      finished(entry, args, { ...options, env: { XDG_CACHE_HOME: cache, ...options.env } }),
    remove: () => rmSync(cache, { recursive: true, force: true }),
  };
}

const fakeRules: Plugin = {
  name: 'fake-rules',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]proof[\\/]table\.ts$/ }, () => ({
      contents: "export { fakeTable as table } from './benchmark-cases.ts';",
      resolveDir: resolve('test/fakes'),
      loader: 'ts',
    }));
    onLoad({ filter: /[\\/]rules[\\/]index\.ts$/ }, () => ({
      contents: "import { noWait } from './no-wait.ts'; export const rules = [noWait];",
      resolveDir: resolve('test/fakes'),
      loader: 'ts',
    }));
  },
};

const page = `# no-wait

Disallow waiting.

## Why

Time that is waited is gone.

## Reported

\`\`\`ts
wait(9)
\`\`\`

## When to disable it

When **somebody** asked for it.
`;

function finished(entry: string, args: readonly string[], options: RunOptions): Promise<Run> {
  const { CI, FORCE_COLOR, NO_COLOR, ...env } = process.env;
  for (const it of agentVariables) delete env[it];
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: options.cwd,
    env: { ...env, ...options.env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {}).end(options.input ?? '');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (options.readsOnce) child.stdout.destroy();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
}
