import { drivers, isRepeating, libraries, mappers, packageOf, typeOf } from './index.ts';
import { messages } from './messages.ts';
import { queues } from './queues.ts';
import type { Library, LibraryType, Member } from './schema.ts';
import { supabase } from './supabase.ts';

// Names by what the model says of them: sets of texts, which the build makes (tools/build/model-names.ts), so that no start has to.

/** Packages that no browser runs; Supabase's client asks over HTTP. */
export const serverPackages: ReadonlySet<string> = new Set(
  [...drivers, ...mappers, ...queues, ...messages]
    .filter((it) => !supabase.includes(it))
    .flatMap((it) => it.modules.map(packageOf)),
);

/**
 * What collections, promises and functions have as well: a method of this name says nothing about its receiver. As the
 * Node.js has them that builds: what is found does not depend on the one that runs.
 */
const commonMembers = new Set(
  [Object, Array, Map, Set, Promise, String, Function].flatMap((it) =>
    Object.getOwnPropertyNames(it.prototype),
  ),
);

/** An object without a role whose methods reach a database: a model's delegate, a repository. */
function isDelegate(type: LibraryType): boolean {
  return Object.values(type.members ?? {}).some((it) => it.effect?.env === 'db');
}

/** Names of methods of pools, connections and their like, by which a receiver is worth a question to a type checker. */
export const handleMembers: ReadonlySet<string> = new Set(
  libraries
    .flatMap((it) => Object.values(it.types))
    .filter((it) => it.role !== undefined || it.awaited || isDelegate(it))
    .flatMap((it) => Object.keys(it.members ?? {}))
    .filter((it) => !commonMembers.has(it)),
);

/** Members that release something: `release`, `rollback`, `commitTransaction`. */
export const releasingMembers: ReadonlySet<string> = new Set(
  libraries
    .flatMap((it) => Object.values(it.types))
    .flatMap((type) => Object.entries(type.members ?? {}))
    .flatMap(([name, { releases }]) => (releases === 'this' ? name : [])),
);

/** Members of values that must be released: connections, transactions, sessions, statements. */
export const ownedMembers: ReadonlySet<string> = new Set(
  libraries
    .flatMap((it) => Object.values(it.types))
    .filter((type) =>
      Object.values(type.members ?? {}).some((it) => it.releases !== undefined || it.begins),
    )
    .flatMap((it) => Object.keys(it.members ?? {}))
    .filter((it) => !commonMembers.has(it)),
);

/** The names of each member of a library: some seven share one. */
const namesByMember: readonly (readonly [Library, ReadonlyMap<Member, ReadonlySet<string>>])[] =
  libraries.map((library) => {
    const found = new Map<Member, Set<string>>();
    for (const { members } of [{ members: library.exports }, ...Object.values(library.types)]) {
      for (const [name, member] of Object.entries(members ?? {})) {
        const names = found.get(member);
        if (names) names.add(name);
        else found.set(member, new Set([name]));
      }
    }
    return [library, found];
  });

/** Names of the functions, methods and classes that take something, or make what takes it when it is used. */
export const acquiringNames = memberNames(isAcquiring);

/** Names of the functions and methods that give a response whose body has to be read. */
export const respondingNames = memberNames((_, { acquires }) => acquires === 'body');

/** Names of the functions, methods and classes that are given a function to call for each element, job, message or request. */
export const repeatingNames = memberNames((_, member) =>
  [member, member.construct, member.withCallback].some((it) => isRepeating(it?.callback)),
);

/** Names of the functions and methods that stop the thread: they sleep, or run another program. */
export const blockingNames = memberNames(
  (_, { effect, sleep }) => effect?.sync === true && (sleep !== undefined || effect.env === 'proc'),
);

function memberNames(matches: (library: Library, member: Member) => boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [library, members] of namesByMember) {
    for (const [member, its] of members) {
      if (matches(library, member)) for (const name of its) names.add(name);
    }
  }
  return names;
}

function isAcquiring(library: Library, member: Member): boolean {
  const made = member.construct?.returns ?? member.returns?.replace(/^Promise<(.*)>$/, '$1');
  const type = made === undefined ? undefined : typeOf(library, made);
  const beginsLater = Object.values(type?.members ?? {}).some(
    (it) => it.begins !== undefined || (it.type !== undefined && it.acquires !== undefined),
  );
  const acquires = member.acquires ?? member.withCallback?.acquires;
  return (acquires !== undefined && acquires !== 'body') || beginsLater;
}
