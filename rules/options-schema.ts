import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';
import type { OptionValue, Rule } from './define-rule.ts';

/** The JSON Schema of a rule's options, by name: an option's type is its default's. */
export function optionsSchema({ options }: Rule): Readonly<Record<string, JSONSchema4>> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { default: usual, description }]) => [
      name,
      { ...schemaOfValue(usual), description },
    ]),
  );
}

function schemaOfValue(value: OptionValue): JSONSchema4 {
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  if (typeof value !== 'object') return { type: typeof value as 'string' | 'number' | 'boolean' };
  const numbers = { type: 'object', additionalProperties: { type: 'number' } } as const;
  return { type: 'object', additionalProperties: numbers };
}
