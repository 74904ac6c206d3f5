import { createColors } from 'picocolors';
import type { Figure, Suite, SuiteRow, SuiteVerdict } from '../../proof/suite/result.ts';
import { environmentLine, table } from '../measure/lines.ts';
import { countText, durationText, rateText, shareText } from './figures.ts';

interface TextOptions {
  readonly hasColors: boolean;
}

/** How a row ends, in the words of the reproduction table. */
const suiteVerdicts: Readonly<Record<SuiteVerdict, string>> = {
  reproduced: 'reproduced',
  weaker: 'weaker',
  'not-shown': 'not shown here',
  'machine-busy': 'no verdict',
  unavailable: 'unavailable',
  failed: 'failed',
};

/** One published claim next to the result of this machine. */
export function suiteRowText(row: SuiteRow, { hasColors }: TextOptions): string {
  const { bold, cyan } = createColors(hasColors);
  const { number, claim, ruleId, published, figures, verdict, reason, command } = row;
  return [
    `${bold(`${String(number).padStart(2)}  ${claim}`)}  ${cyan(ruleId)}`,
    `    Published  ${published}`,
    ...linesOf(figures).map((line) => `    ${line}`),
    `    ${bold(capital(suiteVerdicts[verdict]))}: ${reason}`,
    ...(command === undefined
      ? []
      : [`    ${verdict === 'unavailable' ? 'To get it' : 'Repeat'}  ${command}`]),
    '',
    '',
  ].join('\n');
}

/** How many came out how, and where. */
export function suiteSummaryText(
  { rows, environment, durationMs }: Suite,
  { hasColors }: TextOptions,
): string {
  const { bold } = createColors(hasColors);
  const counts = (Object.keys(suiteVerdicts) as SuiteVerdict[])
    .map((verdict) => [rows.filter((it) => it.verdict === verdict).length, verdict] as const)
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${suiteVerdicts[verdict]}`);
  return [
    bold(`${rows.length} published figures: ${counts.join(', ')}.`),
    `  ${environmentLine(environment)}, in ${Math.round(durationMs / 1_000)} s`,
    '',
  ].join('\n');
}

const HEAD = ['', 'published', 'here', 'here / published'];

function linesOf(figures: readonly Figure[]): readonly string[] {
  if (figures.length === 0) return [];
  return table([
    HEAD,
    ...figures.map(({ name, unit, published, measured, ratio }) => [
      name,
      published === undefined ? '' : valueText(published, unit),
      valueText(measured, unit),
      ratio === undefined ? '' : Number(ratio.toPrecision(2)).toString(),
    ]),
  ]);
}

function valueText(value: number, unit: Figure['unit']): string {
  switch (unit) {
    case 'ms':
      return durationText(value);
    case 'per second':
      return rateText(value);
    case 'count':
      return countText(value);
    case 'share':
      return shareText(value);
    case 'ratio':
      return `${Number(value.toPrecision(2))}×`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
