import { createColors } from 'picocolors';
import type { Estimate } from '../proof/result.ts';
import type { Rule } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import { type FixInstructions, fixOf, waysOf } from './fix.ts';
import { estimateLines } from './hover.ts';
import { measuredText } from './measured.ts';
import { shownPath } from './path.ts';
import { exceptionsOf, introductionOf, measuredCostOf } from './rule-page.ts';
import { frequencies } from './frequencies.ts';
import { visible } from './visible.ts';
import { ownCommand } from '../system/own-command.ts';

/** One screen on a rule or on one finding of it. */
export interface Explanation {
  readonly title: string;
  /** Of a finding. */
  readonly fix?: FixInstructions;
  readonly sections: readonly {
    readonly title: 'Why' | 'Cost' | 'Not a problem' | 'Fix' | 'Measured' | 'See' | 'Prove it';
    readonly lines: readonly string[];
  }[];
}

/** What the rest of the page has room for. */
const MOST_LINES = 6;

/** `page` is the rule's, in Markdown. */
export function explanationOfRule(rule: Rule, page: string): Explanation {
  return {
    title: `${rule.id}: ${rule.description}.`,
    sections: filled([
      ['Why', textLines(introductionOf(page))],
      ['Not a problem', leaveLines(page)],
      ['Fix', remediesOf(rule)],
      ['Measured', measuredLines(page)],
      ['Prove it', [ownCommand(`prove ${rule.id}`)]],
    ]),
  };
}

export interface FindingContent {
  readonly problem: Problem;
  readonly estimate: Estimate | undefined;
  /** The rule's, in Markdown. */
  readonly page: string;
  /** The folder from which paths are shown. */
  readonly cwd: string;
}

export function explanationOfFinding(content: FindingContent): Explanation {
  const { problem, estimate, page, cwd } = content;
  const { finding, start, message, cost, context, related, measured } = problem;
  const file = shownPath(problem.path, cwd);
  const [sides, ...operands] = estimate ? estimateLines(estimate) : [];
  return {
    title: `${file}:${start.line}:${start.column}  ${finding.severity}  ${finding.ruleId}`,
    fix: fixOf(problem, file),
    sections: filled([
      ['Why', [message, ...textLines(introductionOf(page)).slice(0, 1)]],
      [
        'Cost',
        [
          ...[cost, frequencies[context], measured && measuredText(measured)],
          ...[sides && `Estimated: ${sides}`, ...operands],
        ],
      ],
      ['See', related.map((it) => `${shownPath(it.path, cwd)}:${it.start.line}  ${it.message}`)],
      ['Not a problem', leaveLines(page)],
      ['Fix', waysOf(problem)],
      ['Prove it', [proofCommand(file, problem)]],
    ]),
  };
}

export function explanationText(
  { title, sections }: Explanation,
  { hasColors }: { readonly hasColors: boolean },
): string {
  const { bold, cyan } = createColors(hasColors);
  const blocks = sections.map((it) =>
    [cyan(it.title), ...it.lines.map((line) => `  ${visible(line)}`)].join('\n'),
  );
  return `${[bold(visible(title)), ...blocks].join('\n\n')}\n`;
}

type Title = Explanation['sections'][number]['title'];

function filled(
  sections: readonly (readonly [Title, readonly (string | undefined)[]])[],
): Explanation['sections'] {
  return sections
    .map(([title, lines]) => ({ title, lines: lines.filter((it) => it !== undefined) }))
    .filter(({ lines }) => lines.length > 0);
}

function leaveLines(page: string): readonly string[] {
  return textLines(exceptionsOf(page) ?? '');
}

function textLines(paragraph: string): readonly string[] {
  return paragraph === '' ? [] : paragraph.replaceAll('**', '').split('\n');
}

/** Names stand for what a finding fills in. */
function remediesOf({ messages }: Rule): readonly string[] {
  const all = Object.values(messages).map(({ fix }) =>
    fix.steps.join(' ').replaceAll(/`?\{\{(\w+)\}\}`?/g, '`$1`'),
  );
  return [...new Set(all)].filter((it) => it !== '').slice(0, MOST_LINES);
}

function measuredLines(page: string): readonly string[] {
  const measured = measuredCostOf(page);
  if (!measured) return [];
  const rows = measured.rows.map(({ benchmark, reported, mended, times }) => {
    const before = mended === '' ? reported : `before: ${reported}, after: ${mended}`;
    return `${benchmark}: ${before}${/^\d/.test(times) ? ` (${times}x slower)` : ''}`;
  });
  return [...rows.slice(0, MOST_LINES), measured.where];
}
