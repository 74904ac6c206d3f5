import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exitCodes } from '../src/cli/failure.ts';
import { formats } from '../src/report/formats.ts';
import { jsonReport } from '../src/report/json.ts';
import { measuredFields } from '../src/report/measured.ts';
import { proofJson } from '../src/report/proof/json.ts';
import { profiles, severities } from '../rules/define-rule.ts';
import { rules } from '../rules/index.ts';
import type { Measured } from '../src/scan/measured-costs.ts';
import { context, projectResult } from './fakes/results.ts';
import { result as proof } from './fakes/proofs.ts';

const path = 'test/contract.json';

const advice =
  'What other programs rely on has changed: rule ids, messages, options, profiles, exit codes, or the fields of JSON. ' +
  'Where something was only added, run UPDATE_CONTRACT=1 npx mocha test/contract.test.ts. Where something went or means ' +
  'something else, raise the version of the format (src/report/json.ts, src/report/proof/json.ts), or keep the old name working ' +
  'until the next major version, and say so in the release notes.';

describe('what other programs rely on', () => {
  it('is as test/contract.json has it', async () => {
    const now = `${JSON.stringify(await contract(), undefined, 2)}\n`;
    if (process.env['UPDATE_CONTRACT'] && !process.env['CI']) writeFileSync(path, now);
    ok(existsSync(path), advice);
    deepStrictEqual(JSON.parse(now), JSON.parse(readFileSync(path, 'utf8')), advice);
  });
});

async function contract() {
  const result = await projectResult('fixtures/projects/parcel-tracker');
  const schema = JSON.parse(readFileSync('deadtime.schema.json', 'utf8')) as unknown;
  return {
    rules: Object.fromEntries(
      rules.map(({ id, messages, options }) => [
        id,
        {
          messages: Object.keys(messages).sort(),
          options: Object.fromEntries(
            Object.entries(options).map(([name, it]) => [name, it.default]),
          ),
        },
      ]),
    ),
    ...{ profiles, severities, exitCodes, formats: Object.keys(formats) },
    configuration: Object.keys((schema as { properties: object }).properties),
    check: shapeOf(JSON.parse(jsonReport(result, context))),
    measuredInProgram: shapeOf(measuredFields(measured)),
    prove: shapeOf(
      JSON.parse(
        proofJson([
          {
            result: proof,
            finding: { place: 'a.ts:1', message: 'Waits.' },
            source: { path: 'a.ts', text: '' },
          },
        ]),
      ),
    ),
  };
}

/** With all of its fields. */
const measured: Measured = {
  ...{ state: 'measured', count: 2, totalMs: 9, togetherMs: 5 },
  run: { startedAt: 0, durationMs: 60_000, entries: 1 },
  entries: [{ kind: 'http', name: 'GET /', count: 1, ran: 1, totalMs: 9, togetherMs: 5 }],
  ...{ pool: { p95Ms: 1, mostWaiting: 1 }, open: { count: 1, oldestMs: 1 } },
};

type Shape = string | { readonly [name: string]: Shape } | readonly Shape[];

/** Fields and their types; those that not every item of a list has end in a question mark. Evidence is each message's own. */
function shapeOf(value: unknown, name = ''): Shape {
  if (Array.isArray(value)) return mergedList(value);
  if (typeof value !== 'object' || value === null) {
    // A version is what it is.
    return name === 'version' ? `version ${String(value)}` : value === null ? 'null' : typeof value;
  }
  if (name === 'evidence') return 'object';
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, it]) => [key, shapeOf(it, key)]),
  );
}

function mergedList(items: readonly unknown[]): Shape {
  const shapes = items.map((it) => shapeOf(it));
  const objects = shapes.filter(
    (it): it is { readonly [name: string]: Shape } => typeof it === 'object' && !Array.isArray(it),
  );
  if (objects.length === 0)
    return [...new Map(shapes.map((it) => [JSON.stringify(it), it])).values()];
  const merged = new Map<string, Shape>();
  for (const it of objects) {
    for (const [key, shape] of Object.entries(it)) {
      const known = merged.get(key);
      const isLarger = JSON.stringify(shape).length > JSON.stringify(known ?? '').length;
      if (known === undefined || isLarger) merged.set(key, shape);
    }
  }
  return [
    Object.fromEntries(
      [...merged]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, shape]) => [objects.every((it) => key in it) ? key : `${key}?`, shape]),
    ),
  ];
}
