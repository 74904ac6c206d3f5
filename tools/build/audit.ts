// Asks npm's registry which packages that ship with Deadtime, in its bundles or next to them, have a published vulnerability:
//   npm run audit [--registry URL]
// The exit code is 1 where one has or npm fails, and 2 without an answer of the registry. `npm audit` alone also reports the
// tools that we build and test with, and has no list of the packages in the bundles.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { counted } from '../../src/report/counts.ts';
import { readArguments } from '../arguments.ts';
import { buildExtension } from './build-extension.ts';
import { buildPackage } from './build.ts';
import type { Component } from './sbom.ts';

/** What `npm audit --json` prints: a report, or in `message` why the registry gives none. */
interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, Vulnerable>>;
}

interface Vulnerable {
  readonly name: string;
  /** Advisories, and names of packages through which it is vulnerable: those are in the report themselves. */
  readonly via: readonly (string | Advisory)[];
  /** Folders in which package-lock.json has it. */
  readonly nodes: readonly string[];
}

interface Advisory {
  readonly title: string;
  readonly url: string;
  readonly severity: string;
  readonly range: string;
}

readArguments('npm run audit [--registry URL]', {}, (it) => it.positionals.length === 0);
await buildPackage();
await buildExtension();
const shipped = new Set(
  ['dist', 'extension/dist'].flatMap(componentsOf).map((it) => `${it.name}@${it.version}`),
);
const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, { readonly version?: string }>>;
};
const { vulnerabilities, message } = reportOf();
if (!vulnerabilities) {
  console.error(`The registry does not return its list of vulnerabilities: ${message}.`);
  console.error('`npm run audit --registry URL` asks another one.');
  process.exitCode = 2;
} else {
  const known = Object.values(vulnerabilities).flatMap(knownOf);
  for (const it of known) console.log(it);
  console.log(`${counted(shipped.size, 'package')}, ${counted(known.length, 'known problem')}`);
  process.exitCode = known.length > 0 ? 1 : 0;
}

function componentsOf(folder: string): readonly Component[] {
  const { components } = JSON.parse(readFileSync(`${folder}/sbom.cdx.json`, 'utf8')) as {
    components: Component[];
  };
  return components;
}

function reportOf(): Report {
  // What is set for installations does not hold here.
  const options = ['--audit', '--json', '--package-lock-only'];
  const { stdout, stderr } = spawnSync('npm', ['audit', ...options], {
    encoding: 'utf8',
    maxBuffer: Infinity,
    shell: process.platform === 'win32',
  });
  const report = stdout.startsWith('{') ? (JSON.parse(stdout) as Report) : {};
  if (report.vulnerabilities || report.message !== undefined) return report;
  throw new Error(`npm audit has failed: ${stdout}${stderr}`);
}

/** The advisories of a package, where a version that ships is affected. */
function knownOf({ name, via, nodes }: Vulnerable): readonly string[] {
  const ids = new Set(nodes.map((it) => `${name}@${locked[it]?.version}`));
  const advisories = via.filter((it) => typeof it !== 'string');
  return [...ids]
    .filter((it) => shipped.has(it))
    .flatMap((id) =>
      advisories.map((it) => `${id}: ${it.severity}, ${it.title} (${it.range}), ${it.url}`),
    );
}
