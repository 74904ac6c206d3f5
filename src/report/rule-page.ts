/* What can be told from a rule's page (rules/<id>/README.md), whose header `npm run docs` writes. */

/** Why the rule is there, in the page's first words. */
export function introductionOf(page: string): string {
  const [, below = ''] = page.split(/<!-- end of the generated part -->\s*/);
  return below.split('\n\n')[0]!.trim();
}

/** The text below a heading, up to the first empty line after it. */
export function firstParagraph(page: string, heading: string): string | undefined {
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

/** What its benchmarks came to where they were last measured; undefined where nobody has. */
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
