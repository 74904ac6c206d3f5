import { scaleOf } from '../../src/report/proof/scale.ts';
import { escaped } from '../../src/report/proof/markup.ts';

export interface Bar {
  readonly label: string;
  /** CPU seconds. */
  readonly value: number;
}

const WIDTH = 720;
const LABELS = 300;
const LINE = 26;

/** Bars below each other, with their values; the axis is logarithmic where they differ much. */
export function barPlot(title: string, bars: readonly Bar[]): string {
  const values = bars.map((it) => it.value);
  const scale = scaleOf([Math.min(...values) / 2, Math.max(...values)], [LABELS, WIDTH - 70]);
  const rows = bars.map(({ label, value }, i) => {
    const y = 34 + i * LINE;
    const width = Math.max(1, scale.at(value) - LABELS);
    return (
      `<text x="${LABELS - 8}" y="${y + 14}" text-anchor="end">${escaped(label)}</text>` +
      `<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="18" fill="${label.startsWith('Deadtime') ? '#0369a1' : '#94a3b8'}"/>` +
      `<text x="${(LABELS + width + 6).toFixed(1)}" y="${y + 14}">${value.toFixed(2)} s</text>`
    );
  });
  const kind = scale.isLogarithmic ? ', logarithmic' : '';
  return svg(`${title}: CPU seconds${kind}`, 44 + bars.length * LINE, rows);
}

/** Points over how many times the code was there, and the line on which they would lie if each took as long as the first. */
export function linePlot(
  title: string,
  points: readonly (readonly [times: number, cpu: number])[],
): string {
  const [first] = points;
  const most = Math.max(...points.map(([it]) => it));
  const perTime = first![1] / first![0];
  const x = scaleOf([0, most], [60, WIDTH - 40]);
  const y = scaleOf([0, Math.max(perTime * most, ...points.map(([, it]) => it))], [260, 40]);
  const ideal = `<path d="M${x.at(0)} ${y.at(0)}L${x.at(most)} ${y.at(perTime * most)}" stroke="#94a3b8" stroke-dasharray="5 4" fill="none"/>`;
  const dots = points.map(
    ([times, cpu]) =>
      `<circle cx="${x.at(times).toFixed(1)}" cy="${y.at(cpu).toFixed(1)}" r="4" fill="#0369a1"/>` +
      `<text x="${x.at(times).toFixed(1)}" y="${(y.at(cpu) - 10).toFixed(1)}" text-anchor="middle">${cpu.toFixed(2)} s</text>` +
      `<text x="${x.at(times).toFixed(1)}" y="280" text-anchor="middle">${times} ×</text>`,
  );
  return svg(`${title}: CPU seconds; dashed: in proportion to the first`, 292, [ideal, ...dots]);
}

function svg(title: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="8" y="20" font-weight="600">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`;
}
