import type { FileFacts } from '../../src/analysis/file/file.ts';
import { bare, mayAwait, type Node } from '../../src/analysis/syntax/ast.ts';
import { endsAt, rangeOf } from '../../src/analysis/syntax/places.ts';
import type { BlockingCall } from '../../src/patterns/load/blocking-calls.ts';
import type { Suggestion } from '../define-rule.ts';

const OF_PROMISES = /^(?:readFile|writeFile|appendFile|readdir|copyFile|cp|rm)Sync$/;

/**
 * Only for `fs.readFileSync(path)` in an asynchronous function, whose module has the promise, too: elsewhere, an import is missing, or
 * callers do not await the function yet.
 */
export function suggestionsFor(file: FileFacts, call: BlockingCall): readonly Suggestion[] {
  const { node, name } = call;
  const callee = bare(node.callee);
  if (!OF_PROMISES.test(name) || callee.type !== 'MemberExpression' || !mayAwait(node)) return [];
  // Packages on top of it have no such member.
  if (callee.object.type !== 'Identifier' || callee.object.name !== 'fs') return [];
  const given = file.text.slice(endsAt(callee), endsAt(node));
  const awaited = `await fs.promises.${name.replace(/Sync$/, '')}${given}`;
  const text = WHOLE.has((node.parent as Node).type) ? awaited : `(${awaited})`;
  return [{ messageId: 'awaited', edits: [{ range: rangeOf(node), text }], changes: 'order' }];
}

/** Where an `await` needs no parentheses. */
const WHOLE = new Set([
  ...['VariableDeclarator', 'ReturnStatement', 'ExpressionStatement', 'AssignmentExpression'],
  ...['CallExpression', 'ArrayExpression', 'Property'],
]);
