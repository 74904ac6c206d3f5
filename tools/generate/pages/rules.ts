import { gravestOf, type Rule } from '../../../rules/define-rule.ts';
import { oxlintConfiguration } from '../../../src/cli/init/linters.ts';
import { markdownTable } from './table.ts';

/** The rules with what they find and how severe it is, for docs/reference/rules.md. */
export function rulesTable(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => [
    `[\`${rule.id}\`](../../rules/${rule.id}/README.md)`,
    rule.description,
    levelOf(rule),
    Object.keys(rule.suggestions).length > 0 ? 'yes' : '',
  ]);
  return `\n${markdownTable(['Rule', 'What it is for', 'Level', 'Offers an edit'], rows)}\n`;
}

/** All rules with the level of `recommended`, as oxlint's configuration has it. */
export function oxlintRules(rules: readonly Rule[]): string {
  const { jsPlugins, ...rest } = oxlintConfiguration(rules);
  const text = JSON.stringify({ jsPlugins: 0, ...rest }, undefined, 2);
  return `\n\`\`\`json\n${text.replace('0', JSON.stringify(jsPlugins))}\n\`\`\`\n`;
}

function levelOf(rule: Rule): string {
  return gravestOf(rule, 'recommended') ?? 'off';
}
