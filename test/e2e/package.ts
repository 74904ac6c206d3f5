import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { filesFor, pack, packageExtension } from '../../scripts/package-extension.ts';
import { ownTarget, targets } from '../../scripts/parser-binary.ts';

describe('the .vsix', function () {
  this.timeout(60_000);
  const own = ownTarget();
  const namesFor = (target: typeof own) => filesFor(target).map(({ to }) => to);
  let path: string;

  before(async () => {
    path = await packageExtension();
  });

  it('is below 3 MB', () => ok(statSync(path).size < 3_000_000));

  it('is for one platform, whose binary is the only one in it', async () => {
    // npm has to be asked for the one that is not this machine's.
    for (const target of [own, 'alpine-x64'] as const) {
      match(await pack(target), new RegExp(`/deadtime-vscode-${target}-[\\d.]+\\.vsix$`));
      const binaries = namesFor(target).filter((it) => it.endsWith('.node'));
      const folder = `dist/server/node_modules/@oxc-parser/binding-${targets[target]}`;
      deepStrictEqual(binaries, [`${folder}/parser.${targets[target]}.node`]);
    }
  });

  it('holds what its manifest names', () => {
    const text = readFileSync('extension/package.json', 'utf8');
    const named = [...text.matchAll(/"\.?\/?((?:media|dist)\/[^"]+)"/g)].map(([, file]) => file!);
    ok(named.length > 5);
    const names = new Set(namesFor(own));
    const missing = [...named, 'readme.md', 'LICENSE.txt', 'dist/server/dist/cli.js'].filter(
      (it) => !names.has(it),
    );
    deepStrictEqual(missing, []);
  });

  it('holds nothing that only its development needs', () => {
    const stray = /\.map$|\.d\.ts$|\.vsix$|(?:^|\/)(?:test|fixtures|eslint|typescript)\//;
    deepStrictEqual(
      namesFor(own).filter((it) => stray.test(it)),
      [],
    );
  });

  for (const kind of ['postgres', 'mysql']) {
    it(`speaks to ${kind} with a driver of its own`, () => {
      const url = `${kind}://me@127.0.0.1:1/shop`;
      const program = [
        'extension/dist/server/dist/cli.js',
        'prove',
        'no-hot-path-sleep/full-batch',
      ];
      const { stdout } = spawnSync(process.execPath, [...program, '--database-url', url], {
        encoding: 'utf8',
      });
      match(stdout, /does not answer: .*ECONNREFUSED/);
    });
  }
});
