import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { faultsIn } from '../lab/fuzz/invariants.ts';
import { baseProgramsIn, programsFrom } from '../lab/fuzz/programs.ts';
import { shrunk } from '../lab/fuzz/shrunk.ts';

describe('fuzzing', () => {
  it('finds no fixture, mutated in two hundred ways, that breaks an analysis', function () {
    this.timeout(120_000);
    const programs = programsFrom(baseProgramsIn('fixtures'));
    fc.assert(
      fc.property(programs, (it) => deepStrictEqual(faultsIn(it), [])),
      { seed: 20, numRuns: 200 },
    );
  });

  it('leaves of a failing text what makes it fail', () => {
    const text = 'const a = 1;\nrun(a);\nconst b = 2;\n';
    strictEqual(
      shrunk(text, (it) => it.includes('run') && it.includes('b')),
      'runb',
    );
  });
});
