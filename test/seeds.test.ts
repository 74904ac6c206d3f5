import { deepStrictEqual, ok } from 'node:assert/strict';
import { rules } from '../rules/index.ts';
import { missedBecause } from '../lab/seeds/misses.ts';
import { mutationsByRule } from '../lab/seeds/mutations/index.ts';
import { applications } from '../lab/seeds/projects.ts';
import { placeOf } from '../lab/seeds/table.ts';
import { type Trial, trialsIn } from '../lab/seeds/trials.ts';
import { syntaxErrorsOf } from './syntax.ts';

/** What of a rule's planted bugs has to be found. */
const RECALL = 0.8;

/** `npm run -w lab seeds` plants in fixtures, too. */
describe('planted bugs', () => {
  for (const rule of rules) {
    describe(rule.id, () => {
      let trials: readonly Trial[];
      before(() => {
        const kinds = mutationsByRule[rule.id]!;
        trials = applications().flatMap((it) => [...trialsIn(it, rule, kinds)]);
      });

      it('are found, but for a few recorded misses', () => {
        const missed = trials.filter((it) => !it.isFound);
        ok(trials.length > 0 && missed.length <= (1 - RECALL) * trials.length);
        deepStrictEqual(missed.filter((it) => !missedBecause(it)).map(placeOf), []);
      });

      it('are of every kind', () => {
        const planted = new Set(trials.map((it) => it.mutation));
        const kinds = Object.keys(mutationsByRule[rule.id]!.mutations);
        deepStrictEqual(
          kinds.filter((it) => !planted.has(it)),
          [],
        );
      });

      it('are valid code', () => {
        const broken = trials.filter(
          ({ place, text }) => syntaxErrorsOf(place.replace(/:\d+$/, ''), text).length > 0,
        );
        deepStrictEqual(broken.map(placeOf), []);
      });
    });
  }
});
