import { deepStrictEqual, ok, strictEqual, throws } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { measureProfile } from '../../src/proof/measure/machine-profile.ts';
import { profileAround, profileValues } from '../../src/proof/measure/profile-file.ts';
import type { MachineProfile, Times } from '../../src/proof/measure/results.ts';
import { startDatabase } from '../../src/proof/servers/database.ts';
import { profileText } from '../../src/report/measure/profile-text.ts';
import { temporaryProject, type TemporaryProject } from '../projects.ts';

const times = (medianMs: number): Times => ({
  count: 100,
  p25Ms: medianMs / 2,
  medianMs,
  p95Ms: 2 * medianMs,
  maxMs: 9 * medianMs,
});

const profile: MachineProfile = {
  writtenBy: 'deadtime profile 1.0.0',
  format: 1,
  environment: {
    date: '2026-11-21T10:00:00.000Z',
    node: 'v20.20.2',
    platform: 'Linux 6.1 x64',
    cpu: 'CPU',
    cores: 2,
    load: 0.5,
    database: 'PostgreSQL 15.18',
  },
  loopTurn: { idle: times(0.001), busy: times(0.14), timer: times(1.1) },
  database: { origin: 'url', roundTrip: times(2), connect: times(10), commit: times(4) },
  quiet: { isBusy: false, cpuShare: 1, timerLateMs: 0.1, signs: [] },
};

describe('a profile', function () {
  this.timeout(60_000);

  it('measures the event loop and the database, and is plain JSON', async () => {
    const database = await startDatabase({ kinds: ['postgres'] });
    ok(database.state === 'ready');
    const steps: string[] = [];
    const measured = await measureProfile({
      database,
      writtenBy: 'a test',
      onStep: (it) => steps.push(it),
    });
    await database.close();
    deepStrictEqual(JSON.parse(JSON.stringify(measured)), measured);
    const { origin, ...all } = measured.database!;
    deepStrictEqual(Object.keys(all), ['roundTrip', 'connect', 'commit', 'flush']);
    for (const { count, p25Ms, medianMs, p95Ms, maxMs } of [
      ...Object.values(all),
      ...Object.values(measured.loopTurn),
    ]) {
      ok(count >= 2 && 0 < p25Ms && p25Ms <= medianMs && medianMs <= p95Ms && p95Ms <= maxMs);
    }
    // A connection takes some round trips, and a timer waits for a thousand turns.
    const { idle, timer } = measured.loopTurn;
    ok(all.connect.medianMs > all.roundTrip.p25Ms && timer.medianMs > idle.p25Ms);
    strictEqual(steps[0], 'turns of the event loop');
  });

  it('ends when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    const cancelled = measureProfile({ database: undefined, writtenBy: 'a test', signal });
    strictEqual(await cancelled.catch((error: Error) => error.name), 'AbortError');
  });

  it('is printed with what each time means', () => {
    strictEqual(
      profileText(profile, { hasColors: false }),
      [
        'Measured  PostgreSQL 15.18; CPU, 2 cores; Linux 6.1 x64; Node v20.20.2; load 0.5; 2026-11-21',
        '                    25 %   median     95 %  count',
        'Round trip          1 ms     2 ms     4 ms    100  sequential queries: at most 500 per second',
        'Connect             5 ms    10 ms    20 ms    100  before the first query of a connection',
        'Commit              2 ms     4 ms     8 ms    100  sequential commits: at most 250 per second',
        'Turn, idle loop   0.5 µs     1 µs     2 µs    100  setImmediate',
        'Turn, busy loop  0.07 ms  0.14 ms  0.28 ms    100  the same alongside an HTTP server and four clients',
        'Timer of 0 ms    0.55 ms  1.10 ms  2.20 ms    100  a loop that yields with it: at most 909 per second',
        '',
      ].join('\n'),
    );
  });

  it('gives benchmarks the round trip of the user’s network, and no other', () => {
    const note = 'measured on 2026-11-21, PostgreSQL 15.18';
    deepStrictEqual(profileValues(profile), { values: { roundTripMs: 2 }, note });
    const local: MachineProfile = {
      ...profile,
      database: { ...profile.database!, origin: 'embedded' },
    };
    deepStrictEqual(profileValues(local), { values: {}, note });
  });
});

describe('the file of a profile', () => {
  let scratch: TemporaryProject;
  beforeEach(() => {
    scratch = temporaryProject(new Map([['packages/worker/package.json', '{}']]));
  });
  afterEach(() => scratch.remove());

  const write = (folder: string, content: unknown) =>
    writeFileSync(
      scratch.pathOf(`${folder}deadtime.profile.json`),
      typeof content === 'string' ? content : JSON.stringify(content),
    );

  it('is the nearest, and none outside the repository', () => {
    const worker = scratch.pathOf('packages/worker');
    write('', profile);
    deepStrictEqual(profileAround(worker), profile);
    mkdirSync(scratch.pathOf('packages/.git'));
    strictEqual(profileAround(worker), undefined);
  });

  it('is refused when it is broken', () => {
    const { environment } = profile;
    for (const content of [
      '{',
      'null',
      [],
      { ...profile, format: 2 },
      { ...profile, environment: { ...environment, date: 'yesterday' } },
      { ...profile, environment: { ...environment, database: 'x\u001b[2J' } },
      { ...profile, database: { ...profile.database, roundTrip: { medianMs: '2' } } },
      { ...profile, database: { ...profile.database, roundTrip: { medianMs: -1 } } },
    ]) {
      write('', content);
      throws(() => profileAround(scratch.root), /deadtime\.profile\.json/);
    }
  });
});
