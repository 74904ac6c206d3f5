import { bare, isFunction, type Node, walk } from '../syntax/ast.ts';
import type { Call } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { observingOf } from '../flow/observables.ts';

/** Whether `request.pipe(…)` may do more than to pass the answer on: `switchMap`, `delay`, a callback that throws. */
export function mayDoMore(file: FileFacts, pipe: Call): boolean {
  return (
    pipe.type === 'CallExpression' &&
    pipe.arguments.some((argument) => {
      const it = bare(argument);
      if (it.type !== 'CallExpression') return true;
      const isPassedOn = observingOf(file, bare(it.callee)) === 'passes';
      return !isPassedOn || it.arguments.some(hasOwnEffect);
    })
  );
}

/** It throws, sets something, or is a function that stands elsewhere. */
function hasOwnEffect(callback: Node): boolean {
  const it = bare(callback);
  if (!isFunction(it)) return it.type !== 'Literal' && it.type !== 'ObjectExpression';
  let has = false;
  walk(it, (node) => {
    has ||= /^(?:Throw|Assignment|Update|Await|New)(?:Statement|Expression)$/.test(node.type);
    has ||= node.type === 'CallExpression';
  });
  return has;
}
