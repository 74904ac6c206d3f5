import type { CallableValue, Value } from '../file/value.ts';

/** `(tx ?? pool).query(text)`: one query, on the connection that the caller gives, or on the pool. */
export function givenOrOwn(all: readonly Value[]): CallableValue | undefined {
  const callables = all.filter((it) => it.kind === 'callable');
  const [first] = callables;
  const given = callables.filter((it) => it.receiver?.parameter);
  const [own] = given;
  const isOneMethod =
    callables.length === all.length &&
    callables.every((it) => it.name === first?.name && it.library === first.library);
  // no veto: further forms are followed one by one.
  if (!isOneMethod || given.length !== 1 || !own?.receiver?.parameter) return undefined;
  // no veto: a different connection is no fallback that takes any.
  if (!callables.every((it) => it === own || it.receiver?.type.role === 'pool')) return undefined;
  const parameter = { ...own.receiver.parameter, hasFallback: true } as const;
  return { ...own, receiver: { ...own.receiver, parameter } };
}
