// vetoes of no-autocommit-in-loop, no-sequential-independent-awaits
import { bare, contains, isFunction, type Node } from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, isCall } from '../syntax/calls.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { onOwnSessions } from './own-sessions.ts';

/**
 * The effects of a function for its callers: its own transaction with reads only is a read, which any connection of the pool
 * can run; the same holds for queries on its own session.
 */
export function asReads(file: FileFacts, fn: Node, all: readonly Effect[]): readonly Effect[] {
  const effects = onOwnSessions(file, fn, all);
  // veto: the function calls code outside itself, which may run queries in the transaction
  if (!effects.every(({ at }) => at.file === file && contains(fn, at.node))) return effects;
  const begun = effects.flatMap((effect) => {
    const body = effect.handle === 'pool' ? bodyOf(file, effect.at.node) : undefined;
    return body ? [{ effect, body }] : [];
  });
  const isRead = (it: Effect) => it.op === 'read' && it.env === 'db' && it.handle === 'serial';
  const reading = begun.filter(({ body }) =>
    // veto: the transaction contains a write, a lock or an effect outside the database
    effects.every((it) => !contains(body, it.at.node) || isRead(it)),
  );
  return effects.map((it) => {
    if (reading.some(({ effect }) => effect === it)) return { ...it, op: 'read' };
    const own = reading.find(({ body }) => contains(body, it.at.node));
    return own ? { ...it, handle: own.effect.handle } : it;
  });
}

/** The callback that runs in the transaction which the call begins. */
function bodyOf(file: FileFacts, node: Node): Node | undefined {
  const callback = isCall(node) ? libraryCallOf(file, node)?.signature.callback : undefined;
  // no veto: begins none.
  if (!isCall(node) || callback?.scope !== 'transaction') return undefined;
  const args = argumentsOf(node);
  const given = callback.at === 'last' ? args.at(-1) : args[callback.at];
  const body = given && bare(given);
  return body && isFunction(body) ? body : undefined;
}
