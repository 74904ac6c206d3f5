import { amqplib } from './amqplib.ts';
import { aws } from './aws.ts';
import { playwright, puppeteer } from './browsers.ts';
import { caches } from './caches.ts';
import { chains } from './chains.ts';
import { clickhouse } from './clickhouse.ts';
import { computing } from './computing.ts';
import { concurrency } from './concurrency.ts';
import { drizzle } from './drizzle.ts';
import { fs } from './fs.ts';
import { globals } from './globals.ts';
import { google } from './google.ts';
import { http } from './http.ts';
import { knex } from './knex.ts';
import { kysely } from './kysely.ts';
import { llms } from './llms.ts';
import { locks } from './locks.ts';
import { loggers } from './loggers.ts';
import { mariadb } from './mariadb.ts';
import { maxmind } from './maxmind.ts';
import { messages } from './messages.ts';
import { mikroOrm } from './mikro-orm.ts';
import { mongodb } from './mongodb.ts';
import { mongoose } from './mongoose.ts';
import { mssql } from './mssql.ts';
import { mysql } from './mysql.ts';
import { mysql2 } from './mysql2.ts';
import { neo4j } from './neo4j.ts';
import { neon } from './neon.ts';
import { objection } from './objection.ts';
import { oracledb } from './oracledb.ts';
import { pgPromise } from './pg-promise.ts';
import { pg } from './pg.ts';
import { postgres } from './postgres.ts';
import { prisma } from './prisma.ts';
import { processes } from './processes.ts';
import { queues } from './queues.ts';
import { redis } from './redis.ts';
import { resourcePools } from './resource-pools.ts';
import { retries } from './retries.ts';
import type { Callback, Library, LibraryType, Member } from './schema.ts';
import { search } from './search.ts';
import { sequelize } from './sequelize.ts';
import { services } from './services.ts';
import { sqlite } from './sqlite.ts';
import { storeClients } from './store-clients.ts';
import { supabase } from './supabase.ts';
import { threadPool } from './thread-pool.ts';
import { timers } from './timers.ts';
import { typeorm } from './typeorm.ts';
import { upstash } from './upstash.ts';
import { web } from './web.ts';

export const drivers: readonly Library[] = [
  ...pg,
  pgPromise,
  postgres,
  ...neon,
  mysql,
  ...mysql2,
  ...mariadb,
  mssql,
  oracledb,
  ...sqlite,
  ...redis,
  upstash,
  mongodb,
  neo4j,
  clickhouse,
  ...supabase,
  maxmind,
  amqplib,
  ...resourcePools,
];
export const mappers: readonly Library[] = [
  prisma,
  typeorm,
  knex,
  objection,
  ...sequelize,
  kysely,
  ...drizzle,
  mikroOrm,
  mongoose,
];

const others: readonly Library[] = [
  ...timers,
  ...fs,
  ...http,
  ...processes,
  ...threadPool,
  ...queues,
  ...messages,
  ...services,
  ...llms,
  ...google,
  ...search,
  ...storeClients,
  ...chains,
  playwright,
  puppeteer,
  ...aws,
  ...concurrency,
  ...retries,
  ...locks,
  ...loggers,
  ...caches,
  ...computing,
  ...web,
];

/** `@prisma/client` of `@prisma/client/edge`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const declared: readonly Library[] = [globals, ...drivers, ...mappers, ...others];

const declaredByName = new Map(declared.map((it) => [it.name, it]));

/** Every library with the members that a type inherits folded into it, so that `extends` need not be followed. */
export const libraries: readonly Library[] = declared.map((library): Library => {
  const types = Object.entries(library.types).map(([name, type]) => [name, whole(library, type)]);
  return { ...library, types: Object.fromEntries(types) };
});

const byName = new Map(libraries.map((it) => [it.name, it]));
const byModule = new Map(libraries.flatMap((it) => it.modules.map((module) => [module, it])));
const patterned = libraries.flatMap((it) =>
  it.modulePattern ? [{ library: it, pattern: new RegExp(`^(?:${it.modulePattern})$`) }] : [],
);

/**
 * Whether a connection of some driver has all of these members, one of which sends statements: code that needs them may get it.
 */
export function isOfConnections(names: readonly string[]): boolean {
  return libraries
    .flatMap((it) => Object.values(it.types))
    .some(({ role, members = {} }) => {
      const isOne = role === 'connection' || role === 'client' || role === 'transaction';
      return (
        isOne &&
        names.every((it) => Object.hasOwn(members, it)) &&
        names.some((it) => members[it]!.effect?.op === 'sql')
      );
    });
}

export function isRepeating(callback: Callback | undefined): boolean {
  return callback !== undefined && (callback.series === true || callback.runs !== undefined);
}

/** The library that an import specifier reaches, `node:` or not. */
export function libraryOf(specifier: string): Library | undefined {
  const module = specifier.replace(/^node:/, '');
  // node:sqlite is Node's, sqlite is a package.
  return (
    byModule.get(specifier) ??
    byModule.get(module) ??
    patterned.find((it) => it.pattern.test(module))?.library
  );
}

/** Of all modelled libraries, for messages. */
export const libraryNames: readonly string[] = [...byName.keys()];

/** The library whose objects the decorators of a package give: `@nestjs/sequelize`. */
export function libraryInjectedBy(specifier: string): Library | undefined {
  return injected.find((it) => it.injection?.modules.includes(specifier));
}

const injected = [...byName.values()].filter((it) => it.injection);

export function libraryNamed(name: string): Library | undefined {
  return byName.get(name);
}

/** Whether what the library of this name asks keeps documents. */
export function keepsDocuments(name: string): boolean {
  return libraryNamed(name)?.keepsDocuments === true;
}

/** A type by its name in `library`, or as `other.Name`. */
export function typeOf(library: Library, name: string): LibraryType | undefined {
  const dot = name.lastIndexOf('.');
  const owner = dot === -1 ? library : byName.get(name.slice(0, dot));
  const own = name.slice(dot + 1);
  return owner && Object.hasOwn(owner.types, own) ? owner.types[own] : undefined;
}

/** The value of `import { name }`, by the list of exports or by the pattern of the name. */
export function exportOf(library: Library, name: string): Member | undefined {
  return Object.hasOwn(library.exports, name)
    ? library.exports[name]
    : library.exportPatterns?.find(([pattern]) => pattern.test(name))?.[1];
}

function whole(library: Library, type: LibraryType): LibraryType {
  if (type.extends === undefined) return type;
  const dot = type.extends.lastIndexOf('.');
  const owner = dot === -1 ? library : declaredByName.get(type.extends.slice(0, dot));
  const parent = owner?.types[type.extends.slice(dot + 1)];
  if (!owner || !parent) return type;
  const inherited = whole(owner, parent);
  // Another name for the same thing is the same type.
  if (Object.keys(type).length === 1) return inherited;
  return { ...inherited, ...type, members: { ...inherited.members, ...type.members } };
}
