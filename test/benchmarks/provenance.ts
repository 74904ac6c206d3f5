import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { estimateOf } from '../../src/proof/estimate.ts';
import type { Parameter } from '../../src/proof/result.ts';
import { estimateLines } from '../../src/report/hover.ts';
import { rules } from '../../rules/index.ts';
import { projectOf } from '../fixtures.ts';
import { evidenceIn, type Located } from './evidence.ts';

/** How many calls, elements or connections the code lists: no literal states them. */
const counted: ReadonlySet<string> = new Set(['count', 'rows', 'roundTrips']);

/** A number as the code may spell it: `1_000`, `'64'`, both factors of a product, and in a different unit of time. */
function numbersIn(text: string): ReadonlySet<number> {
  const literals = text.match(/\d[\d_]*(?:\.\d+)?/g) ?? [];
  const numbers = [
    0.001,
    1_000,
    60_000,
    ...new Set(literals.map((it) => Number(it.replaceAll('_', '')))),
  ];
  return new Set([...numbers, ...numbers.flatMap((a) => numbers.map((b) => a * b))]);
}

function wrongOrigin({ text }: Located, { name, value, source, note }: Parameter): boolean {
  if (source === 'default') return !/ \d|server without/.test(note ?? '');
  if (source !== 'code' || typeof value !== 'number' || counted.has(name)) return false;
  const own = /the code has (\d+)/.exec(note ?? '')?.[1];
  return !numbersIn(text).has(Number(own ?? value));
}

describe('where the numbers of a proof come from', () => {
  for (const { id } of rules) {
    it(`is right for every finding in the fixtures of ${id}`, () => {
      const all = evidenceIn(id);
      ok(all.length > 0);
      const wrong = all.flatMap((it) =>
        estimateOf(id, it.evidence)!
          .parameters.filter((parameter) => wrongOrigin(it, parameter))
          .map(({ name, value, source }) => `${it.name}: ${name} ${value} ${source}`),
      );
      deepStrictEqual(wrong, []);
    });
  }

  it('names the driver and the version of a default', () => {
    const lines = estimateLines(
      estimateOf('no-nested-checkout', { driver: 'pg', max: 10, maxFrom: 'pg 8.23.1' })!,
    );
    match(lines.join('\n'), /^max 10 \(default: pg 8\.23\.1\)/m);
  });

  it('distinguishes a configured size of a pool from the driver’s default', () => {
    const sizeOf = (options: string) => {
      const source = `
        import { Pool } from 'pg';
        export const pool = new Pool({ ${options} });
        export const find = (id: number) => pool.query('SELECT 1 WHERE 1 = $1', [id]);`;
      const file = { path: 'db.ts', virtualPath: '/project/db.ts', source };
      const rule = rules.find((it) => it.id === 'require-pool-limits')!;
      const [finding] = rule.findings(projectOf([file])(file.virtualPath));
      const { parameters } = estimateOf(rule.id, finding!.evidence)!;
      const { value, source: from, note = '' } = parameters.find((it) => it.name === 'max')!;
      return `${value} ${from} ${note}`.trim();
    };
    strictEqual(sizeOf('max: 10'), '10 code');
    match(sizeOf("host: 'db'"), /^10 default pg \d+\.\d+\.\d+$/);
  });

  it('calls a number of ours suggested', () => {
    const evidence = { how: 'setImmediate', every: 64, body: 'memory' };
    match(
      estimateLines(estimateOf('no-yield-per-iteration', evidence)!).join('\n'),
      /^every 64 \(suggested\)/m,
    );
    const loop = { remedy: 'fanOutHttp', limit: 10, count: 7 };
    const lines = estimateLines(estimateOf('no-independent-await-in-loop', loop)!).join('\n');
    match(lines, /^limit 10 \(suggested\)/m);
    match(lines, /^count 7 \(from the code\)/m);
  });

  it('assumes a default where the code may set the number out of sight', () => {
    match(
      estimateLines(estimateOf('no-nested-checkout', { driver: 'pg' })!).join('\n'),
      /^max 10 \(assumed: the default of pg 8\.23\.1, mysql2 3\.24\.5\)/m,
    );
  });
});
