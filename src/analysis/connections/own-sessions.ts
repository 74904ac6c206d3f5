import { valueOf } from '../provenance/value-of.ts';
import { bare, calledName, contains, functionAround, type Node, rootOf } from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { type Call, calleeOf, isCall, returnedExpressions } from '../syntax/calls.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { handleOf } from '../effects/handles.ts';
import type { LibraryValue } from '../file/value.ts';

/**
 * What a function asks on a session that it opens itself, for each run another: its callers see a query on any connection, and
 * to close the session is part of that.
 */
export function onOwnSessions(
  file: FileFacts,
  fn: Node,
  effects: readonly Effect[],
): readonly Effect[] {
  return effects.flatMap((effect) => {
    const { at, handle } = effect;
    // no veto: spares most effects the question.
    if (at.file !== file || handle !== 'serial' || !isCall(at.node)) return effect;
    const begun = readingAround(at.node);
    const driver = driverOf(file, fn, begun ?? at.node);
    if (driver?.library.name !== effect.library) return effect;
    if (effect.method === 'close') return [];
    // The server refuses to write there, and sends the connection back with the answer.
    const isReading = READS.test(calledName(calleeOf(at.node)) ?? '');
    return { ...effect, ...(isReading ? { op: 'read' } : {}), handle: handleOf(driver, file) };
  });
}

const READS = /^(?:executeRead|readTransaction)$/;

/** `session.executeRead(…)` around `tx.run(…)`. */
function readingAround(call: Call): Call | undefined {
  const around = functionAround(call)?.parent;
  return around?.type === 'CallExpression' && READS.test(calledName(around.callee) ?? '')
    ? around
    : undefined;
}

/** The pool behind the session that a call runs on, where `fn` has opened that, or had it opened. */
function driverOf(file: FileFacts, fn: Node, call: Call): LibraryValue | undefined {
  const { receiver } = libraryCallOf(file, call)?.callee ?? {};
  const origin = receiver?.type.role === 'session' ? receiver.origin : undefined;
  const opened = origin?.node;
  if (!opened || !isCall(opened)) return undefined;
  const name = rootOf(calleeOf(call));
  const definition = name.type === 'Identifier' ? file.variableOf(name)?.defs[0] : undefined;
  if (definition?.type !== 'Variable' || !contains(fn, definition.node)) return undefined;
  const { init } = definition.node;
  const source = init && bare(init);
  // A maker that keeps the session hands out the same one twice.
  if (source !== opened && !(source?.type === 'CallExpression' && isMaker(file, source, opened)))
    return undefined;
  const { callee } = libraryCallOf(origin.file, opened) ?? {};
  return callee?.receiver;
}

/** `() => driver.session()` */
function isMaker(file: FileFacts, { callee }: Extract<Call, { callee: Node }>, opened: Node) {
  const maker = valueOf(file, callee);
  return (
    maker.kind === 'function' && returnedExpressions(maker.node).every((it) => bare(it) === opened)
  );
}
