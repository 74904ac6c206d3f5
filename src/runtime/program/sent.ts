import type { Sent } from '../plan.ts';

/** What a call of a driver sends, without values of its arguments: to be asked before the call, which may change it. */
export function statementOf(
  sent: Sent,
  owner: object,
  args: readonly unknown[],
): string | undefined {
  const given = sentBy(sent, owner, args);
  switch (sent.shape) {
    case 'text':
      return textOf(isObject(given) ? memberOf(given, sent.property) : given);
    case 'name': {
      const name = memberOf(given, sent.property);
      return typeof name === 'string' ? name.toUpperCase() : undefined;
    }
    case 'document': {
      const [command] = isObject(given) ? Object.keys(given) : [];
      if (command === undefined) return undefined;
      const { at, property, none, valueOf } = sent.collection;
      const named = memberOf(args[at], property);
      const collection = named === none ? undefined : named;
      const value = valueOf.includes(command) ? memberOf(given, command) : undefined;
      const name = collection ?? value;
      return typeof name === 'string' ? `${command} ${name}` : command;
    }
  }
}

/** The argument, or the object of the method, that has it. */
export function sentBy({ at }: Sent, owner: object, args: readonly unknown[]): unknown {
  return at === 'this' ? owner : args[at];
}

/** A property, where it is an object or a function. */
export function memberOf(owner: unknown, name: string | number): unknown {
  return isObject(owner) || typeof owner === 'function'
    ? (owner as Readonly<Record<string | number, unknown>>)[name]
    : undefined;
}

function isObject(it: unknown): it is object {
  return typeof it === 'object' && it !== null;
}

/** The parts of a template have a value between each two. */
function textOf(it: unknown): string | undefined {
  if (Array.isArray(it) && it.every((part) => typeof part === 'string')) return it.join('?');
  return typeof it === 'string' ? it : undefined;
}
