import { dirname, join } from 'node:path';
import type { Files } from './files.ts';
import { specifiersIn } from './importers.ts';
import { entriesOf, field, type Json, stringField } from './json.ts';
import type { Resolver } from './resolver.ts';
import { contains } from './tree.ts';

/** The files of packages to which only their commands lead (`bin` of package.json): programs that somebody starts by hand. */
export interface Commands {
  has(path: string): boolean;
  forget(): void;
}

/** More files than this are a product with a command beside it. */
const MOST_FILES = 1000;

/** What answers others, or goes on until it is told to stop, whatever it is started by. */
const SERVES =
  /\.listen\s*\(|\bcreateServer\b|\bserve\s*\(|\bServerTransport|\bMcpServer\b|\bsetInterval\s*\(|['"`]SIGTERM['"`]|\.consume\s*\(|\beachMessage\b|\.on\(\s*['"](?:message|request|connection)['"]/;
const SERVERS =
  /^(?:express|fastify|koa|hono|restify|polka|next|nuxt|ws|socket\.io|discord\.js|telegraf|grammy|bullmq|bull|pg-boss|amqplib|kafkajs|node-cron|cron|croner|graphile-worker|chokidar|graphql-yoga|vscode-languageserver|electron|probot|bolt)(?:\/|$)|^@(?:hono|nestjs|hapi|slack\/bolt|modelcontextprotocol|apollo\/server|grpc|fastify|koa|trpc\/server)(?:\/|$)/;
/** Scripts that start what the package is deployed as. */
const STARTS = /^(?:start|serve|server|worker|dev)(?:$|[:_-])/;

export function commandsOf(files: Files, resolver: Resolver): Commands {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    has(path) {
      const directory = resolver.tree.nearest(dirname(path), 'package.json');
      if (directory === undefined) return false;
      let found = known.get(directory);
      if (!found) known.set(directory, (found = ofPackage(files, resolver, directory)));
      return found.has(path);
    },
    forget: () => known.clear(),
  };
}

function ofPackage(files: Files, resolver: Resolver, directory: string): ReadonlySet<string> {
  const manifest = resolver.tree.json(join(directory, 'package.json'));
  const bin = field(manifest, 'bin');
  if (bin === undefined) return new Set();
  const sourcesOf = (targets: readonly string[]) =>
    targets.flatMap((it) => resolver.sourceOf(directory, join(directory, it)) ?? []);
  const commands = sourcesOf(textsIn(bin));
  const behind = reachedFrom(files, resolver, commands);
  if (!behind || behind.serves) return new Set();
  const isStarted = new Set(commands);
  const others = sourcesOf(entriesIn(manifest)).filter((it) => !isStarted.has(it));
  const shared = reachedFrom(files, resolver, others);
  if (!shared) return new Set();
  return new Set(
    [...behind.paths].filter((it) => contains(directory, it) && !shared.paths.has(it)),
  );
}

/** What others import of the package, and what it is started by. */
function entriesIn(manifest: Json | undefined): readonly string[] {
  const named = ['source', 'main', 'module'].flatMap((it) => stringField(manifest, it) ?? []);
  const started = entriesOf(field(manifest, 'scripts')).flatMap(([name, script]) =>
    STARTS.test(name)
      ? String(script)
          .split(/\s/)
          .filter((it) => /\.[cm]?[jt]sx?$/.test(it))
      : [],
  );
  return [...named, ...textsIn(field(manifest, 'exports')), ...started];
}

/** All texts, however deep: `{ import: './index.js' }`. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return entriesOf(value).flatMap(([, it]) => textsIn(it));
}

interface Reach {
  readonly paths: ReadonlySet<string>;
  /** Some of it is a server, a worker or the like. */
  readonly serves: boolean;
}

/** What imports lead to; undefined where it is too much to say anything. */
function reachedFrom(
  files: Files,
  resolver: Resolver,
  entries: readonly string[],
): Reach | undefined {
  const paths = new Set(entries);
  let serves = false;
  for (const path of paths) {
    if (paths.size > MOST_FILES) return undefined;
    const text = files.read(path) ?? '';
    const specifiers = [...specifiersIn(text)];
    serves ||= SERVES.test(text) || specifiers.some((it) => SERVERS.test(it));
    for (const specifier of specifiers) {
      const target = resolver.resolve(specifier, path);
      if (target !== undefined) paths.add(target);
    }
  }
  return { paths, serves };
}
