import { deepStrictEqual } from 'node:assert/strict';
import { rateBound, rateBoundAtShare, turnBound } from '../src/analysis/values/cost.ts';
import { literalQuantity } from '../src/analysis/values/quantity.ts';

describe('cost', () => {
  it('bounds a worker by its sleep', () => {
    deepStrictEqual(rateBound(literalQuantity(20))?.perSecond, 50);
    deepStrictEqual(rateBound(literalQuantity(1000), 50)?.perSecond, 50);
    deepStrictEqual(rateBoundAtShare(literalQuantity(100), 0.2)?.perSecond, 50);
  });

  it('names the sources of its numbers', () => {
    deepStrictEqual(rateBound(literalQuantity(20))?.operands, [
      { value: 20, source: 'code' },
      { value: 1, source: 'code' },
    ]);
  });

  it('rounds, because a bound is no measurement', () => {
    deepStrictEqual(rateBound(literalQuantity(30))?.perSecond, 33);
    deepStrictEqual(rateBound(literalQuantity(7), 3)?.perSecond, 400);
  });

  it('prints nothing that is unknown or irrelevant', () => {
    deepStrictEqual(rateBound({ ...literalQuantity(1), value: undefined }), undefined);
    deepStrictEqual(rateBound(literalQuantity(0)), undefined);
    deepStrictEqual(rateBound(literalQuantity(1), 100), undefined);
  });

  it('counts timers of 0 as 1 ms', () => {
    deepStrictEqual(turnBound(0).perSecond, 1000);
  });
});
