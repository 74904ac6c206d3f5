import { ok } from 'node:assert/strict';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../server/analysis/collect-garbage.ts';

describe('what an analysis leaves behind', () => {
  it('is collected once it is worth it', () => {
    // So many bytes each that a few hundred are more than it waits for, and less than V8 does.
    const piece = () => Array.from({ length: 2_000 }, (_, i) => i + 0.5);
    let kept = piece();
    while (usedBytes() < 8 * 2 ** 20) kept = piece();
    const before = usedBytes();
    collectGarbage();
    ok(usedBytes() < before / 2, `${before} to ${usedBytes()} bytes`);
    ok(kept.length === 2_000);
  });
});

function usedBytes(): number {
  return getHeapSpaceStatistics().find((it) => it.space_name === 'new_space')!.space_used_size;
}
