/** What a text can export, `default` aside. */
export interface SpelledExports {
  /** Some that it does not export may be among them; none that it does is missing. */
  readonly names: ReadonlySet<string>;
  /** The specifiers of `export * from`. */
  readonly everythingFrom: readonly string[];
}

/**
 * The names that a text can export; undefined where a different file also contributes names, or the text does not show them.
 */
export function exportedNames(text: string): ReadonlySet<string> | undefined {
  const spelled = spelledExports(text);
  return spelled?.everythingFrom.length === 0 ? spelled.names : undefined;
}

/**
 * What a text can export, without a parser; undefined where it may export names that it does not spell (CommonJS) or that are
 * written in a rare way: most files behind a barrel need not be parsed. Takes time linear in the text.
 */
export function spelledExports(text: string): SpelledExports | undefined {
  if (ESCAPED.test(text) || COMMON_JS.test(text)) return undefined;
  const names = new Set<string>();
  const everythingFrom: string[] = [];
  let firstVariable: number | undefined;
  let hasPattern = false;
  let isConst = true;
  for (const { index } of text.matchAll(WORD)) {
    const after = index + 'export'.length;
    if (!matchAt(STATEMENT, text, after) || matchAt(DEFAULT, text, after)) continue;
    const list = matchAt(LIST, text, after)?.[1];
    if (list !== undefined) {
      for (const it of list.split(',')) {
        const exported = it.trim().split(/\s+/).at(-1);
        if (exported) names.add(exported);
      }
      continue;
    }
    const source = matchAt(EVERYTHING, text, after)?.[2];
    if (source !== undefined) {
      everythingFrom.push(source);
      continue;
    }
    isConst &&= !matchAt(UNSET, text, after);
    if (matchAt(PATTERN, text, after)) {
      firstVariable ??= after;
      hasPattern = true;
      continue;
    }
    const variable = matchAt(VARIABLE, text, after);
    const declared = variable ?? matchAt(NAMESPACE, text, after) ?? matchAt(DECLARED, text, after);
    if (!declared) return undefined;
    names.add(declared[1]!);
    if (variable) firstVariable ??= after;
  }
  if (firstVariable === undefined) return { names, everythingFrom };
  // `export const a = 1, b = 2`: only a parser finds the end of a value, so each word after a comma counts.
  const values = text.slice(firstVariable);
  let isUnclear = false;
  for (const [, name] of values.matchAll(isConst ? FURTHER_SET : FURTHER)) {
    if (name === undefined) isUnclear = true;
    else names.add(name);
  }
  // `export const a = 1, { b } = read()`: and where a pattern is one, too.
  hasPattern ||= isUnclear && PATTERN_END.test(values);
  for (const [, name] of hasPattern ? values.matchAll(IN_PATTERN) : []) names.add(name!);
  const behind = isConst && !hasPattern ? BEHIND_COMMENT_SET : BEHIND_COMMENT;
  for (const [, name] of hasPattern || isUnclear ? values.matchAll(behind) : []) names.add(name!);
  return { names, everythingFrom };
}

/** Of a letter, a digit, `_` or `$`, as in a name: no import has names with others. */
const ESCAPED = /\\u(?:\{|00[2-7])/;
/** Not `import-export`, nor in a line of a comment that starts with an asterisk: none of these can precede a statement. */
const WORD = /\bexport\b(?<!(?:[-.$]|\*[^\S\r\n\u2028\u2029]*)export)/g;
const COMMON_JS =
  /\bmodule[\s)]*(?:\/[/*]|\[|\.\s*(?:exports\b|\/[/*]))|\bexports[\s)]*(?:\/[/*]|\[|\.\s*(?:\/[/*]|[\w$]+[\s)]*(?:\/[/*]|[-+*/%&|^?<>]*=(?!=))))/;

/** The word is a statement's, not a property's or a comment's. */
const STATEMENT =
  /\s*(?:[{*=@/]|(?:abstract|as|async|class|const|declare|default|enum|function|import|interface|let|module|namespace|type|var)\b)/y;
const DEFAULT = /\s*default\b/y;
/** `{ a, type b, c as d }`; comments and quoted names are left to the parser. */
const LIST = /\s*(?:type\s*)?\{([^{}/'"]*)\}/y;
const EVERYTHING = /\s*(?:type\s*)?\*\s*from\s*(['"])([^'"\\\r\n]*)\1/y;
const NAMESPACE = /\s*(?:type\s*)?\*\s*as\s+([\w$]+)/y;
const VARIABLE = /\s+(?:declare\s+)?(?:const(?!\s+enum\b)|let|var)\b\s*([\w$]+)/y;
const PATTERN = /\s+(?:declare\s+)?(?:const|let|var)\s*[{[]/y;
const DECLARED =
  /\s+(?:declare\s+)?(?:(?:async\s+)?function\b(?:\s*\*)?|(?:(?:abstract\s+)?class|(?:const\s+)?enum|interface|type|namespace|module|import(?:\s+type)?)\b)\s*([\w$]+)/y;
/** Need not be given a value where they are declared. */
const UNSET = /\s+(?:declare|let|var)\b/y;
/** A name; or a pattern or a comment, without a group. */
const FURTHER = /,\s*(?:([\w$]+)|[{[/])/g;
/** The same where a value or a type follows. */
const FURTHER_SET = /,\s*(?:([\w$]+)(?![\w$])(?=\s*[=:!/])|[{[/])/g;
/** A pattern has an initializer; a type or a comment may precede it. */
const PATTERN_END = /[}\]]\s*(?:=(?![=>])|:|\/[/*])/;
/** What a pattern may bind. */
const IN_PATTERN = /[{[,:.]\s*([\w$]+)(?![\w$])(?=\s*(?:[,}\]=]|\/[/*]))/g;
/** A word behind a comment, or that may be behind one, with what may follow a name there. */
const BEHIND_COMMENT =
  /(?:^|\*\/)[^\S\r\n\u2028\u2029]*([\w$]+)(?![\w$])(?=\s*(?:[,;:=!}\]]|$|\/[/*]))/gm;
const BEHIND_COMMENT_SET =
  /(?:^|\*\/)[^\S\r\n\u2028\u2029]*([\w$]+)(?![\w$])(?=\s*(?:[:=!]|\/[/*]))/gm;

function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}
