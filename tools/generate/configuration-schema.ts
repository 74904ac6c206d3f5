import { environments, operations } from '../../src/analysis/provenance/declarations.ts';
import { libraryNames } from '../../src/analysis/model/index.ts';
import { profiles, type Rule } from '../../rules/define-rule.ts';
import { optionsSchema } from '../../rules/options-schema.ts';
import { levels } from '../../src/scan/configuration.ts';

/** JSON Schema of `deadtime.config.json`, for editors that complete and check it. */
export function configurationSchema(rules: readonly Rule[]): unknown {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Deadtime',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      profile: { enum: profiles, description: 'How sure and how severe findings must be.' },
      rules: {
        type: 'object',
        properties: Object.fromEntries(rules.map((rule) => [rule.id, ruleSchema(rule)])),
        additionalProperties: false,
      },
      packages: {
        type: 'object',
        properties: {
          treatAs: {
            description:
              'Packages that wrap a library: Deadtime treats their exports as those of the library.',
            type: 'object',
            additionalProperties: { enum: libraryNames },
          },
        },
        additionalProperties: false,
      },
      types: {
        description:
          'Effects of functions that Deadtime cannot follow: "src/db.ts#query", "@acme/db#query".',
        type: 'object',
        propertyNames: { pattern: '.#.' },
        additionalProperties: functionSchema,
      },
    },
    additionalProperties: false,
  };
}

function ruleSchema(rule: Rule) {
  const options = {
    type: 'object',
    properties: optionsSchema(rule),
    additionalProperties: false,
  };
  const level = { enum: levels };
  const pair = { type: 'array', items: [level, options], minItems: 1, maxItems: 2 };
  return { description: rule.description, anyOf: [level, pair] };
}

const functionSchema = {
  type: 'object',
  properties: {
    effect: {
      description: 'What a call waits for.',
      enum: [...environments.flatMap((env) => operations.map((op) => `${env}.${op}`)), 'none'],
    },
    acquires: {
      description:
        'The type that the function returns and that its caller must release: "pg.PoolClient".',
      anyOf: [{ type: 'string' }, { const: false }],
    },
    releases: {
      description: 'Which argument the function releases: an index, or a parameter’s name.',
      anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }],
    },
  },
  additionalProperties: false,
};
