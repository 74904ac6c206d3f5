import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { packageFolders } from './notices.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = { readonly packages: Readonly<Record<string, Locked>> };

/** A package in CycloneDX 1.6. */
export interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  /** Whether its code is in our files, or npm installs it next to them. */
  readonly properties: readonly { readonly name: 'deadtime:brought'; readonly value: Brought }[];
}

type Brought = 'bundled' | 'installed';

/**
 * What ships with us, for scanners: the packages whose code the bundles hold, and those that npm installs with
 * `dependencies`, as package-lock.json has them. `npm sbom` has no notion of the former, and refuses our workspaces.
 */
export function sbomOf(
  root: string,
  metafiles: readonly Metafile[],
  dependencies: readonly string[],
): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<'name' | 'version' | 'license', string>>;
  const brought = new Map<string, Brought>();
  for (const it of dependencies) install(it, '', packages, brought);
  for (const it of packageFolders(metafiles)) brought.set(it, 'bundled');
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: { type: 'application', name, version, licenses: [{ expression: license }] },
      },
      components: [...brought]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([folder, value]) => componentOf(folder, packages[folder], value)),
    },
    undefined,
    2,
  )}\n`;
}

/** `name` as the package at `from` gets it, with what it needs in turn. Packages for other machines are listed, too. */
function install(
  name: string,
  from: string,
  packages: Lock['packages'],
  brought: Map<string, Brought>,
): void {
  const folder = foldersFrom(from, name).find((it) => packages[it] !== undefined);
  // npm does not install optional packages that the lock file omits.
  if (folder === undefined || brought.has(folder)) return;
  brought.set(folder, 'installed');
  const { dependencies, optionalDependencies } = packages[folder]!;
  for (const it of Object.keys({ ...dependencies, ...optionalDependencies })) {
    install(it, folder, packages, brought);
  }
}

/** Where Node.js looks, the nearest first. */
function foldersFrom(from: string, name: string): readonly string[] {
  const own = `${from && `${from}/`}node_modules/${name}`;
  const above = from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1));
  return from === '' ? [own] : [own, ...foldersFrom(above, name)];
}

function componentOf(folder: string, locked: Locked | undefined, value: Brought): Component {
  const { version, license, integrity } = locked ?? {};
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (version === undefined || license === undefined) {
    throw new Error(`package-lock.json has no version or no license of ${folder}`);
  }
  const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return {
    type: 'library',
    ...{ name, version },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license }],
    hashes: sha512
      ? [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }]
      : [],
    properties: [{ name: 'deadtime:brought', value }],
  };
}
