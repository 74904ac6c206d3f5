import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { compactReport } from '../report/compact.ts';
import { jsonReport } from '../report/json.ts';
import { jsonLinesReport } from '../report/json-lines.ts';
import { textReport } from '../report/text.ts';
import { problemAt, resultOf } from './fakes/results.ts';

const cwd = '/project';

/** A file whose name and code try to be more than text. */
const hostile = {
  ...problemAt(2, 'warning'),
  path: '/project/src/\x1b[2J\u202Eevil\n.ts',
  message: 'Waits for `\x07\r\n"`.',
  related: [],
};

describe('the text report', () => {
  it('shows characters that no one sees', () => {
    const [head, message, proof] = textReport(resultOf([hostile]), {
      cwd,
      hasColors: false,
    }).split('\n');
    strictEqual(head, 'src/\\u{1b}[2J\\u{202e}evil\\u{a}.ts:2:3  warning  no-wait');
    strictEqual(message, '  Waits for `\\u{7}\\u{d}\\u{a}"`.');
    strictEqual(proof, "  Prove it: npx deadtime prove 'src/\\u{1b}[2J\\u{202e}evil\\u{a}.ts:2'");
  });
});

describe('the compact report', () => {
  it('is a line for every finding, worst first', () => {
    strictEqual(
      compactReport(resultOf([problemAt(2, 'warning'), problemAt(3, 'error'), hostile]), { cwd }),
      [
        'src/queue.ts:3:3: error no-wait: Waits on line 3.',
        'src/\\u{1b}[2J\\u{202e}evil\\u{a}.ts:2:3: warning no-wait: Waits for `\\u{7}\\u{d}\\u{a}"`.',
        'src/queue.ts:2:3: warning no-wait: Waits on line 2.',
        '',
      ].join('\n'),
    );
  });

  it('is nothing when there is nothing', () => {
    strictEqual(compactReport(resultOf([]), { cwd }), '');
  });
});

describe('JSON lines', () => {
  it('are the findings of the JSON report', () => {
    const result = resultOf([problemAt(2, 'warning'), problemAt(3, 'error'), hostile]);
    const { findings } = JSON.parse(jsonReport(result, { cwd })) as { findings: unknown[] };
    const lines = jsonLinesReport(result, { cwd }).trimEnd().split('\n');
    deepStrictEqual(
      lines.map((it) => JSON.parse(it) as unknown),
      findings,
    );
  });
});
