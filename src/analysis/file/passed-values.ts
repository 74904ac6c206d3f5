import { join, type Parameter, type Value } from './value.ts';

/** A library's object that the caller passes, unless it leaves that to a default: only the caller resolves which one it is. */
export function passedIn(value: Value, parameter: Parameter, isDefaulted = false): Value {
  if (value.kind === 'union') {
    const one = isDefaulted
      ? { ...parameter, isOpen: true as const }
      : ofEither(value.of, parameter);
    return join(value.of.map((it) => passedIn(it, one)));
  }
  if (value.kind !== 'library' || value.parameter) return value;
  return { ...value, parameter };
}

/** The parameter of one of several values. */
function ofEither(values: readonly Value[], parameter: Parameter): Parameter {
  const roles = values.map((it) => (it.kind === 'library' ? it.type.role : undefined));
  const isEither = roles.includes('pool') && roles.includes('connection');
  return { ...parameter, isOpen: true, ...(isEither && { isEither }) };
}

/** The same of what the callers were given themselves: here it is what this parameter is given. */
export function givenAs(value: Value, parameter: Parameter): Value {
  if (value.kind === 'union') {
    const one = ofEither(value.of, parameter);
    return join(value.of.map((it) => givenAs(it, one)));
  }
  return value.kind === 'library' ? { ...value, origin: undefined, parameter } : value;
}
