import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { measuredText } from '../src/report/measured.ts';
import { byCost } from '../src/report/order.ts';
import { measurementsOf, withMeasured } from '../src/scan/measured-costs.ts';
import type { Problem } from '../src/scan/problem.ts';
import { folderWith } from './fakes/folder.ts';
import { noWait } from './fakes/no-wait.ts';
import { recorded, type RecordedOptions } from './fakes/recorded.ts';
import { scanned } from './fakes/scanned.ts';

const file = 'src/a.js';
const path = `/project/${file}`;
const two = `import { first, wait } from './waits.js';
export async function load() {
  await first();
  await wait(9);
}
export async function store() {
  await wait(8);
}
`;

const problemsIn = (text: string, at = path) =>
  scanned(text, at, { rules: [noWait], profile: 'strict' }).problems;

/** What a run over one text states of the findings in another, by line. */
function joined(before: string, after: string, options: RecordedOptions & { at?: string } = {}) {
  const { at = path, ...given } = options;
  const recording = recorded({ [file]: before }, { rules: [noWait], ...given });
  const measuredOf = measurementsOf(recording, '/project').inFile(at)?.(after);
  return problemsIn(after, at).map((it) => {
    const measured = measuredOf?.(it);
    return [it.start.line, measured?.state, measured && measuredText(measured)];
  });
}

const cost = 'measured in your program: 4.4 ms per request in GET /dashboard (412 requests)';
const stale = 'measured cost is stale: the code has changed since the run';

describe('the measured cost of a finding', () => {
  it('is that of its line', () => {
    deepStrictEqual(joined(two, two), [
      [4, 'measured', cost],
      [7, 'measured', cost],
    ]);
  });

  it('follows a function that moves in its file, and one that is formatted', () => {
    const moved = `// new\nimport './b.js';\n${two.replace('\n  await first();\n  await', '\n  await first()\n\n      await')}`;
    deepStrictEqual(
      joined(two, moved).map(([line, state]) => [line, state]),
      [
        [7, 'measured'],
        [10, 'measured'],
      ],
    );
  });

  it('is stale where the function has changed, and stays in the others', () => {
    deepStrictEqual(joined(two, two.replace('first()', 'second()')), [
      [4, 'stale', stale],
      [7, 'measured', cost],
    ]);
  });

  it('is stale for a finding that is new', () => {
    const more = two.replace('await first();', 'await first();\n  await wait(9);');
    deepStrictEqual(
      joined(two, more).map(([line, state]) => [line, state]),
      [
        [4, 'stale'],
        [5, 'stale'],
        [8, 'measured'],
      ],
    );
  });

  it('is stale where a copy was added, in front or behind, and where one of two was removed', () => {
    const copy = 'class Other {\n  run = async () => { await wait(7); };\n}\n';
    const one = 'export const run = async () => { await wait(7); };\n';
    const waits = "import { wait } from './waits.js';\n";
    const states = (before: string, after: string) =>
      joined(waits + before, waits + after).map(([, it]) => it);
    deepStrictEqual(states(one, copy + one), ['stale', 'stale']);
    deepStrictEqual(states(one, one + copy), ['stale', 'stale']);
    deepStrictEqual(states(copy + one, one), ['stale']);
    deepStrictEqual(states(copy + one, copy + one), ['measured', 'measured']);
  });

  it('is not that of a different file with the same function', () => {
    deepStrictEqual(joined(two, two, { at: '/project/src/b.js' }), [
      [4, undefined, undefined],
      [7, undefined, undefined],
    ]);
  });

  it('states that a line did not run, where its file was loaded with probes', () => {
    const ran = (line: number) => line < 6;
    deepStrictEqual(joined(two, two, { ran }), [
      [4, 'measured', cost],
      [7, 'did-not-run', 'did not run in this run (60 s, 412 entries)'],
    ]);
    deepStrictEqual(
      joined(two, two, { unloaded: [file] }).map(([, it]) => it),
      [undefined, undefined],
    );
  });

  it('is none for a call that no code awaits', () => {
    const text =
      'import { g, wait } from "./waits.js";\nexport function load() {\n  wait(9);\n}\nexport const f = async () => await g();\n';
    deepStrictEqual(joined(text, text), [[3, undefined, undefined]]);
  });

  it('shows names of the recording as harmless text', () => {
    const [first] = joined(two, two, { entry: `GET /\x1b[2J\n::error::${'x'.repeat(200)}` });
    strictEqual(
      first?.[2],
      `measured in your program: 4.4 ms per request in GET /\\u{1b}[2J\\u{a}::error::${'x'.repeat(80 - 19)} (412 requests)`,
    );
  });

  it('orders findings of one severity', () => {
    const problems = problemsIn(two);
    const ranked = (costs: readonly (Problem['measured'] | undefined)[]) =>
      problems
        .map((it, i): Problem => ({ ...it, ...(costs[i] && { measured: costs[i] }) }))
        .toSorted(byCost)
        .map((it) => it.start.line);
    const run = { startedAt: 0, durationMs: 1, entries: 1 };
    const costing = (totalMs: number) =>
      ({ state: 'measured', run, count: 1, totalMs, entries: [] }) as const;
    deepStrictEqual(ranked([]), [4, 7]);
    deepStrictEqual(ranked([costing(1), costing(2)]), [7, 4]);
    deepStrictEqual(ranked([undefined, costing(2)]), [7, 4]);
    deepStrictEqual(ranked([{ state: 'did-not-run', run }, undefined]), [7, 4]);
    deepStrictEqual(ranked([costing(5), { ...costing(9), togetherMs: 8 }]), [4, 7]);
  });
});

describe('the recording of a folder', () => {
  const problems = problemsIn(two);
  const neverAsked = () => {
    throw new Error('asked for a text');
  };

  it('changes nothing where there is none', () => {
    const { path: folder } = folderWith({ 'a.js': '' });
    deepStrictEqual(withMeasured(problems, folder, neverAsked), { problems });
  });

  for (const [name, content, why] of [
    ['no JSON', '{', 'is no recording of deadtime run'],
    ['a list', '[]', 'is no recording of deadtime run'],
    ['of a different format', '{"format":99}', 'was written by a different version of Deadtime'],
    ['without fields', '{"format":1}', 'has an invalid field program'],
  ] as const) {
    it(`is refused where it is ${name}, and changes nothing`, () => {
      const { path: folder } = folderWith({ '.deadtime/run.json': content });
      deepStrictEqual(withMeasured(problems, folder, neverAsked), {
        problems,
        mistake: `.deadtime/run.json ${why}, so findings have no measured costs. Run deadtime run again, or remove the file.`,
      });
    });
  }

  it('is read once for findings of one file', () => {
    const recording = recorded({ [file]: two }, { rules: [noWait] });
    const folder = folderWith({ '.deadtime/run.json': JSON.stringify(recording) });
    const at = `${folder.path}/${file}`;
    const asked: string[] = [];
    const { problems: measured } = withMeasured(
      [...problemsIn(two, at), ...problemsIn(two)],
      folder.path,
      (it) => (asked.push(it), two),
    );
    deepStrictEqual(asked, [at]);
    deepStrictEqual(
      measured.map((it) => it.measured?.state),
      ['measured', 'measured', undefined, undefined],
    );
  });
});
