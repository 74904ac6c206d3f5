import { dirname, join } from 'node:path';
import type { Files } from './files.ts';
import { field, stringField } from './json.ts';
import { manifestTargets } from './manifest-targets.ts';
import { packagesOf } from './packages.ts';
import { packageSource, sourceOf } from './sources.ts';
import { contains, treeOf, type Tree } from './tree.ts';
import { aliasTargets, tsConfigsOf, type TsConfigs } from './tsconfig.ts';

/** Which file of the project an import reaches. */
export interface Resolver {
  readonly tree: Tree;
  /** undefined for installed packages, for what is not code, and for what is not there. */
  resolve(specifier: string, from: string): string | undefined;
  /** Files came or went, or a manifest changed. */
  forget(): void;
}

/**
 * Written here rather than left to a resolver of bundlers: it must work over unsaved text, in a checkout without
 * node_modules (where an `extends` of a package would fail every look-up) and on packages that are not built.
 */
export function resolverOf(files: Files, fallbackRoot: string | undefined): Resolver {
  const tree = treeOf(files, fallbackRoot);
  const packages = packagesOf(files, tree);
  const configs = tsConfigsOf(tree, (name, from) => packages.directoryOf(name, from));
  const known = new Map<string, Map<string, string | undefined>>();
  const context: Context = { tree, configs, directoryOf: packages.directoryOf };
  return {
    tree,
    resolve(specifier, from) {
      const directory = dirname(from);
      let answers = known.get(directory);
      if (!answers) known.set(directory, (answers = new Map()));
      if (!answers.has(specifier)) {
        const found = resolved(context, specifier, directory);
        const isOurs = found !== undefined && contains(tree.rootOf(directory), found);
        answers.set(specifier, isOurs ? found : undefined);
      }
      const path = answers.get(specifier);
      return path === from ? undefined : path;
    },
    forget() {
      known.clear();
      tree.forget();
      packages.forget();
      configs.forget();
    },
  };
}

interface Context {
  readonly tree: Tree;
  readonly configs: TsConfigs;
  directoryOf(name: string, from: string): string | undefined;
}

/** Characters of a specifier: longer ones are no file's, and looking one up takes a time that grows with it. */
const LONGEST = 1_000;
/** Places that one import may stand for. Ten are many. */
const MOST_PLACES = 200;

/** Imports of these never lead to code: they are dropped before any read of the disk. */
const NOT_CODE =
  /\.(?:json|css|scss|sass|less|svg|png|jpe?g|gif|ico|html|md|txt|sql|graphql|gql|wasm|node|vue|svelte|astro|ya?ml)$/i;

function resolved(context: Context, request: string, directory: string): string | undefined {
  const specifier = request.replace(/[?#].*/s, (it) => (request.startsWith('#') ? it : ''));
  if (
    specifier === '' ||
    specifier.length > LONGEST ||
    NOT_CODE.test(specifier) ||
    /^(?:node|bun|https?|data|file):|^\//.test(specifier)
  ) {
    return undefined;
  }
  if (/^\.\.?(?:\/|$)/.test(specifier)) return relativeSource(context, join(directory, specifier));
  return (
    aliased(context, specifier, directory) ??
    (specifier.startsWith('#')
      ? ownImport(context, specifier, directory)
      : packageImport(context, specifier, directory)) ??
    conventionalAlias(context, specifier, directory)
  );
}

function relativeSource(context: Context, path: string): string | undefined {
  const exact = context.tree.codeAt(path);
  if (exact !== undefined) return exact;
  const owner = context.tree.packageOf(dirname(path));
  return owner === undefined ? undefined : sourceOf(context.tree, context.configs, owner, path);
}

function aliased(context: Context, specifier: string, directory: string): string | undefined {
  let count = 0;
  for (const config of context.configs.for(directory)) {
    for (const target of aliasTargets(config, specifier)) {
      if (++count > MOST_PLACES) {
        const message = `has an import with over ${MOST_PLACES} possible targets: the rest is ignored`;
        context.tree.leaveOut(directory, message);
        return undefined;
      }
      const found = relativeSource(context, target);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The `imports` of the nearest package.json: `#db`. */
function ownImport(context: Context, specifier: string, directory: string): string | undefined {
  const owner = context.tree.packageOf(directory);
  if (owner === undefined) return undefined;
  for (const target of manifestTargets(context.tree, owner, 'imports', specifier)) {
    const found = target.startsWith('.')
      ? sourceOf(context.tree, context.configs, owner, join(owner, target))
      : packageImport(context, target, directory);
    if (found !== undefined) return found;
  }
  return undefined;
}

function packageImport(context: Context, specifier: string, directory: string): string | undefined {
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const owner = context.directoryOf(name, directory);
  if (owner === undefined) return undefined;
  const subpath = parts.length === 0 ? '.' : `./${parts.join('/')}`;
  return packageSource(context.tree, context.configs, owner, subpath);
}

/** `@/db`, `~/db` without a tsconfig, and package.json's `_moduleAliases`: taken only where one place has such a file. */
function conventionalAlias(
  context: Context,
  specifier: string,
  directory: string,
): string | undefined {
  const owner = context.tree.packageOf(directory);
  if (owner === undefined) return undefined;
  const manifest = context.tree.json(join(owner, 'package.json'));
  const aliases = field(manifest, '_moduleAliases');
  // Of the names that a specifier starts with, not of all that there are.
  for (let end = specifier.length; end > 0; end = specifier.lastIndexOf('/', end - 1)) {
    const target = stringField(aliases, specifier.slice(0, end));
    if (target !== undefined)
      return relativeSource(context, join(owner, target, specifier.slice(end)));
  }
  const rest = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  if (rest === undefined) return undefined;
  const found = ['', 'src']
    .map((it) => context.tree.codeAt(join(owner, it, rest)))
    .filter((it) => it !== undefined);
  return found.length === 1 ? found[0] : undefined;
}
