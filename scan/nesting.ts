/**
 * Brackets inside each other and operators in one expression that the parser's native stack is known to hold:
 * oxc-parser 0.158 with the usual 8 MB dies (a segmentation fault, not an exception) at 6,000 nested functions,
 * 12,000 nested arrows and 30,000 chained conditionals. Half of that, for smaller stacks.
 */
const maxBrackets = 3_000;
const maxOperators = 10_000;

/**
 * Whether parsing `text` may overflow the native stack, judged by counting characters. Strings and comments are counted
 * too: to be wrong here takes thousands of unclosed brackets, which no file for people has.
 */
export function isTooNested(text: string): boolean {
  if (text.length <= 2 * maxBrackets) return false;
  let brackets = 0;
  let operators = 0;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        if (++brackets > maxBrackets) return true;
        break;
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (brackets > 0) brackets--;
        break;
      case 0x3b: // ;
      case 0x2c: // ,
        operators = 0;
        break;
      case 0x0a:
        // A line that ends in a value and a next one that starts with one are two statements.
        if (!isOperator(last) && !isOperator(nextOnLine(text, i + 1))) operators = 0;
        break;
      default:
        // `-.5` and `1.5` are numbers: the outline of a drawing, in a string, has thousands of them.
        if (!isOperator(code) || isBeforeNumber(text, i)) break;
        if (++operators > maxOperators) return true;
    }
    if (code > 0x20) last = code;
  }
  return false;
}

/** + - * / % & | ! ~ ? : < > = and the dot of a call chain. */
function isOperator(code: number): boolean {
  switch (code) {
    case 0x21:
    case 0x25:
    case 0x26:
    case 0x2a:
    case 0x2b:
    case 0x2d:
    case 0x2e:
    case 0x2f:
    case 0x3a:
    case 0x3c:
    case 0x3d:
    case 0x3e:
    case 0x3f:
    case 0x7c:
    case 0x7e:
      return true;
    default:
      return false;
  }
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
