import { each, NAMESPACE } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

/** It is over when it returns, and what it is given may be another afterwards, or may have been rejected. */
export const immediate: Effect = { env: 'cpu', op: 'unknown', sync: true };
/** It fails on what it is given, and may run functions of the program that ask elsewhere. */
export const checked: Member = {
  returns: 'Promise<any>',
  effect: { env: 'cpu', op: 'unknown', mayVeto: true },
};

/** A function, a class or an object of functions. */
const anything: Member = { type: 'Anything', construct: {} };
/** An object whose methods give data. */
export const methods: LibraryType = { anyMember: {} };

function only(names: string): RegExp {
  return new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`);
}

/** An object whose methods of these names give another of its kind, and all others data. */
export function chained(names: string): LibraryType {
  return { memberPatterns: [[only(names), { returns: 'this' }]], anyMember: {} };
}

interface Pure {
  readonly modules?: readonly string[];
  readonly modulePattern?: string;
  /** Names that do more than compute, or that keep functions for later. */
  readonly without?: string;
  readonly named?: Readonly<Record<string, Member>>;
  /** Classes whose methods give data. */
  readonly classes?: string;
  /** What the default export gives, called or constructed. */
  readonly makes?: string;
  readonly types?: Readonly<Record<string, LibraryType>>;
}

/**
 * A package that waits for nothing outside: all that it exports computes. What its functions return is data, about which
 * nothing is claimed.
 */
export function pure(name: string, verifiedWith: string, described: Pure = {}): Library {
  const { modules = [name], modulePattern, without = '', classes, makes, types } = described;
  const kept = new RegExp(`^(?!(?:${without.trim().split(/\s+/).join('|')})$)`);
  const made: Member = makes
    ? { returns: makes, construct: { returns: makes } }
    : { construct: {} };
  const named = {
    ...(classes ? each(classes, { construct: { returns: 'Methods' } }) : {}),
    ...described.named,
  };
  return {
    name,
    modules,
    ...(modulePattern === undefined ? {} : { modulePattern }),
    verifiedWith,
    // Whether there is one depends on how the package is loaded.
    exports: { default: { ...made, type: NAMESPACE, untyped: true }, ...named },
    exportPatterns: [[kept, anything]],
    types: {
      [NAMESPACE]: {
        call: makes ? { returns: makes } : {},
        members: named,
        memberPatterns: [[kept, {}]],
      },
      Anything: { call: {}, construct: {}, anyMember: { type: 'Anything' } },
      ...(classes ? { Methods: methods } : {}),
      ...types,
    },
  };
}
