import * as driverFiles from './drivers.ts';
import { globals } from './globals.ts';
import * as mapperFiles from './mappers.ts';
import * as otherFiles from './others.ts';
import type { Callback, Library, LibraryType, Member } from './schema.ts';

export const drivers: readonly Library[] = Object.values(driverFiles).flat();
export const mappers: readonly Library[] = Object.values(mapperFiles).flat();
const others: readonly Library[] = Object.values(otherFiles).flat();

/** `@prisma/client` of `@prisma/client/edge`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** `pg 8.23.1`: the version in which the library's facts were read. */
export function verifiedName({ name, verifiedWith }: Library): string {
  return `${packageOf(name)} ${verifiedWith}`;
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

/** Of all modelled libraries, sorted, for messages. */
export const libraryNames: readonly string[] = [...byName.keys()].sort();

/** The library whose objects the decorators of a package give: `@nestjs/sequelize`. */
export function libraryInjectedBy(specifier: string): Library | undefined {
  return injected.find((it) => it.injection?.modules.includes(specifier));
}

const injected = [...byName.values()].filter((it) => it.injection);

const byGeneratedName = new Map(
  libraries.flatMap((it) => (it.generates ?? []).map((name) => [name, it] as const)),
);

/** The library whose generator writes a module with an export of this name. */
export function libraryGenerating(name: string): Library | undefined {
  return byGeneratedName.get(name);
}

const byAmbientType = new Map(
  libraries.flatMap((it) => (it.ambient ?? []).map((name) => [name, it] as const)),
);

/** The library of a type that a platform declares for all programs. */
export function libraryDeclaring(type: string): Library | undefined {
  return byAmbientType.get(type);
}

/** Types that a tool writes for a whole package, by their names the file that has them. */
export const writtenTypes: ReadonlyMap<string, string> = new Map(
  libraries.flatMap(({ writes }) => (writes ? writes.types.map((it) => [it, writes.file]) : [])),
);

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
