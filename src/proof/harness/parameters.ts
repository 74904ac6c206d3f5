import type { NumberSpec, ParameterSpec, Values } from '../case.ts';
import type { Evidence } from '../../../rules/define-rule.ts';
import { type Origin, originOf } from '../../../rules/origins.ts';
import { MOST_SECONDS, type Parameter, type ParameterValue } from '../result.ts';

/** A value that the user set and the case cannot run; the message lists the valid values. */
export class ParameterError extends Error {}

export interface KnownValues {
  /** From the evidence of a finding, which is in the code unless `evidence` states a different origin. */
  readonly code?: Partial<Values> | undefined;
  readonly evidence?: Evidence | undefined;
  /** The values of a server of the user's, in place of defaults. */
  readonly server?: Noted | undefined;
  /** Measured by `deadtime profile`; the note contains date and origin. */
  readonly profile?: Noted | undefined;
  /** From `--set name=value`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
}

interface Noted {
  readonly values: Partial<Values>;
  readonly note: string;
}

/** Five seconds is what `longest` is meant for; more time allows longer values. */
const USUAL_SECONDS = 5;

/**
 * One value for each specification: the user's, else that of the code, else of the server, else as measured, else the default.
 * Throws `ParameterError` for names and values that the case does not accept.
 */
export function parametersFor(
  specs: readonly ParameterSpec[],
  { code = {}, evidence, server, profile, set = {} }: KnownValues,
  { maxSeconds }: { readonly maxSeconds: number },
): readonly Parameter[] {
  for (const name of Object.keys(set)) {
    if (!specs.some((it) => it.name === name)) throw unknownName(name, specs);
  }
  return specs.map((spec): Parameter => {
    const { name, unit, description, source } = spec;
    const base = { name, unit, description };
    const wanted = set[name];
    if (wanted !== undefined) return { ...base, value: parsed(spec, wanted), source: 'set' };
    const read = code[name] ?? undefined;
    if (read !== undefined) {
      const { note, ...value } = runnable(spec, read, maxSeconds, 'the code');
      return { ...base, ...value, ...originText(spec, evidence && originOf(evidence, name), note) };
    }
    const brought = server?.values[name];
    if (server && brought !== undefined) {
      return { ...base, value: brought, source: 'default', note: server.note };
    }
    const measured = profile?.values[name];
    if (profile && measured !== undefined) {
      const { value, note } = runnable(spec, measured, maxSeconds, 'the profile');
      const notes = [profile.note, ...(note === undefined ? [] : [note])];
      return { ...base, value, source: 'profile', note: notes.join('; ') };
    }
    if (source.kind === 'default') {
      // The code of a finding may set it where the analysis cannot see it.
      const isOfFinding = evidence !== undefined;
      return {
        ...{ ...base, value: spec.default },
        ...(isOfFinding
          ? { source: 'assumed', note: `the default of ${source.verified}` }
          : { source: 'default', note: source.verified }),
      };
    }
    return { ...base, value: spec.default, source: source.kind };
  });
}

/** The source of a value of the evidence, with the notes about it. */
function originText(
  { source }: ParameterSpec,
  origin: Origin | undefined,
  note: string | undefined,
): Pick<Parameter, 'source' | 'note'> {
  const withNotes = (kind: Parameter['source'], ...notes: readonly (string | undefined)[]) => {
    const given = notes.filter((it) => it !== undefined);
    return { source: kind, ...(given.length > 0 ? { note: given.join('; ') } : {}) };
  };
  if (source.kind === 'suggested') return withNotes('suggested', note);
  switch (origin) {
    case undefined:
      return withNotes('code', note);
    case 'assumed':
      return withNotes('assumed', note);
    case 'configured':
      return withNotes('set', 'in Deadtime’s configuration', note);
    case 'fallback':
      return withNotes('code', 'the fallback in the code', note);
    default:
      return withNotes('default', origin, note);
  }
}

export function valuesOf(parameters: readonly Parameter[]): Values {
  return Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
}

function unknownName(name: string, specs: readonly ParameterSpec[]): ParameterError {
  const names = specs.map((it) => it.name);
  const known = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
  return new ParameterError(`This benchmark has no parameter ${JSON.stringify(name)}. ${known}`);
}

function parsed(spec: ParameterSpec, text: string): ParameterValue {
  if (spec.unit === 'word') {
    if (spec.words.includes(text)) return text;
    throw new ParameterError(
      `${spec.name} is one of ${spec.words.join(', ')}, not ${text || 'empty'}.`,
    );
  }
  const value = text.trim() === '' ? NaN : Number(text);
  const isWhole = spec.unit === 'ms' || spec.unit === 'share' || Number.isInteger(value);
  if (isWhole && value >= spec.min && value <= spec.max) return value;
  throw new ParameterError(`${spec.name} is ${rangeOf(spec)}, not ${text || 'empty'}.`);
}

function rangeOf({ unit, min, max }: NumberSpec): string {
  const kind = unit === 'count' || unit === 'bytes' ? 'a whole number' : 'a number';
  const suffix = unit === 'ms' ? ' ms' : '';
  return `${kind} from ${min} to ${max}${suffix}`;
}

/** Either may contain anything; a value that cannot run unchanged is replaced by the nearest possible one, with a note. */
function runnable(
  spec: ParameterSpec,
  value: ParameterValue,
  maxSeconds: number,
  who: 'the code' | 'the profile',
): { readonly value: ParameterValue; readonly note?: string } {
  if (spec.unit === 'word') {
    if (spec.words.includes(String(value))) return { value };
    return {
      value: spec.default,
      note: `${who} has ${value}, without its own benchmark`,
    };
  }
  const number = Number(value);
  if (!Number.isFinite(number)) return { value: spec.default, note: `${who} has ${value}` };
  const longest = (spec.longest ?? Infinity) * (maxSeconds / USUAL_SECONDS);
  if (number > longest) {
    const seconds = Math.ceil((number / spec.longest!) * USUAL_SECONDS);
    const remedy =
      seconds <= MOST_SECONDS && number <= spec.max
        ? `; --max-seconds ${seconds} runs it unchanged`
        : '';
    return { value: Math.min(longest, spec.max), note: `${who} has ${number}${remedy}` };
  }
  const near = Math.min(spec.max, Math.max(spec.min, number));
  return near === number ? { value: near } : { value: near, note: `${who} has ${number}` };
}
