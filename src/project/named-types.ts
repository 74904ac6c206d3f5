/**
 * The types in a text that name a value's type, without a parser: parents of its classes and interfaces, targets of its type
 * aliases, types of its object literals, and the classes of its new objects. It may contain further types; names in small
 * letters are excluded. Takes time linear in the text.
 */
export function typesNamedIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of [PARENTS, ALIAS]) {
    for (const [, list] of text.matchAll(expression)) {
      for (const [name] of list!.matchAll(NAME)) names.add(name);
    }
  }
  for (const expression of [VALUE, NAMED_AFTER, RENAMED]) {
    for (const [, name] of text.matchAll(expression)) names.add(name!);
  }
  return names;
}

const NAME = /(?<![\w$])[A-Z_$][\w$]*/g;
/** `class PgUsers extends Base<User> implements Users` */
const PARENTS = /\b(?:extends|implements)\s([^{;()=]*)/g;
/** `type Users = Repository<User> & Counted` */
const ALIAS = /\btype\s+[\w$]+(?:\s*<[^=;]{0,200}>)?\s*=([^;{]{0,200})/g;
/** `const users: Users = {…}`, `(): Promise<Users> => …`, `makeUsers(pool): Users {` */
const VALUE =
  /:\s*(?:Promise<\s*)?(?:[\w$]+\.)?([A-Z_$][\w$]*)(?:<[^;={}()]{0,200}>)?>?\s*(?:[={]|$)/gm;
/** `{…} satisfies Users`, `new Users()` */
const NAMED_AFTER = /\b(?:as|new|satisfies)\s+(?:[\w$]+\.)?([A-Z_$][\w$]*)/g;
/** `import { Users as Store }`; looked for by its `as`, since names are everywhere. */
const RENAMED = /\bas(?<=(?<![\w$])([A-Z_$][\w$]*)\s+as)\s/g;
