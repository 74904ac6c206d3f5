/** How packages declare settings that a program reads, mostly from its environment, with their defaults. */
export interface SettingsPackage {
  /** As it is imported, without what follows a slash. */
  readonly name: string;
  /** Functions that are given the settings by name, and the argument that has them. */
  readonly readers: Readonly<Record<string, number>>;
  /** Properties of that argument that have the settings, where it does not have them itself. */
  readonly groups: readonly string[];
}

/** Each setting is a chain of calls that may contain `.default(value)`, or a call with `{ default: value }`. */
export const settingsPackages: readonly SettingsPackage[] = [
  { name: 'zod', readers: { object: 0, strictObject: 0, looseObject: 0 }, groups: [] },
  { name: '@t3-oss/env-core', readers: { createEnv: 0 }, groups: ['server', 'shared'] },
  { name: '@t3-oss/env-nextjs', readers: { createEnv: 0 }, groups: ['server', 'shared'] },
  { name: 'envalid', readers: { cleanEnv: 1 }, groups: [] },
];

/** Methods that give what a schema has read: itself, or in `data`. */
export const readingMembers = /^(?:parse|parseAsync|safeParse|safeParseAsync)$/;

/** Methods of a schema after which its settings are still the same; `extend` adds some. */
export const keepingMembers =
  /^(?:strict|strip|passthrough|loose|readonly|refine|superRefine|describe|brand|extend|catchall)$/;

/** Methods after which a default is no longer the value. */
export const changingMembers = /^(?:transform|pipe|preprocess|overwrite|catch)$/;
