import { dirname, join } from 'node:path';
import type { Deployment } from '../analysis/file/source.ts';
import { usesCls } from './cls.ts';
import { type Files } from './files.ts';
import { entriesOf, field, type Json, stringField } from './json.ts';
import type { Tree } from './tree.ts';

/** What a project's containers, process managers and scripts are described in. */
const DESCRIPTIONS =
  /^(?:.*\.)?dockerfile(?:\..*)?$|^(?:docker-)?compose.*\.ya?ml$|^(?:ecosystem|pm2|processes).*\.(?:json|[cm]?js)$|^postgresql\.conf$/i;

const THREADS = /\bUV_THREADPOOL_SIZE\b['"\]]*\s*(?:[:=]\s*)?['"]?(\d+)/g;
/** `instances: 4` of pm2, `pm2 start app.js -i 4`, `replicas: 4` of compose, `WEB_CONCURRENCY=4`. */
const PROCESSES =
  /(?:\binstances\b['"]?\s*:|\breplicas\s*:|\bWEB_CONCURRENCY\b['"]?(?:\s*[:=])?|\bpm2\b[^\n"]{0,200}?\s(?:-i|--instances)[\s=])\s*['"]?(\d+)/g;
/** `postgres -c max_connections=200`, the line of postgresql.conf; `--max-connections=200` is mysqld's. */
const POSTGRES = /(?:-c[\s"',]+|^[ \t]*)max_connections\s*=\s*(\d+)/gm;
const MYSQL = /--max[-_]connections[=\s]+['"]?(\d+)/g;

/**
 * How code is run, according to the files around its package.json and above it. Where they differ, the value with the most room
 * counts: more threads, fewer processes, more connections.
 */
export interface Deployments {
  of(path: string): Deployment;
  /** A file was written or removed. */
  forget(): void;
}

export function deploymentsOf(files: Files, tree: Tree): Deployments {
  const known = new Map<string, Deployment>();
  return {
    of(path) {
      const root = tree.rootOf(dirname(path));
      const directory = tree.packageOf(dirname(path)) ?? root;
      let deployment = known.get(directory);
      if (!deployment) known.set(directory, (deployment = deployedFrom(files, tree, directory)));
      return deployment;
    },
    forget: () => known.clear(),
  };
}

function deployedFrom(files: Files, tree: Tree, directory: string): Deployment {
  const directories = upwards(directory, tree.rootOf(directory));
  const texts = directories.flatMap((it) => [
    ...textsIn(files, tree, it, DESCRIPTIONS),
    ...scriptsIn(files, tree, it),
  ]);
  return {
    threads: extremeOf(texts, THREADS, Math.max),
    processes: extremeOf(texts, PROCESSES, Math.min),
    hasOnlySqlite: hasOnlySqlite(directories.map((it) => tree.json(join(it, 'package.json')))),
    usesCls: usesCls(files, tree, directories),
    connections: {
      postgres: extremeOf(texts, POSTGRES, Math.max),
      mysql: extremeOf(texts, MYSQL, Math.max),
    },
    prisma: prismaProvider(files, tree, directories),
  };
}

function extremeOf(
  texts: readonly string[],
  pattern: RegExp,
  extreme: (a: number, b: number) => number,
): number | undefined {
  let found: number | undefined;
  for (const text of texts) {
    for (const [, digits] of text.matchAll(pattern)) {
      const value = Number(digits);
      found = found === undefined ? value : extreme(found, value);
    }
  }
  return found;
}

/** The nearest first. */
function upwards(directory: string, root: string): readonly string[] {
  const above = dirname(directory);
  if (directory === root || above === directory) return [directory];
  return [directory, ...upwards(above, root)];
}

function textsIn(files: Files, tree: Tree, directory: string, names: RegExp): readonly string[] {
  return Array.from(tree.list(directory) ?? []).flatMap(([name, kind]) => {
    const path = join(directory, name);
    const isOurs = kind === 'file' && names.test(name) && tree.isInside(path);
    return isOurs ? [files.read(path) ?? ''] : [];
  });
}

/** By the names of packages: drivers, and what is built on them. */
const SQLITE = /sqlite|^sql\.js$/;
const SERVERS =
  /(?<![a-z])(?:pg|postgres(?:ql)?|mysql2?|maria(?:db)?|mssql|tedious|oracle(?:db)?|libsql|turso|mongo(?:db|ose)?|neon|planetscale|d1|spanner|snowflake|cockroach(?:db)?|db2|odbc|hana|redshift)(?![a-z])/;

function hasOnlySqlite(manifests: readonly (Json | undefined)[]): boolean {
  const named = (groups: readonly string[]) =>
    manifests.flatMap((it) => groups.flatMap((group) => entriesOf(field(it, group))));
  const used = ['dependencies', 'optionalDependencies', 'peerDependencies'];
  return (
    named(used).some(([name]) => SQLITE.test(name)) &&
    !named([...used, 'devDependencies']).some(([name]) => SERVERS.test(name))
  );
}

/** Where Prisma looks for its schema, and where those of several files are kept. */
const SCHEMAS = ['', 'prisma', 'prisma/schema'];
const DATASOURCE = /\bdatasource\s+\w+\s*\{([^}]*)/;
const PROVIDER = /^\s*provider\s*=\s*"(\w+)"/;

/** A source of data that is commented out is for another day. */
function providersIn(schema: string): readonly string[] {
  const text = schema.split('\n').filter((it) => !it.trimStart().startsWith('//'));
  const lines = DATASOURCE.exec(text.join('\n'))?.[1]?.split('\n') ?? [];
  return lines.flatMap((it) => PROVIDER.exec(it)?.[1] ?? []);
}

/** The values of the nearest schemas; undefined where they differ, as those for development and production may. */
function prismaProvider(
  files: Files,
  tree: Tree,
  directories: readonly string[],
): string | undefined {
  for (const directory of directories) {
    const schemas = SCHEMAS.flatMap((it) => textsIn(files, tree, join(directory, it), /\.prisma$/));
    const providers = new Set(schemas.flatMap(providersIn));
    if (providers.size > 0) return providers.size === 1 ? [...providers][0] : undefined;
  }
  return undefined;
}

/** The package's scripts, and what its entry sets before anything else runs. */
function scriptsIn(files: Files, tree: Tree, directory: string): readonly string[] {
  const manifest = tree.json(join(directory, 'package.json'));
  const scripts = entriesOf(field(manifest, 'scripts')).map(([, script]) => String(script));
  const main = stringField(manifest, 'main');
  const entry = main === undefined ? undefined : tree.codeAt(join(directory, main));
  const text = entry === undefined ? undefined : files.read(entry);
  const set = /\bprocess\.env\b.{0,4}UV_THREADPOOL_SIZE.{0,3}=[^=\n].*/.exec(text ?? '')?.[0];
  return set === undefined ? scripts : [...scripts, set];
}
