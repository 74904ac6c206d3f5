/**
 * The names that a text can export, `default` aside, without a parser; undefined where it may export names that it does not
 * spell (`export *`, CommonJS). Some that it does not export may be among them, none that it does is missing: most
 * files behind a barrel need not be parsed.
 */
export function exportedNames(text: string): ReadonlySet<string> | undefined {
  if (COMMON_JS.test(text)) return undefined;
  const names = new Set<string>();
  let hasVariables = false;
  for (const { index } of text.matchAll(/\bexport\b/g)) {
    const after = index + 'export'.length;
    if (matchAt(OPEN, text, after)) return undefined;
    const list = matchAt(LIST, text, after)?.[1];
    // A comment may hide the name before it.
    if (list?.includes('/')) return undefined;
    for (const it of list?.split(',') ?? []) {
      const exported = it.trim().split(/\s/).at(-1);
      if (exported) names.add(exported);
    }
    const declared = matchAt(DECLARED, text, after);
    const name = declared?.[1] ?? declared?.[2];
    if (name !== undefined) names.add(name);
    hasVariables ||= matchAt(VARIABLE, text, after) !== null;
  }
  // `export const a = 1, b = 2`
  if (hasVariables) for (const [, name] of text.matchAll(FURTHER)) names.add(name!);
  return names;
}

const COMMON_JS =
  /\bmodule\s*(?:\.\s*exports\b|\[\s*['"`]exports)|\bexports\s*(?:\.\s*[\w$]+|\[[^\]\n]*\])\s*=(?!=)/;

/** All from elsewhere, `export =`, a pattern, several variables without a value; decorators and comments, to be safe. */
const OPEN =
  /\s*(?:(?:type\s*)?\*(?!\s*as\b)|=|@|\/[/*]|(?:declare\s+)?(?:const|let|var)\s*(?:[{[/]|[\w$][^=;\n]*,))/y;
/** `{ a, type b, c as d }` */
const LIST = /\s*(?:type\s*)?\{([^}]*)\}/y;
const DECLARED =
  /\s+(?:(?:declare|default|abstract|async|const|let|var|function|class|interface|type|enum|namespace|module|import)\b[\s*]*)+([\w$]+)|\s*\*\s*as\s+([\w$]+)/y;
const VARIABLE = /\s+(?:declare\s+)?(?:const|let|var)\b/y;
const FURTHER = /,\s*([\w$]+)\s*(?::[^,;=]*)?=(?![=>])/g;

function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}
