import { gravestOf, type Rule } from '../../../rules/define-rule.ts';
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
  const levels = rules.map((rule) => {
    const level = levelOf(rule);
    return [`deadtime/${rule.id}`, level === 'error' || level === 'off' ? level : 'warn'];
  });
  const json = { jsPlugins: ['deadtime'], rules: Object.fromEntries(levels) as object };
  return `\n\`\`\`json\n${JSON.stringify(json, undefined, 2).replace(/\[\n\s+(".*")\n\s+\]/, '[$1]')}\n\`\`\`\n`;
}

function levelOf(rule: Rule): string {
  return gravestOf(rule, 'recommended') ?? 'off';
}
