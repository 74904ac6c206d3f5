import type { Place } from '../file/place.ts';
import type { FileFacts } from '../file/file.ts';
import type { Node } from '../syntax/ast.ts';
import type { Variable } from '../syntax/names.ts';

/**
 * The source of a number: 'code' is a literal or a constant; 'default' the fallback of the code where a caller, an option or
 * the environment sets nothing (`ms = 100`, `options.ms ?? 100`): no fact, and a message that prints it marks it.
 */
export type NumberSource = 'code' | 'default' | 'unknown';

/**
 * The dependencies of an expression besides literals: the clock, randomness, a power (back-off), a parameter of a function, a
 * variable that changes, the environment, a condition, an unresolved call.
 */
export type Trait =
  | 'clock'
  | 'random'
  | 'power'
  | 'parameter'
  | 'variable'
  | 'environment'
  | 'condition'
  | 'unresolved';

/** What a number is at least and at most, where chance decides between the two: `200 + Math.random() * 100`. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A number that an expression has, as far as the code shows it. */
export interface Quantity {
  readonly value: number | undefined;
  /** In place of the value, where chance decides it; its source is that of the numbers in it. */
  readonly range?: (Range & { readonly source: NumberSource }) | undefined;
  readonly source: NumberSource;
  readonly traits: ReadonlySet<Trait>;
  /** Every name on the way to the literal: `POLL_MS`, `config`, `pollEvery`, environment variables. */
  readonly names: readonly string[];
  /** Parameters that it depends on. */
  readonly parameters: readonly Variable[];
  /** Declarations on the way, whose comments may explain the number. */
  readonly declarations: readonly Place[];
}

/** The values of parameters at one call of a function. */
export type Arguments = ReadonlyMap<Variable, Quantity>;

/** A folded constant: environment variables and options are often text that is a number. */
export interface Folded extends Omit<Quantity, 'value' | 'source' | 'range'> {
  readonly constant: number | string | boolean | undefined;
  readonly range?: Range | undefined;
  /** The value is absent by itself: `undefined`, an environment variable, an option that was not given. */
  readonly isOptional?: boolean;
  /** It holds only without an override. */
  readonly isDefault?: boolean;
}

export function literalQuantity(value: number): Quantity {
  return quantityFrom(literal(value));
}

export function certainOf({ value, source }: Quantity): number | undefined {
  return source === 'code' ? value : undefined;
}

export function unknownQuantity(): Quantity {
  return quantityFrom(unknown('unresolved'));
}

export function quantityFrom({
  constant,
  isOptional: _,
  isDefault,
  range,
  ...rest
}: Folded): Quantity {
  const value = typeof constant === 'number' && !Number.isNaN(constant) ? constant : undefined;
  const source = isDefault ? 'default' : 'code';
  return {
    ...rest,
    value,
    source: value === undefined ? 'unknown' : source,
    range: value === undefined && range ? { ...range, source } : undefined,
  };
}

/** A number that chance decides, as the least that it is; any other as it is. */
export function atLeast(quantity: Quantity): Quantity {
  const { range, traits } = quantity;
  if (!range) return quantity;
  const others = new Set([...traits].filter((it) => it !== 'random'));
  return { ...quantity, value: range.least, source: range.source, traits: others };
}

/** The constant that a quantity is in an expression around it. */
export function foldedFrom({ value, source, range, ...rest }: Quantity): Folded {
  const isDefault = source === 'default' || range?.source === 'default';
  return { ...rest, constant: value, isDefault, range };
}

export interface Folding {
  readonly file: FileFacts;
  readonly args: Arguments;
  readonly depth: number;
  /** What a place holds that no code around it decides, such as a field of an object by what makes that. */
  readonly given?: ((file: FileFacts, node: Node) => Quantity | undefined) | undefined;
  /** How many calls of functions of the project lead here. */
  readonly calls?: number;
}

export function literal(constant: Folded['constant']): Folded {
  return { constant, traits: new Set(), names: [], parameters: [], declarations: [] };
}

export function unknown(...traits: readonly Trait[]): Folded {
  return { ...literal(undefined), traits: new Set(traits) };
}

/** `part` with the names on its path. */
export function named(part: Folded, name: string, file?: FileFacts, node?: Node): Folded {
  return {
    ...part,
    names: [...part.names, name],
    declarations: file && node ? [...part.declarations, { file, node }] : part.declarations,
  };
}

/** One constant from parts that all count. */
export function combined(
  parts: readonly Folded[],
  constant: Folded['constant'],
  ...traits: readonly Trait[]
): Folded {
  return {
    constant,
    traits: new Set([...parts.flatMap((it) => [...it.traits]), ...traits]),
    names: parts.flatMap((it) => it.names),
    parameters: parts.flatMap((it) => it.parameters),
    declarations: parts.flatMap((it) => it.declarations),
    isDefault: parts.some((it) => it.isDefault),
  };
}

/** The result of parts where the first of them has no value. */
export function byDefault(parts: readonly Folded[], constant: Folded['constant']): Folded {
  return { ...combined(parts, constant), isDefault: true };
}
