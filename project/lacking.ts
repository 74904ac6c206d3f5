import { exportedNames } from './exported-names.ts';

/**
 * Whether a text shows, without a parser, that it exports the class with the first of `names`, whose objects lack one
 * of the members that the others name: the class is written there, has no parent, and the text does not spell the member.
 * False wherever that is not certain.
 */
export function lacks(text: string, [name, ...members]: readonly string[]): boolean {
  return (
    name !== undefined &&
    /^\w+$/.test(name) &&
    members.some((it) => !text.includes(it)) &&
    new RegExp(`^export\\s+(?:default\\s+)?class\\s+${name}\\b(?![^{]*\\bextends\\b)`, 'm').test(
      text,
    ) &&
    exportedNames(text) !== undefined &&
    !HANDED_ON.test(text) &&
    !ESCAPED.test(text)
  );
}

/** Another file has what is exported under these names. */
const HANDED_ON = /\bexport\s*(?:type\s*)?\{/;
/** A name may be spelled with it. */
const ESCAPED = /\\x/;
