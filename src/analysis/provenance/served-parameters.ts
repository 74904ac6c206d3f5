// vetoes of no-sequential-independent-awaits
import { query } from '../../engine/query.ts';
import type { FunctionNode, Node } from '../syntax/ast.ts';
import { bare, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { libraries } from '../model/index.ts';
import type { Handler } from '../model/handlers.ts';
import { UNKNOWN, type Value, NULLISH } from '../file/value.ts';
import { mutual } from './mutual.ts';

const HANDLERS = libraries.flatMap((library) =>
  (library.handlers ?? []).map((it) => [library, it] as const),
);

/**
 * The arguments that a framework passes to a function of a file that does not show its registration: `exports.list = async
 * (req, res) => …`.
 */
export const servedParameter = query(
  'served parameter',
  (file: FileFacts, fn: FunctionNode, index: number): Value => {
    const { modules } = file;
    const parameter = fn.params[index];
    // Its type says something else.
    const isTyped = parameter && 'typeAnnotation' in parameter && parameter.typeAnnotation;
    if (!modules || isTyped) return UNKNOWN;
    const isThere = (name: string) => modules.versionOf(name, file.path) !== undefined;
    for (const [library, handler] of HANDLERS) {
      const shift = handler.countWithError === fn.params.length ? 1 : 0;
      const type = handler.params[index - shift];
      // no veto: nothing is known of it anyway.
      if (type === undefined) continue;
      if (!isHandler(file, fn, handler, handler.by + shift)) continue;
      // veto: the project does not depend on this framework, or also depends on a similar one
      if (!isThere(library.name)) continue;
      if (handler.unless.some(isThere)) continue;
      return mutual.referredValue(library, type, undefined);
    }
    return UNKNOWN;
  },
  { whileCyclic: NULLISH, isCompared: false, tooDeep: () => UNKNOWN },
);

function isHandler(
  file: FileFacts,
  fn: FunctionNode,
  { called, calls, sets }: Handler,
  at: number,
): boolean {
  const name = fn.params[at];
  if (name?.type !== 'Identifier') return false;
  // veto: the name of the parameter is not that of a response
  if (!called.test(name.name)) return false;
  return (file.variableOf(name)?.references ?? []).some(({ identifier }) => {
    const it = (identifier as Node).parent;
    // no veto: what is read off it.
    if (it?.type !== 'MemberExpression' || bare(it.object) !== identifier) return false;
    const member = propertyName(it) ?? '';
    const { parent } = it;
    if (parent.type === 'CallExpression') {
      // veto: the code awaits the call, so the object is an HTTP client or the answer to its request
      const isAwaited = parent.parent.type === 'AwaitExpression';
      return parent.callee === it && calls?.test(member) === true && !isAwaited;
    }
    return (
      parent.type === 'AssignmentExpression' && parent.left === it && sets?.test(member) === true
    );
  });
}
