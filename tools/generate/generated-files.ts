import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { configurationSchema } from './configuration-schema.ts';
import { settingsTable } from './extension-settings.ts';
import { commandLinePage } from './pages/command-line.ts';
import { configurationTables } from './pages/configuration.ts';
import { printedFor } from './pages/example.ts';
import { librariesPage } from './pages/libraries.ts';
import { measuredDriversPage } from './pages/measured-drivers.ts';
import { oxlintRules, rulesTable } from './pages/rules.ts';
import { indexOf, mutationsIndexOf, proofTableOf } from './registries.ts';
import { wordsOf } from './pages/words.ts';
import { costTable, spreadTable } from './measured-tables.ts';
import { measurements } from './measurements.ts';
import {
  gravestOf,
  isShown,
  type Option,
  type OptionValue,
  type Profile,
  profiles,
  type Rule,
} from '../../rules/define-rule.ts';

/** Title and description come above the text that people write, and everything below this mark comes from rule.ts. */
export const pageEnd =
  '<!-- Written by `npm run docs` from rule.ts, from here to the end; edit above. -->';
const tableStart = '<!-- Written by `npm run docs` from rules/. -->';
const examplePages = ['README.md', 'docs/getting-started.md'];
const exampleStart = '<!-- Written by `npm run docs` from the code above. -->';
const rulesPath = 'docs/reference/rules.md';
const oxlintPath = 'docs/guides/oxlint.md';
const configurationPath = 'docs/reference/configuration.md';
const configurationStart = '<!-- Written by `npm run docs` from deadtime.schema.json. -->';
const howPath = 'docs/explanations/how-we-measure.md';
const spreadStart = '<!-- Written by `npm run docs` from docs/measurements.json. -->';
const settingsPath = 'extension/README.md';
const settingsStart = '<!-- Written by `npm run docs` from extension/package.json. -->';
const tableEnd = '<!-- end of the table -->';

/** The rule folders, in alphabetical order. */
export function ruleIds(): readonly string[] {
  return readdirSync('rules', { withFileTypes: true })
    .filter((it) => it.isDirectory() && existsSync(`rules/${it.name}/rule.ts`))
    .map((it) => it.name)
    .sort();
}

/** The content of every generated file, by path; `npm run docs` writes it and a test compares. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const rules = await Promise.all(ruleIds().map(ruleAt));
  const ids = rules.map((it) => it.id);
  const files = new Map([
    ['rules/index.ts', await indexOf(rules)],
    ['src/proof/table.ts', await proofTableOf(ids)],
    ['lab/seeds/mutations/index.ts', await mutationsIndexOf(ids)],
  ]);
  for (const rule of rules) {
    const path = `rules/${rule.id}/README.md`;
    files.set(path, pageOf(rule, textOf(contentOf(path))));
  }
  for (const path of examplePages) {
    files.set(path, withTable(path, exampleStart, printedFor(path, rules)));
  }
  files.set(rulesPath, withTable(rulesPath, tableStart, rulesTable(rules)));
  files.set(oxlintPath, withTable(oxlintPath, tableStart, oxlintRules(rules)));
  files.set('docs/reference/cli.md', commandLinePage());
  files.set('docs/reference/libraries.md', librariesPage());
  files.set('docs/reference/measured-drivers.md', measuredDriversPage());
  const configuration = configurationTables(rules);
  files.set(configurationPath, withTable(configurationPath, configurationStart, configuration));
  files.set('deadtime.schema.json', await jsonOf(configurationSchema(rules)));
  files.set(settingsPath, withTable(settingsPath, settingsStart, settingsTable()));
  const measured = measurements();
  if (measured) files.set(howPath, withTable(howPath, spreadStart, `\n${spreadTable(measured)}\n`));
  return files;
}

async function jsonOf(value: unknown): Promise<string> {
  const options = await resolveConfig('deadtime.schema.json');
  return format(JSON.stringify(value), { ...options, parser: 'json' });
}

/** The page with `table` between its marks. */
export function withTable(path: string, start: string, table: string): string {
  const [before, rest = ''] = contentOf(path).split(start);
  return `${before}${start}\n${table}\n${tableEnd}${textAfter(tableEnd, rest)}`;
}

/** Not through rules/index.ts, which is one of the files to write. */
async function ruleAt(id: string): Promise<Rule> {
  const { default: rule } = (await import(`../../rules/${id}/rule.ts`)) as { default: Rule };
  return rule;
}

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What people wrote: from the first section to the reference. */
function textOf(page: string): string {
  const [written = ''] = page.split(pageEnd);
  const start = written.search(/^## /m);
  return start === -1 ? '' : written.slice(start).trim();
}

function textAfter(mark: string, text: string): string {
  return text.slice(text.indexOf(mark) + mark.length);
}

function pageOf(rule: Rule, text: string): string {
  const parts = [
    `# ${rule.id}`,
    `${rule.description}.`,
    text,
    pageEnd,
    '## Reference',
    messageTableOf(rule),
    levelsOf(rule),
    listOf('Suggestions', Object.values(rule.suggestions).map(quoted)),
    listOf('Options', Object.entries(rule.options).map(optionText)),
    wordsOf(rule),
    `Prove it: \`npx deadtime prove ${rule.id}\``,
    costOf(rule),
  ];
  return `${parts.filter((it) => it !== undefined).join('\n\n')}\n`;
}

function messageTableOf({ messages }: Rule): string {
  const rows = Object.entries(messages).map(([id, { severity, confidence = 'high' }]) => {
    const from = profiles.find((it) => isShown({ severity, confidence }, it));
    return `| \`${id}\` | ${severity} | ${confidence} | \`${from}\` |`;
  });
  return ['| Message | Severity | Confidence | Shown from |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function levelsOf(rule: Rule): string {
  const [recommended, strict] = [levelOf(rule, 'recommended'), levelOf(rule, 'strict')];
  return `Most severe finding: ${recommended} in \`recommended\`, ${strict} in \`strict\`.`;
}

function listOf(title: string, entries: readonly string[]): string {
  return entries.length === 0
    ? `${title}: none.`
    : `${title}:\n\n${entries.map((it) => `- ${it}`).join('\n')}`;
}

function optionText([name, { default: usual, description }]: readonly [
  string,
  Option<OptionValue>,
]): string {
  return `\`${name}\`, by default \`${JSON.stringify(usual)}\`:\n  ${description}`;
}

function costOf({ id }: Rule): string | undefined {
  const measured = measurements();
  return measured && costTable(measured, id);
}

function levelOf(rule: Rule, profile: Profile): string {
  return gravestOf(rule, profile) ?? 'off';
}

function quoted(title: string): string {
  return title.replaceAll(/`?\{\{(\w+)\}\}`?/g, '`$1`');
}
