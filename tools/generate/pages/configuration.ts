import type { Rule } from '../../../rules/define-rule.ts';
import { configurationSchema } from '../configuration-schema.ts';
import { markdownTable, sentence } from './table.ts';

/** What the generated tables read of a JSON Schema. */
interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly items?: Schema | readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** The fields of deadtime.config.json, and the options of each rule, for docs/reference/configuration.md. */
export function configurationTables(rules: readonly Rule[]): string {
  const { properties = {} } = configurationSchema(rules) as Schema;
  const { profile, packages, types } = properties;
  const { treatAs } = packages!.properties!;
  const { effect, acquires, releases } = (types!.additionalProperties as Schema).properties!;
  const fields: readonly (readonly [string, Schema, string])[] = [
    ['profile', profile!, valuesOf(profile!)],
    ['packages.treatAs', treatAs!, 'by package, a name from [the libraries](libraries.md)'],
    ['types', types!, 'by function, an object with the next three fields'],
    ['effect', effect!, effectsOf(effect!)],
    ['acquires', acquires!, 'a type of a library, or `false`'],
    ['releases', releases!, 'a name, or an index from 0 on'],
  ];
  return [
    '',
    markdownTable(
      ['Field', 'What it is for', 'Values'],
      fields.map(([name, { description = '' }, values]) => [`\`${name}\``, description, values]),
    ),
    '',
    `\`rules\` has a level by rule, or a list of a level and options. Levels: ${levelsOf(properties['rules']!)}.`,
    '',
    '## Options of the rules',
    '',
    ...rules.flatMap((rule) => optionLines(rule, properties['rules']!)),
  ].join('\n');
}

function optionLines(rule: Rule, schema: Schema): readonly string[] {
  const [, pair] = schema.properties![rule.id]!.anyOf!;
  const [, { properties = {} }] = pair!.items as readonly [Schema, Schema];
  const lines = Object.entries(properties).flatMap(([name, { description = '' }]) => [
    `- \`${name}\`, by default \`${JSON.stringify(rule.options[name]!.default)}\``,
    `  ${sentence(description)}`,
  ]);
  return [`### ${rule.id}`, '', ...(lines.length > 0 ? lines : ['No options.']), ''];
}

function levelsOf({ properties = {} }: Schema): string {
  const [rule] = Object.values(properties);
  return valuesOf(rule!.anyOf![0]!);
}

function valuesOf({ enum: values = [] }: Schema): string {
  return values.map((it) => `\`${it}\``).join(', ');
}

/** `db.read` and 35 more are two lists; `none` has no dot. */
function effectsOf({ enum: values = [] }: Schema): string {
  const words = values.filter((it) => !it.includes('.')).map((it) => `, or \`${it}\``);
  const parts = values.flatMap((it) =>
    it.includes('.') ? [it.split('.') as [string, string]] : [],
  );
  const names = (index: 0 | 1) => [...new Set(parts.map((it) => it[index]))].join(', ');
  return `\`WHAT.HOW\`: ${names(0)}; ${names(1)}${words.join('')}`;
}
