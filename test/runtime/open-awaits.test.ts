import { deepStrictEqual } from 'node:assert/strict';
import { openText } from '../../src/report/run.ts';
import { recordingWith, siteWith, timesAround } from '../fakes/recordings.ts';

describe('an await that is still open', () => {
  const rowsFor = (kind: 'calls' | 'db' | 'sleep' | 'unresolved') => {
    const never = { open: 1, oldestOpenMs: 19_000, count: 0, time: timesAround(0, 0) };
    return openText(recordingWith({ sites: [siteWith({ kind, code: 'work', ...never })] })).length;
  };

  it('has a row where nothing else shows why', () => {
    deepStrictEqual([rowsFor('db'), rowsFor('unresolved')], [1, 1]);
  });

  it('has none for the call of a worker, whose own waits are measured, and for a pause', () => {
    deepStrictEqual([rowsFor('calls'), rowsFor('sleep')], [0, 0]);
  });
});
