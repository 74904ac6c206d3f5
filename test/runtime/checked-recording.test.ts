import { deepStrictEqual } from 'node:assert/strict';
import { checkedRecording } from '../../src/runtime/checked-recording.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { noWait } from '../fakes/no-wait.ts';
import { recorded } from '../fakes/recorded.ts';

type Plain = Record<string, unknown>;

const text = JSON.stringify(
  recorded(
    { 'a.js': 'import { wait } from "./waits.js";\nexport const f = async () => await wait(9);\n' },
    { rules: [noWait] },
  ),
);

/** The mistake in the recording after a change of it. */
function mistakeAfter(change: (it: Plain & Recording) => void): string | undefined {
  const value = JSON.parse(text) as Plain & Recording;
  change(value);
  // As a file has it.
  const checked = checkedRecording(JSON.parse(JSON.stringify(value)));
  return 'mistake' in checked ? checked.mistake : undefined;
}

const put = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true });

describe('a recording from outside', () => {
  it('is read where it is as it was written', () => {
    deepStrictEqual(checkedRecording(JSON.parse(text)), { recording: JSON.parse(text) as unknown });
  });

  it('is refused without one of its fields', () => {
    for (const name of Object.keys(JSON.parse(text) as Plain)) {
      const expected =
        name === 'format'
          ? 'was written by a different version of Deadtime'
          : `has an invalid field ${name}`;
      deepStrictEqual(
        mistakeAfter((it) => delete it[name]),
        expected,
      );
    }
  });

  for (const [name, field, change] of [
    ['a time that is no number', 'durationMs', (it) => put(it, 'durationMs', '1')],
    ['a negative time', 'durationMs', (it) => put(it, 'durationMs', -1)],
    ['a time beyond all sums', 'durationMs', (it) => put(it, 'durationMs', 1e300)],
    ['a date that is none', 'startedAt', (it) => put(it, 'startedAt', 8.65e15)],
    ['a count with a fraction', 'sites', (it) => put(it.sites[0]!, 'count', 1.5)],
    ['a line that is a text', 'sites', (it) => put(it.sites[0]!.at, 'line', '2')],
    ['an unknown kind', 'entries', (it) => put(it.entries[0]!, 'kind', '__proto__')],
    ['a text without an end', 'entries', (it) => put(it.entries[0]!, 'name', 'x'.repeat(9_999))],
    ['a finding that is null', 'files', (it) => put(it.files[0]!, 'findings', [null])],
    ['a list that is an object', 'files', (it) => put(it, 'files', { length: 1 })],
  ] as readonly (readonly [string, string, (it: Plain & Recording) => void])[]) {
    it(`is refused with ${name}`, () => {
      deepStrictEqual(mistakeAfter(change), `has an invalid field ${field}`);
    });
  }

  for (const [name, change] of [
    ['an entry', (it) => put(it.entries[0]!.sites[0]!, 'site', 1)],
    ['a finding', (it) => put(it.files[0]!.findings[0]!, 'sites', [7])],
    ['the pool of a finding', (it) => put(it.files[0]!.findings[0]!, 'pool', 0)],
  ] as readonly (readonly [string, (it: Recording) => void])[]) {
    it(`is refused where ${name} refers to what it does not contain`, () => {
      deepStrictEqual(mistakeAfter(change), 'refers to lines that it does not contain');
    });
  }
});
