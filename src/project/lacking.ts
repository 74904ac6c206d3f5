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
    isWrittenOnce(text, name) &&
    exportedNames(text) !== undefined &&
    !HANDED_ON.test(text) &&
    !ESCAPED.test(text)
  );
}

/** The whole head has to be plain, and no other class of that name may be meant: one in a comment or a string, or a longer name. */
function isWrittenOnce(text: string, name: string): boolean {
  const head = `class\\s+${name}(?![\\w$])`;
  const plain = `^export\\s+(?:default\\s+)?${head}(?:\\s*<[\\w\\s,$]*>)?(?:\\s+implements\\s+[\\w\\s,.$<>]+)?\\s*\\{`;
  const [written] = new RegExp(plain, 'm').exec(text) ?? [];
  return (
    written !== undefined &&
    !/\bextends\b/.test(written) &&
    text.match(new RegExp(`\\b${head}`, 'g'))!.length === 1
  );
}

/** Another file has what is exported under these names. */
const HANDED_ON = /\bexport\s*(?:type\s*)?\{/;
/** A name may be spelled with it. */
const ESCAPED = /\\x/;
