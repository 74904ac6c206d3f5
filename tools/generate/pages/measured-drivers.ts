import { groupedBy } from '../../../src/analysis/syntax/grouped.ts';
import type { Sent } from '../../../src/runtime/plan.ts';
import { driverPlans } from '../../../src/scan/driver-plans.ts';
import { markdownTable } from './table.ts';

/** docs/reference/measured-drivers.md: the packages whose calls a running program measures. */
export function measuredDriversPage(): string {
  return [
    '<!-- Written by `npm run docs` from src/analysis/model/measured.ts. -->',
    '',
    '# Measured drivers',
    '',
    '[`deadtime run`](../guides/run.md) measures the calls of these packages, and so what other libraries send through them:',
    '',
    measuredTable(),
    '',
  ].join('\n');
}

function measuredTable(): string {
  const packages = groupedBy(driverPlans(), ({ file }) => packageOf(file));
  return markdownTable(
    ['Package', 'Waits for a connection', 'What it sends'],
    [...packages].map(([name, plans]) => {
      const methods = plans.flatMap((it) => it.classes).flatMap((it) => it.methods);
      const sent = methods.find((it) => it.does === 'send');
      return [
        `\`${name}\``,
        methods.some((it) => it.does === 'acquire') ? 'measured' : '',
        sent === undefined ? 'by its driver' : SHAPES[sent.sent.shape],
      ];
    }),
  );
}

const SHAPES: Readonly<Record<Sent['shape'], string>> = {
  text: 'statements without their literals',
  name: 'names of commands',
  document: 'names of commands and collections',
};

/** `@redis/client` of a file in it. */
function packageOf(file: string): string {
  return file.split('/', file.startsWith('@') ? 2 : 1).join('/');
}
