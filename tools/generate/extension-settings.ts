import { readFileSync } from 'node:fs';

interface Setting {
  readonly order: number;
  readonly default: unknown;
  readonly markdownDescription: string;
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
}

/** The settings of the extension as a table, in the order in which VS Code shows them. */
export function settingsTable(): string {
  const { contributes } = JSON.parse(readFileSync('extension/package.json', 'utf8')) as {
    readonly contributes: {
      readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    };
  };
  const rows = Object.entries(contributes.configuration.properties)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([name, it]) => `| \`${name}\` | ${shown(it.default)} | ${described(it)} |`);
  return [
    '',
    '<!-- prettier-ignore -->',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function shown(value: unknown): string {
  return value === null || value === '' ? 'none' : `\`${JSON.stringify(value)}\``;
}

function described({
  markdownDescription,
  enum: values = [],
  markdownEnumDescriptions = [],
}: Setting): string {
  const each = markdownEnumDescriptions.map((it, i) => `${shown(values[i])}: ${it}`);
  return [markdownDescription, ...each].join('<br>').replaceAll('|', '\\|');
}
