import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { installedApart } from '../../tools/install-apart.ts';
import { filesFor, pack, packageExtension } from '../../tools/build/package-extension.ts';
import { ownTarget, targets } from '../../tools/build/parser-binary.ts';
import { folderWith } from '../fakes/folder.ts';

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
    const manifest = readFileSync('extension/package.json', 'utf8');
    const named = [...manifest.matchAll(/"\.?\/?((?:media|dist)\/[^"]+)"/g)].map(([, it]) => it!);
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

  it('is made without network, and the same again', function () {
    const account = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
    const cut = ['--net', ...account];
    if (spawnSync('unshare', [...cut, 'true']).status !== 0) {
      this.test!.title += ' (skipped: unshare --net is not allowed here)';
      return this.skip();
    }
    const before = readFileSync(path);
    const { status, stdout, stderr } = spawnSync('unshare', [...cut, 'npm', 'run', 'package'], {
      encoding: 'utf8',
    });
    strictEqual(status, 0, stderr);
    match(stdout, /\.vsix: \d\.\d\d MB\n$/);
    ok(before.equals(readFileSync(path)));
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

  describe('for Open VSX', () => {
    let modules: string;
    before(() => {
      modules = installedApart(resolve('node_modules/.cache/deadtime-ovsx'), ['ovsx', '1.0.2']);
    });
    const load = (file: string): unknown => createRequire(join(modules, 'own.cjs'))(file);

    it('is for platforms that there are', () => {
      const { Targets } = load('@vscode/vsce/out/package.js') as { Targets: ReadonlySet<string> };
      deepStrictEqual(
        Object.keys(targets).filter((it) => !Targets.has(it)),
        [],
      );
    });

    it('states the same about itself as vsce', async () => {
      const folder = folderWith({}).path;
      for (const { from, to } of filesFor(own)) {
        mkdirSync(dirname(join(folder, to)), { recursive: true });
        cpSync(from, join(folder, to));
      }
      cpSync('extension/package.json', join(folder, 'package.json'));
      const theirs = join(folder, 'theirs.vsix');
      const options = ['--no-dependencies', '--allow-missing-repository', '--target', own];
      const program = [join(modules, '@vscode/vsce/vsce'), 'package', ...options];
      const { status, stderr } = spawnSync(process.execPath, [...program, '--out', theirs], {
        ...{ cwd: folder, encoding: 'utf8' },
      });
      strictEqual(status, 0, stderr);
      const { readVSIXPackage } = load('@vscode/vsce/out/zip.js') as {
        readVSIXPackage(path: string): Promise<VsixPackage>;
      };
      const [ours, expected] = await Promise.all([path, theirs].map(readVSIXPackage));
      deepStrictEqual(saidIn(ours!), saidIn(expected!));
    });

    it('is taken by its program, with a licence and no proposed API', async () => {
      const manifest = JSON.parse(readFileSync('extension/package.json', 'utf8')) as object;
      deepStrictEqual(
        ['license', 'enabledApiProposals'].map((it) => Object.hasOwn(manifest, it)),
        [true, false],
      );
      let sent: Buffer | undefined;
      const registry = createServer((request, response) => {
        void buffer(request).then((it) => {
          sent = it;
          const answer = {
            namespace: 'deadtime',
            name: 'deadtime-vscode',
            version: '0',
            files: {},
          };
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ ...answer, targetPlatform: own }));
        });
      });
      registry.listen(0, '127.0.0.1');
      await once(registry, 'listening');
      const { port } = registry.address() as AddressInfo;
      const options = ['--registryUrl', `http://127.0.0.1:${port}`, '--pat', 'a-token'];
      const program = [join(modules, '.bin/ovsx'), 'publish', path, ...options];
      const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
      registry.close();
      match(said, new RegExp(`Published deadtime\\.deadtime-vscode v0@${own}`));
      ok(sent?.equals(readFileSync(path)));
    });
  });
});

/** As vsce reads it. */
interface VsixPackage {
  readonly xmlManifest: {
    readonly PackageManifest: {
      readonly Metadata: readonly Readonly<Record<string, readonly unknown[]>>[];
      readonly Installation: unknown;
      readonly Assets: readonly { readonly Asset: readonly unknown[] }[];
    };
  };
}

/** Without an order. Tags are for the search in the Marketplace, where vsce adds more. */
function saidIn({ xmlManifest: { PackageManifest } }: VsixPackage) {
  const { Metadata, Installation, Assets } = PackageManifest;
  const { Tags, Properties, ...rest } = Metadata[0]!;
  const sorted = (all: readonly unknown[]) => all.map((it) => JSON.stringify(it)).toSorted();
  const [{ Property }] = Properties as readonly [{ readonly Property: readonly unknown[] }];
  return { ...rest, Installation, properties: sorted(Property), assets: sorted(Assets[0]!.Asset) };
}
