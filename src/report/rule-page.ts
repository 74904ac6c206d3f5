/* What a rule's page (rules/<id>/README.md) declares: people write its text, `npm run docs` its title and its reference. */

/** Why the rule exists, in the first paragraph of the page. */
export function introductionOf(page: string): string {
  return firstParagraph(page, 'Why') ?? '';
}

/** The exceptions, the most important first. */
export function exceptionsOf(page: string): string | undefined {
  return firstParagraph(page, 'When to disable it');
}

/** The text below a heading, up to the first empty line after it. */
function firstParagraph(page: string, heading: string): string | undefined {
  const [, below] = page.split(`\n## ${heading}\n`);
  const [paragraph] = (below ?? '').split(/\n#/)[0]!.trim().split('\n\n');
  return paragraph || undefined;
}

export interface MeasuredCost {
  /** The version, the machine, the databases and the day. */
  readonly where: string;
  readonly rows: readonly {
    readonly benchmark: string;
    readonly reported: string;
    readonly mended: string;
    /** "10.5", "varies", or empty for what is counted. */
    readonly times: string;
  }[];
}

/** The results of its benchmarks where they were last measured; undefined without a measurement. */
export function measuredCostOf(page: string): MeasuredCost | undefined {
  const [, where] = /^Measured by `npm run measure`: (.+)\.$/m.exec(page) ?? [];
  if (where === undefined) return undefined;
  const [, table = ''] = page.split(/\n\| Benchmark \|.*\n\|[-|]+\n/);
  const rows = table.split('\n\n')[0]!.split('\n').map(cellsOf);
  return {
    where,
    rows: rows.flatMap(([benchmark, reported, mended = '', times = '']) =>
      benchmark && reported ? [{ benchmark, reported, mended, times }] : [],
    ),
  };
}

function cellsOf(row: string): readonly string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((it) => it.trim().replaceAll('\\|', '|'));
}
