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
    !ELSEWHERE.test(text)
  );
}

/** What brings members from elsewhere, and names that are not spelled out. */
const ELSEWHERE = /\\[ux]|\bexport\s*(?:type\s*)?[{*]|\bmodule\s*\.\s*exports\b/;
