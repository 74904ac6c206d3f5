import type { LibraryType, Member } from './schema.ts';

/** The type of what an import of a whole module gives. */
export const NAMESPACE = 'Namespace';

/** One member description under each of the names, which are separated by white space. */
export function each(names: string, member: Member): Record<string, Member> {
  const members: Record<string, Member> = {};
  for (const name of names.trim().split(/\s+/)) members[name] = member;
  return members;
}

/**
 * Named exports, and the default export that also contains them: the results of `import fs from 'fs'` and `require('fs')`.
 * `whole` is the further type of the default export (callable, a class).
 */
export function withDefault(
  named: Readonly<Record<string, Member>>,
  whole: LibraryType & Pick<Member, 'construct'> = {},
): {
  readonly exports: Readonly<Record<string, Member>>;
  readonly namespace: LibraryType;
} {
  const { construct, ...type } = whole;
  const { call } = type;
  return {
    exports: {
      ...named,
      default: { ...call, type: NAMESPACE, ...(construct ? { construct } : {}) },
    },
    namespace: { ...type, members: { ...named, ...type.members } },
  };
}
