import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { buildExtension } from '../../tools/build/build-extension.ts';
import { buildPackage } from '../../tools/build/build.ts';
import { turnAt } from '../fakes/turn.ts';
import type { Component } from '../../tools/build/sbom.ts';

/** Those that ask for no more than their text, which THIRD-PARTY-NOTICES.txt has. */
const accepted =
  /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)$/;

describe('what ships', function () {
  this.timeout(120_000);
  let leave: () => void;
  before(async () => {
    leave = await turnAt('dist');
    await buildPackage();
    await buildExtension();
  });
  after(() => leave());

  for (const folder of ['dist', 'extension/dist']) {
    const components = () =>
      (JSON.parse(readFileSync(`${folder}/sbom.cdx.json`, 'utf8')) as { components: Component[] })
        .components;
    const namesOf = (brought: string) =>
      components()
        .filter((it) => it.properties[0]!.value === brought)
        .map((it) => `${it.name} ${it.version}`);

    it(`lists in ${folder} the packages that its notices name, and those that npm installs next to them`, () => {
      const notices = readFileSync(`${folder}/THIRD-PARTY-NOTICES.txt`, 'utf8');
      const named = Array.from(notices.matchAll(/^(\S+ \d+\.\S+) \([\w.-]+\)$/gm), (it) => it[1]!);
      deepStrictEqual(namesOf('bundled').toSorted(), named.toSorted());
      ok(named.length > 0);
      ok(namesOf('installed').some((it) => it.startsWith('oxc-parser ')));
      for (const { purl } of components())
        match(purl, /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d[\w.-]*$/);
    });

    it(`has in ${folder} no license that asks for more than its text`, () => {
      const others = components().filter((it) => !accepted.test(it.licenses[0]!.expression));
      deepStrictEqual(
        others.map(({ name, licenses }) => [name, licenses]),
        [],
      );
    });
  }

  it('installs every dependency that the package names, each for a file that imports it', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
      components: Component[];
    };
    const scripts = readdirSync('dist').filter((it) => /\.c?js$/.test(it));
    const code = scripts.map((it) => readFileSync(`dist/${it}`, 'utf8')).join('\n');
    for (const [name, version] of Object.entries(dependencies)) {
      const component = components.find((it) => it.name === name);
      const brought = component?.properties[0]?.value;
      deepStrictEqual([name, component?.version, brought], [name, version, 'installed']);
      match(code, new RegExp(`(?:from |import |import\\(|require\\()"${name}["/]`));
    }
  });
});
