import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';

/** The result of a binary operator on two numbers; undefined for operators that no time is computed with. */
export function arithmetic(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    case '**':
      return a ** b;
    case '<<':
      return a << b;
    default:
      return undefined;
  }
}

/** `Math.name(…)` of resolved numbers. */
export function calculated(
  name: string,
  numbers: readonly (number | string | boolean | undefined)[],
): number | undefined {
  if (!numbers.every((it) => typeof it === 'number')) return undefined;
  switch (name) {
    case 'Math.max':
      return Math.max(...numbers);
    case 'Math.min':
      return Math.min(...numbers);
    case 'Math.floor':
      return Math.floor(numbers[0]!);
    case 'Math.ceil':
      return Math.ceil(numbers[0]!);
    case 'Math.round':
      return Math.round(numbers[0]!);
    case 'Math.trunc':
      return Math.trunc(numbers[0]!);
    default:
      return Math.abs(numbers[0]!);
  }
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?)?$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
];

/** The time of a text in the format of the package ms: `'1s'`, `'2 minutes'`, `500`. */
export function milliseconds(text: number | string | boolean | undefined): number | undefined {
  const match = /^(-?[\d.]+)\s*([a-z]*)$/i.exec(String(text));
  const unit = UNITS.find(([pattern]) => pattern.test((match?.[2] ?? '').toLowerCase()))?.[1];
  return match && unit ? Number(match[1]) * unit : undefined;
}

/** A call of the package `ms`. */
export function isMs(file: FileFacts, call: TSESTree.CallExpression): boolean {
  if (call.callee.type !== 'Identifier') return false;
  const [definition] = file.variableOf(call.callee)?.defs ?? [];
  if (definition?.type === 'ImportBinding' && definition.parent?.type === 'ImportDeclaration') {
    return definition.parent.source.value === 'ms';
  }
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return (
    init?.type === 'CallExpression' && file.textOf(init).replaceAll('"', "'") === "require('ms')"
  );
}
