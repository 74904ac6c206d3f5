import type { ESLint, Linter, Rule } from 'eslint';

/** What `import` and `require` of the package return; tools/build/build.ts copies this file to dist/plugin.d.ts. */
declare const plugin: ESLint.Plugin & {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Readonly<Record<string, Rule.RuleModule>>;
  readonly configs: Readonly<Record<'recommended' | 'strict' | 'all' | 'tests-off', Linter.Config>>;
};

export { plugin as default, plugin as 'module.exports' };
