import { ok } from 'node:assert/strict';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../server/analysis/collect-garbage.ts';

describe('what an analysis leaves behind', () => {
  it('is collected once it is worth it', function () {
    const piece = () => Array.from({ length: 2_000 }, (_, i) => i + 0.5);
    // What lives on has V8 give more room to what is new.
    Array.from({ length: 4_000 }, piece);
    for (let i = 0; i < 4_000 && (i < 1_000 || usedBytes() < 8 * 2 ** 20); i++) piece();
    const before = usedBytes();
    // There is not that much room everywhere.
    if (before < 8 * 2 ** 20) this.skip();
    collectGarbage();
    ok(usedBytes() < before / 2, `${before} to ${usedBytes()} bytes`);
  });
});

function usedBytes(): number {
  return getHeapSpaceStatistics().find((it) => it.space_name === 'new_space')!.space_used_size;
}
