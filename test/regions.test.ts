import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { trackedTreeOf } from '../src/engine/tracked-tree.ts';
import { runtimeOf } from '../src/engine/runtime.ts';
import { indexOf } from '../src/analysis/syntax/node-index.ts';
import { regionsIn } from '../src/analysis/syntax/regions.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';

const TEXT = `
import { pool } from '../pool.ts';
connect(pool);
@registered(() => connect(pool))
class Berths extends Stored(connect(pool)) {
  readonly first = connect(pool);
  @logged(connect()) find() { return connect(pool); }
}
function free() { connect(pool); }
export class Piers extends Stored(connect(pool)) {
  find() { return new Pool(); }
}
export default class extends Stored(connect(pool)) {
  static { connect(pool); }
}
`;

describe('units', () => {
  it('are the whole file, and each stretch is in one of them', () => {
    const source = sourceOf(TEXT, '/ferry/berths.ts');
    if (isFailure(source)) throw new Error(source.message);
    const index = indexOf(source.ast);
    const units = regionsIn(source.ast, index, trackedTreeOf(index, runtimeOf({})));
    for (const types of [['CallExpression'], ['CallExpression', 'NewExpression'], ['Identifier']]) {
      deepStrictEqual(
        units.flatMap((it) => it.all(...(types as ['CallExpression']))),
        index.all(...(types as ['CallExpression'])),
      );
    }
    strictEqual(new Set(units.map((it) => it.node)).size, units.length);
  });
});
