import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isFunction, type Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

/** What Node's own test runner takes for a test by its name alone; deeper in a project, tests may be what it is about. */
const TEST_NAME = /(?:^|[\\/])test\.[cm]?[jt]s$|^[\\/]test[-_][^\\/]+\.[cm]?[jt]s$/i;

/** Whether the file is a test, or a part of some: by its name, or by the globals of a test runner. */
export function isTest(file: FileFacts): boolean {
  return (
    TEST_NAME.test(file.place) ||
    bodyOf(file.ast).some((it) => runsTests(file, it)) ||
    expects(file)
  );
}

/** `describe('…', () => …)` at the top level, and what such a call gives handed out for others to run. */
function runsTests(file: FileFacts, statement: TSESTree.Node): boolean {
  const call = handedOut(statement);
  if (call?.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  const name = callee.type === 'MemberExpression' ? bare(callee.object) : callee;
  return (
    name.type === 'Identifier' &&
    /^(?:describe|it|test|suite|bench|context)$/.test(name.name) &&
    !file.variableOf(name) &&
    call.arguments.some((it) => isFunction(it))
  );
}

function handedOut(statement: TSESTree.Node): Node | undefined {
  if (statement.type === 'ExportDefaultDeclaration') return bare(statement.declaration);
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  return bare(expression.type === 'AssignmentExpression' ? expression.right : expression);
}

/** `expect(rows).toEqual(…)`, `jest.fn()`: nothing but a test runner has these globals. */
function expects(file: FileFacts): boolean {
  return ['expect', 'jest'].some((name) =>
    file.nodes.named(name).some((it) => {
      const asked = name === 'expect' ? it.parent : it;
      return (
        (asked === it || (asked.type === 'CallExpression' && asked.callee === it)) &&
        asked.parent?.type === 'MemberExpression' &&
        asked.parent.object === asked &&
        !file.variableOf(it)
      );
    }),
  );
}
