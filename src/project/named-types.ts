/**
 * The types that a text names where something is made of them, without a parser: parents of its classes and interfaces, what
 * its type aliases stand for, types of the values that it writes out, and the classes that it makes objects of. Some of which
 * nothing is made may be among them; names in small letters are not. Takes time linear in the text.
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
