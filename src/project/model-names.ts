/**
 * The names of the models that a text makes, without a parser: `mongoose.model('User', schema)`. To ask for one by its name
 * alone makes none. Takes time linear in the text.
 */
export function modelsMadeIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(MADE)].map(([, name]) => name!));
}

const MADE = /\bmodel\s*(?:<[^()'"`;]{0,300}>\s*)?\(\s*['"`]([\w$.-]+)['"`]\s*,/g;
