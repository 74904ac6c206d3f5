import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { review } from '../src/scan/review/review.ts';
import { disk } from '../src/project/files.ts';
import { rules } from '../rules/index.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { createClock } from '../src/scan/clock.ts';
import { configurationsOf } from '../src/scan/configuration.ts';
import { folderWith } from './fakes/folder.ts';
import { appThat, heldApplication } from './fakes/held-application.ts';
import { looksAt } from './fakes/looks.ts';

describe('a review with the names in texts from an earlier check', () => {
  it('reads no file for its names, but those that have changed, and finds the same', async () => {
    const folder = folderWith(heldApplication('new Pool({ max: 60 })'));
    const looks = looksAt(folder);
    await looks.next();
    const at = (name: string) => join(folder.path, 'src', name);
    const reviewed = async (isKnowing: boolean) => {
      const now = Date.now() + 100_000;
      const memory = scanMemory({ folder: looks.kept, version: '1', kind: [], now });
      const read = new Set<string>();
      const after = { ...disk, read: (path: string) => (read.add(path), disk.read(path)) };
      const text = disk.read(at('routes.ts'))!;
      const change = { from: undefined, to: at('routes.ts'), before: undefined, hunks: [] };
      const { problems } = await review(
        {
          ...{ root: folder.path, changes: [{ ...change, after: text }] },
          ...{ before: disk, after, remarks: [] },
        },
        {
          ...{ rules, configurations: configurationsOf(rules, { profile: 'audit' }) },
          ...{ clock: createClock(), followsImports: false },
          knownNames: isKnowing ? memory.knownNames : undefined,
        },
      );
      return {
        said: problems.map(({ finding }) => [finding.ruleId, finding.range]),
        isPlainRead: read.has(at('plain.ts')),
      };
    };
    const [knowing, plain] = [await reviewed(true), await reviewed(false)];
    ok(plain.said.length > 0);
    deepStrictEqual(knowing.said, plain.said);
    deepStrictEqual([knowing.isPlainRead, plain.isPlainRead], [false, true]);

    folder.write({
      'src/app.ts': appThat('export const locals = {};'),
      'src/plain.ts': appThat('app.locals.db = { query: (sql: string) => [sql] };'),
    });
    const [later, anew] = [await reviewed(true), await reviewed(false)];
    deepStrictEqual(later.said, anew.said);
    strictEqual(later.said.length < plain.said.length, true);
  });
});
