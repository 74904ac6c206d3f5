/**
 * Nested brackets and operators in one expression that fit into the parser's native stack: oxc-parser 0.158 with the usual 8 MB
 * dies (a segmentation fault, not an exception) at 6,000 nested functions, 12,000 nested arrows and 30,000 chained
 * conditionals. Half of that, for smaller stacks.
 */
const maxBrackets = 3_000;
const maxOperators = 10_000;

/** How many brackets at most are open in a text, and operators at most in one expression of it, or a bound of that. */
export interface Nesting {
  readonly brackets: number;
  readonly operators: number;
}

/** Whether parsing a text that nests so deep may overflow the native stack. */
export function isTooNested(nesting: Nesting | undefined): boolean {
  return (
    nesting !== undefined && (nesting.brackets > maxBrackets || nesting.operators > maxOperators)
  );
}

/**
 * How deep a text nests at most, undefined where it is too short to nest too deep, judged by counting characters; it is not read
 * on once that is too deep. Strings and comments are counted, too: `plain.ts` takes them out of a text that seems to be too deep.
 */
export function nestingOf(text: string): Nesting | undefined {
  if (text.length <= 2 * maxBrackets) return undefined;
  const most = { brackets: 0, operators: 0 };
  let brackets = 0;
  let operators = 0;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code < 0x80 ? ROLES[code] : 0) {
      case OPENS:
        if (++brackets > most.brackets) most.brackets = brackets;
        if (brackets > maxBrackets) return most;
        break;
      case CLOSES:
        if (brackets > 0) brackets--;
        break;
      case PARTS:
        operators = 0;
        break;
      case ENDS_LINE:
        // A line that ends in a value and a next one that starts with one are two statements.
        if (operators > 0 && !isOperator(last) && !isOperator(nextOnLine(text, i + 1))) {
          operators = 0;
        }
        continue;
      case OPERATES:
        // `-.5` and `1.5` are numbers: the outline of a drawing, in a string, has thousands of them.
        if (isBeforeNumber(text, i)) break;
        if (++operators > most.operators) most.operators = operators;
        if (operators > maxOperators) return most;
        break;
      case BLANK:
        continue;
    }
    last = code;
  }
  return most;
}

/**
 * A bound for a text in which `added` has replaced `removed`, without reading the rest: added letters can at most turn an
 * operator's neighbouring number into a name, and any other change joins at most two separate parts.
 */
export function nestingAfter(before: Nesting, removed: string, added: string): Nesting {
  const signs = (removed + added).replace(/\w+/g, '').length;
  return {
    brackets: before.brackets + signs,
    operators: (signs === 0 && removed === '' ? 1 : 2) * before.operators + signs + 1,
  };
}

/** The effect of a character on nesting; most of a text has none, so each is looked up once. */
const [OPENS, CLOSES, PARTS, ENDS_LINE, OPERATES, BLANK] = [1, 2, 3, 4, 5, 6] as const;
const ROLES = rolesOf([
  [OPENS, '([{'],
  [CLOSES, ')]}'],
  [PARTS, ';,'],
  [OPERATES, '+-*/%&|!~?:<>=.'],
  [BLANK, String.fromCharCode(...Array(0x21).keys())],
  [ENDS_LINE, '\n'],
]);

function rolesOf(roles: readonly (readonly [role: number, characters: string])[]): Uint8Array {
  const found = new Uint8Array(0x80);
  for (const [role, characters] of roles) {
    for (const it of characters) found[it.charCodeAt(0)] = role;
  }
  return found;
}

/** The dot of a call chain is one, too. */
function isOperator(code: number): boolean {
  return ROLES[code] === OPERATES;
}

function isBeforeNumber(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  if (code !== 0x2d && code !== 0x2e) return false;
  const next = text.charCodeAt(i + 1);
  return next === 0x2e || (next >= 0x30 && next <= 0x39);
}

function nextOnLine(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09) i++;
  return i < text.length ? text.charCodeAt(i) : 0;
}
