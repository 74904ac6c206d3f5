import { bare, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import { callbackOf } from '../provenance/contextual.ts';
import type { FileFacts } from '../file/file.ts';
import { wordsOf } from '../syntax/words.ts';

const SCOPE = /\b(?:transaction|transactional|transacting|atomic|unit of work)\b/;

/**
 * Whether `node` runs inside a transaction that the calls need not name: a decorated method, or a function passed to what
 * opens one (`runInTransaction(async () => …)`). Calls on the ambient connection look exactly like calls on the pool there.
 */
export function isInTransaction(file: FileFacts, node: Node): boolean {
  for (let it: Node | undefined = node; it; it = it.parent) {
    // no veto: only functions are passed and decorated.
    if (!isFunction(it)) continue;
    if (isDecorated(it) || isPassedToScope(file, it)) return true;
  }
  return false;
}

/**
 * Whether a function around `node` has a parameter whose type declares a running transaction: `(rows, env: TransactionScope) =>
 * …`.
 */
export function isGivenTransaction(file: FileFacts, node: Node): boolean {
  for (let it: Node | undefined = node; it; it = it.parent) {
    // no veto: only functions have parameters.
    if (!isFunction(it)) continue;
    if (it.params.some((parameter) => SCOPE.test(wordsOf(typeTextOf(file, parameter)))))
      return true;
  }
  return false;
}

function typeTextOf(file: FileFacts, parameter: Node): string {
  const annotation = 'typeAnnotation' in parameter ? parameter.typeAnnotation : undefined;
  return annotation ? file.textOf(annotation as Node) : '';
}

/** `@Transactional()`, `@Transaction()`, `@UseTransaction()`. */
function isDecorated(fn: Node): boolean {
  const method = fn.parent;
  // no veto: nothing else is decorated.
  if (method?.type !== 'MethodDefinition') return false;
  return (method.decorators ?? []).some(({ expression }) =>
    SCOPE.test(wordsOf(nameOf(expression))),
  );
}

function isPassedToScope(file: FileFacts, fn: Node): boolean {
  if (callbackOf(file, fn)?.callback.scope !== undefined) return true;
  const call = fn.parent;
  return (
    call?.type === 'CallExpression' &&
    call.callee !== fn &&
    SCOPE.test(wordsOf(nameOf(call.callee)))
  );
}

function nameOf(expression: Node): string {
  const it = bare(expression);
  if (it.type === 'CallExpression') return nameOf(it.callee);
  if (it.type === 'MemberExpression') return propertyName(it) ?? '';
  return it.type === 'Identifier' ? it.name : '';
}
