import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byConfiguration } from '../src/project/configuration-file.ts';
import { disk } from '../src/project/files.ts';
import { overlaid } from '../src/project/overlay.ts';
import { treeOf } from '../src/project/tree.ts';
import { rules as shippedRules } from '../rules/index.ts';
import { configurationsOf } from '../src/scan/configuration.ts';
import { runOf, trusting } from '../src/scan/configuration-program.ts';
import { folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';

const rules = [noWait];

/** What holds for `file` of a project; places are told without its root. */
function configured(files: Readonly<Record<string, string>>, file: string, within = disk) {
  const { path: root } = folderWith(files);
  const found = configurationsOf(rules, {}, within, root).for(join(root, file));
  const inside = (text: string) => text.replaceAll(`${root}/`, '');
  return { ...found, path: inside(found.path!), mistakes: found.mistakes.map(inside) };
}

const defaults = { profile: 'recommended', settings: {}, mistakes: [] };

describe('configuration that is code', () => {
  const codeNames = ['js', 'mjs', 'cjs', 'ts', 'mts'].map((it) => `deadtime.config.${it}`);
  /** Whatever runs these tests, the process of a configuration has only what Node.js itself can do. */
  const runsTypes = Boolean((process.features as { readonly typescript?: unknown }).typescript);

  it('is found in any folder and not run, unless somebody trusts the project', () => {
    for (const name of codeNames) {
      const { path: trace } = folderWith({});
      const text = `process.getBuiltinModule('fs').writeFileSync('${trace}/run', '');`;
      const { path, profile, mistakes } = configured(
        { 'deadtime.config.json': '{ "profile": "audit" }', [`api/${name}`]: text },
        'api/src/a.ts',
      );
      deepStrictEqual([path, profile], [`api/${name}`, 'recommended']);
      deepStrictEqual(mistakes, [
        `api/${name} is code, and Deadtime runs it only with permission. ` +
          'Pass --trust-config, trust the workspace in your editor, or write it as deadtime.config.jsonc.',
      ]);
      strictEqual(existsSync(join(trace, 'run')), false);
    }
  });

  it('says what holds where somebody does, in any module format', () => {
    const module = "export default { profile: 'audit' };";
    const texts: Readonly<Record<string, string>> = {
      'deadtime.config.js': module,
      'deadtime.config.mjs': module,
      'deadtime.config.cjs': "module.exports = { profile: 'audit' };",
      ...(runsTypes && {
        'deadtime.config.ts': `const strict: boolean = false;\n${module}`,
        'deadtime.config.mts': `const strict: boolean = false;\n${module}`,
      }),
    };
    for (const [name, text] of Object.entries(texts)) {
      const found = configured({ [`api/${name}`]: text }, 'api/src/a.ts', trusting());
      deepStrictEqual(found, { ...defaults, path: `api/${name}`, profile: 'audit' });
    }
  });

  it('follows data of its folder, and stands before package.json', () => {
    const files = {
      'deadtime.config.mjs': "export default { profile: 'audit' };",
      'package.json': '{ "deadtime": { "profile": "strict" } }',
    };
    const pathIn = (more: Readonly<Record<string, string>>) =>
      configured({ ...files, ...more }, 'a.ts', trusting()).path;
    strictEqual(pathIn({}), 'deadtime.config.mjs');
    strictEqual(pathIn({ 'deadtime.config.js': 'export default {};' }), 'deadtime.config.js');
    strictEqual(pathIn({ 'deadtime.config.jsonc': '{}' }), 'deadtime.config.jsonc');
  });

  it('may compute, print, wait and leave something open', () => {
    const text = [
      "import { sep } from 'node:path';",
      "console.log('{');",
      "console.error('}');",
      'setInterval(() => {}, 1000);',
      "const profile = await Promise.resolve('strict');",
      "export default Promise.resolve({ profile, rules: { 'no-wait': sep ? 'off' : 'error' }, types: undefined });",
    ].join('\n');
    const found = configured({ 'deadtime.config.mjs': text }, 'a.ts', trusting());
    deepStrictEqual(found, {
      ...defaults,
      ...{ path: 'deadtime.config.mjs', profile: 'strict' },
      settings: { 'no-wait': { severity: 'off' } },
    });
  });

  it('may look as docs/reference/configuration.md shows it', () => {
    const [, text = ''] = /```js\n(\/\/ deadtime\.config\.mjs\n[^`]*)```/.exec(
      readFileSync('docs/reference/configuration.md', 'utf8'),
    )!;
    const { path } = folderWith({ 'deadtime.config.mjs': text });
    const { profile, settings, mistakes } = configurationsOf(shippedRules, {}, trusting()).for(
      join(path, 'a.ts'),
    );
    deepStrictEqual([profile, mistakes], [process.env['CI'] ? 'strict' : 'recommended', []]);
    deepStrictEqual(settings, { 'no-hot-path-sleep': { severity: 'error' } });
  });

  it('is read by the same rules as data', () => {
    const text = "export default { rules: { 'no-wiat': 'off' } };";
    deepStrictEqual(configured({ 'deadtime.config.mjs': text }, 'a.ts', trusting()).mistakes, [
      'deadtime.config.mjs: there is no rule "no-wiat". The rules are "no-wait".',
    ]);
  });

  const odd = (what: string) =>
    `exports a value that JSON cannot contain: ${what}. Export strings, numbers, lists and objects.`;
  const failures: Readonly<Record<string, string>> = {
    "throw new Error('no such level.\\nMore of it');":
      'throws when it is run: no such level. Fix that.',
    'throw null;': 'throws when it is run: null. Fix that.',
    'export default {': 'throws when it is run: Unexpected end of input. Fix that.',
    'export const profile = 1;': 'has no default export. Write export default { "rules": { … } }.',
    'export default undefined;': odd('it is of type undefined'),
    'export default () => ({});': odd('it is of type function'),
    "export default { rules: { 'no-wait': () => 'off' } };": odd('"no-wait" is of type function'),
    'export default [undefined];': odd('"0" is of type undefined'),
    'export default { rules: new Map() };': odd('"rules" is of the class Map'),
    'export default { minMs: NaN };': odd('"minMs" is NaN'),
    'process.exit(3);': 'ends (3) before it exports anything. Remove everything but the export.',
    "process.kill(process.pid, 'SIGTERM'); await new Promise(() => setTimeout(() => {}, 9e5));":
      'ends (SIGTERM) before it exports anything. Remove everything but the export.',
    "export default 'x'.repeat(2e6);": 'exports more than 1 MB. Shorten it.',
  };
  for (const [text, said] of Object.entries(failures)) {
    it(`says why it tells nothing: ${text}`, () => {
      const { mistakes, ...rest } = configured({ 'deadtime.config.mjs': text }, 'a.ts', trusting());
      deepStrictEqual(mistakes, [`deadtime.config.mjs ${said}`]);
      deepStrictEqual({ ...rest, mistakes: [] }, { ...defaults, path: 'deadtime.config.mjs' });
    });
  }

  it('is ended when it takes too long', () => {
    const { path } = folderWith({ 'deadtime.config.mjs': 'for (;;);' });
    deepStrictEqual(runOf(join(path, 'deadtime.config.mjs'), 500), {
      failure: 'takes more than 0.5 s, and was stopped. Remove everything but the export.',
    });
  });

  it('says which Node.js runs TypeScript, where this one does not', function () {
    if (runsTypes) this.skip();
    for (const name of ['deadtime.config.ts', 'deadtime.config.mts']) {
      deepStrictEqual(configured({ [name]: 'export default {};' }, 'a.ts', trusting()).mistakes, [
        `${name} is TypeScript, which Node.js ${process.version} does not run. ` +
          'Use Node.js 22.18 or newer, or write it as deadtime.config.mjs.',
      ]);
    }
  });

  it('is run once for all who read it, and again when it is written', () => {
    const text = (profile: string) =>
      [
        "import { appendFileSync } from 'node:fs';",
        "appendFileSync('runs', '.');",
        `export default { profile: '${profile}' };`,
      ].join('\n');
    const { path, write } = folderWith({ 'deadtime.config.mjs': text('audit') });
    const files = trusting();
    const configurations = configurationsOf(rules, {}, files, path);
    const declarations = byConfiguration(files, treeOf(files, path), (it) => it?.json);
    const profiles = () =>
      ['a.ts', 'src/b.ts'].map((it) => {
        declarations.for(join(path, it));
        return configurations.for(join(path, it)).profile;
      });
    const forget = () => [configurations, declarations].forEach((it) => it.forget());
    deepStrictEqual(profiles(), ['audit', 'audit']);
    forget();
    deepStrictEqual(profiles(), ['audit', 'audit']);
    strictEqual(readFileSync(join(path, 'runs'), 'utf8'), '.');
    write({ 'deadtime.config.mjs': text('strict') });
    deepStrictEqual(configurations.stale(), [join(path, 'deadtime.config.mjs')]);
    forget();
    deepStrictEqual(profiles(), ['strict', 'strict']);
    strictEqual(readFileSync(join(path, 'runs'), 'utf8'), '..');
  });

  it('is not run outside of the folder that is trusted', () => {
    const { path } = folderWith({
      'deadtime.config.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync('run', '');",
      'package.json': '{}',
      'shop/package.json': '{}',
    });
    const shop = join(path, 'shop');
    const { profile, mistakes } = configurationsOf(rules, {}, trusting(shop)).for(
      join(shop, 'a.ts'),
    );
    deepStrictEqual([profile, existsSync(join(path, 'run'))], ['recommended', false]);
    deepStrictEqual(mistakes, [
      `${join(path, 'deadtime.config.mjs')} is code outside of what is trusted. Move it into ${shop}.`,
    ]);
  });

  it('is not run where other users may have written it', () => {
    const name = 'deadtime.config.mjs';
    const { path } = folderWith({ [name]: "export default { profile: 'audit' };" });
    const profileOf = () =>
      configurationsOf(rules, {}, trusting(), path).for(join(path, 'a.ts')).profile;
    strictEqual(profileOf(), 'audit');
    chmodSync(join(path, name), 0o666);
    strictEqual(profileOf(), 'recommended');
    // Of a mounted disk that knows no rights, nothing can be told.
    chmodSync(path, 0o777);
    strictEqual(profileOf(), 'audit');
  });

  it('counts as it lies on the disk, whatever text an editor has over it', () => {
    const { path } = folderWith({ 'deadtime.config.mjs': "export default { profile: 'audit' };" });
    const files = overlaid(trusting(), new Map([[join(path, 'deadtime.config.mjs'), 'export de']]));
    strictEqual(configurationsOf(rules, {}, files).for(join(path, 'a.ts')).profile, 'audit');
  });
});
