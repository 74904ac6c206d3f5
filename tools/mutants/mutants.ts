import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** One veto that can be taken out of one file. */
export interface Mutant {
  readonly path: string;
  /** The rule whose fixtures must notice; undefined for facts, where those of any rule may. */
  readonly ruleId: string | undefined;
  /** The line, from 1. */
  readonly line: number;
  /** The removed veto. */
  readonly veto: string;
  /** Its place in the file. */
  readonly range: readonly [start: number, end: number];
  readonly kind: VetoKind;
}

/** What is left of a veto that is taken out: `false`, a pattern that matches nothing, no element, no property. */
type VetoKind = 'condition' | 'pattern' | 'element' | 'property';
type Veto = readonly [node: ts.Node, kind: VetoKind];

/**
 * Every reason not to report in a file of rules/ or src/analysis/: each condition of an `if` that only jumps away, and each
 * operand of a returned `a || b`. The code after a `// veto: name` line is one, too: an operand, an element of a list, a
 * property, a constant pattern; `// veto of an exclusion:` is the same mark. `// no veto: why` before an `if` or a `return` declares
 * that it decides something else.
 */
export function mutantsOf(path: string): readonly Mutant[] {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ruleId = /^rules[/\\]([^/\\]+)/.exec(path)?.[1];
  const mutants: Mutant[] = [];
  visit(file);
  return mutants.sort((a, b) => a.range[0] - b.range[0] || b.range[1] - a.range[1]);

  function visit(node: ts.Node): void {
    for (const [target, kind] of vetoesAt(node)) {
      const start = target.getStart(file);
      mutants.push({
        path,
        ruleId,
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        veto: target.getText(file).replaceAll(/\s+/g, ' '),
        range: [start, target.end],
        kind,
      });
    }
    node.forEachChild(visit);
  }

  function vetoesAt(node: ts.Node): readonly Veto[] {
    const mark = markBefore(node, file);
    if (mark === 'no veto') return [];
    if (ts.isIfStatement(node) && isJump(node.thenStatement) && !node.elseStatement) {
      return operandsOf(node.expression).map((it) => [it, 'condition']);
    }
    if (ts.isReturnStatement(node) && node.expression) {
      const operands = operandsOf(node.expression);
      return operands.length > 1 ? operands.map((it) => [it, 'condition']) : [];
    }
    if (mark !== 'veto' || (node.parent && markBefore(node.parent, file) === 'veto')) return [];
    if (ts.isArrayLiteralExpression(node.parent)) return [[node, 'element']];
    if (ts.isPropertyAssignment(node)) return [[node, 'property']];
    if (ts.isVariableStatement(node)) return patternsIn(node).map((it) => [it, 'pattern']);
    return ts.isExpression(node) ? [[node, 'condition']] : [];
  }
}

/** A switch around a veto of each kind: `isOut(17)` is true if it is removed, `reachedBy` records that it was there. */
const switches = {
  condition: ['(isOut(#) ? false : reachedBy(#, ', '))'],
  pattern: ['(isOut(#) ? /(?!)/ : reachedBy(#, ', '))'],
  element: ['...(isOut(#) ? [] : reachedBy(#, [', ']))'],
  property: ['...(isOut(#) ? {} : reachedBy(#, {', '}))'],
} as const satisfies Record<VetoKind, readonly [string, string]>;

/** A file's text with a switch around each of its vetoes, which come in the order of the source, outer ones first. */
export function switchedSource(text: string, mutants: ReadonlyMap<number, Mutant>): string {
  const ends: { readonly at: number; readonly text: string }[] = [];
  let switched = '';
  let position = 0;
  const copyTo = (at: number): void => {
    for (let end = ends.at(-1); end && end.at <= at; end = ends.at(-1)) {
      switched += text.slice(position, end.at) + end.text;
      position = end.at;
      ends.pop();
    }
    switched += text.slice(position, at);
    position = at;
  };
  for (const [index, { range, kind }] of mutants) {
    const [before, after] = switches[kind];
    copyTo(range[0]);
    switched += before.replaceAll('#', String(index));
    ends.push({ at: range[1], text: after });
  }
  copyTo(text.length);
  return switched;
}

function markBefore(node: ts.Node, file: ts.SourceFile): 'veto' | 'no veto' | undefined {
  for (const { pos, end } of ts.getLeadingCommentRanges(file.text, node.pos) ?? []) {
    const match = /^\/\/ (no )?veto(?: of an exclusion)?: \S/.exec(file.text.slice(pos, end));
    if (match) return match[1] ? 'no veto' : 'veto';
  }
  return undefined;
}

/** `continue`, `break`, and returns of nothing. */
function isJump(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    return statement.statements.length === 1 && isJump(statement.statements[0]!);
  }
  if (ts.isContinueStatement(statement) || ts.isBreakStatement(statement)) return true;
  if (!ts.isReturnStatement(statement)) return false;
  const { expression } = statement;
  if (!expression) return true;
  if ([ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.TrueKeyword].includes(expression.kind))
    return true;
  if (ts.isIdentifier(expression)) return expression.text === 'undefined';
  return ts.isArrayLiteralExpression(expression) && expression.elements.length === 0;
}

/** `a || b` is two vetoes. */
function operandsOf(expression: ts.Expression): readonly ts.Expression[] {
  if (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.BarBarToken
  ) {
    return [...operandsOf(expression.left), ...operandsOf(expression.right)];
  }
  return [expression];
}

function patternsIn(node: ts.Node): readonly ts.Node[] {
  const isPattern =
    ts.isRegularExpressionLiteral(node) ||
    (ts.isCallExpression(node) && node.expression.getText() === 'patternOf');
  if (isPattern) return [node];
  const found: ts.Node[] = [];
  node.forEachChild((child) => void found.push(...patternsIn(child)));
  return found;
}
