/**
 * The names under which a text puts something on another object, without a parser (`decorate('db', …)`, `set('db', …)`,
 * `app.locals.db = …`, `global['db'] ??= …`, `Object.assign(req, { db })`), or declares that another module's object has it. An object's own
 * (`this.db = …`) are none. Takes time linear in the text.
 */
export function namesPutIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, given, assigned, keyed] of text.matchAll(PUT)) {
    names.add((given ?? assigned ?? keyed)!);
  }
  for (const [, object] of text.matchAll(ASSIGNED)) {
    for (const [name] of object!.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name);
  }
  if (DECLARES.test(text)) for (const [, name] of text.matchAll(DECLARED)) names.add(name!);
  return names;
}

const PUT =
  /\.(?:decorate(?:Request|Reply)?|set)\s*\(\s*['"`]([\w$]+)['"`]|(?<!\b(?:this|exports|prototype))(?:\.|\?\.)([A-Za-z_$][\w$]*)\s*(?:\?\?|\|\|)?=(?![=>])|\[\s*['"]([\w$]+)['"]\s*\]\s*(?:\?\?|\|\|)?=(?![=>])/g;
/** With more names than are put there: those of the values, too. */
const ASSIGNED = /\bObject\.assign\(\s*(?!this\b)[\w$.]+\s*,\s*\{([^{}]{0,500})\}/g;
const DECLARES = /\bdeclare\s+(?:module|global|namespace)\b/;
const DECLARED = /(?<![\w$])([A-Za-z_$][\w$]*)\??:/g;
