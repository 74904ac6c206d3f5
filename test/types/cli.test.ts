import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtCli } from '../fakes/built-cli.ts';
import { ordersOfContext, typedProject } from '../fakes/typed-project.ts';

/** Leaves a file behind when it is loaded. */
const spy = {
  'node_modules/typescript/package.json': '{ "name": "typescript", "main": "index.js" }',
  'node_modules/typescript/index.js':
    "require('node:fs').writeFileSync(__dirname + '/loaded', '');",
};

describe('types on the command line', function () {
  this.timeout(120_000);
  let cli: string;
  before(async () => (cli = await builtCli()));

  function deadtime(cwd: string, ...args: readonly string[]) {
    const env = { ...process.env, NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      ...{ cwd, encoding: 'utf8', env },
    });
    return { status, stdout, stderr };
  }

  it('find what is unknown without them, and take the time that --timing prints', () => {
    const { path } = typedProject({ 'src/orders.ts': ordersOfContext });
    const without = deadtime(path, 'check');
    deepStrictEqual(
      [without.status, without.stdout],
      [
        0,
        'Nothing found in 1 file, 9 lines. Deadtime understands hardly any of the awaits; `deadtime coverage` shows the rest. It does not support tenants (about 100 % of the awaits).\n',
      ],
    );
    const { status, stdout, stderr } = deadtime(path, 'check', '--types', '--timing');
    strictEqual(status, 1);
    match(stdout, /^src\/orders\.ts:4:24 {2}error {2}no-leaked-connection\n/);
    match(stderr, /^ +[1-9]\d*\.\d ms {2}types$/m);
  });

  it('explain, and keep in the baseline, what only they find', () => {
    const { path } = typedProject({ 'src/orders.ts': ordersOfContext });
    match(deadtime(path, 'explain', 'src/orders.ts:4', '--types').stdout, /no-leaked-connection/);
    strictEqual(deadtime(path, 'explain', 'src/orders.ts:4').status, 2);
    match(deadtime(path, 'baseline', '--types').stdout, /^1 added/);
    strictEqual(deadtime(path, 'check', '--types').status, 0);
  });

  it('run nothing of the project unless asked', () => {
    const { path } = typedProject({ 'src/orders.ts': ordersOfContext, ...spy }, 'none');
    const isLoaded = () => existsSync(join(path, 'node_modules/typescript/loaded'));
    strictEqual(deadtime(path, 'check').status, 0);
    strictEqual(isLoaded(), false);
    match(deadtime(path, 'check', '--types').stderr, /without types: .*typescript cannot be used/);
    strictEqual(isLoaded(), true);
  });

  it('are left out with a word where there is none to ask', () => {
    const { path } = typedProject({ 'src/orders.ts': ordersOfContext }, 'none');
    const { status, stdout, stderr } = deadtime(path, 'check', '--types');
    deepStrictEqual(
      [status, stdout, stderr],
      [
        0,
        'Nothing found in 1 file, 9 lines. Deadtime understands hardly any of the awaits; `deadtime coverage` shows the rest. It does not support tenants (about 100 % of the awaits).\n',
        'deadtime: without types: no TypeScript is installed\n',
      ],
    );
  });
});
