import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from './fakes/folder.ts';
import { appThat, heldApplication } from './fakes/held-application.ts';
import { looksAt } from './fakes/looks.ts';

describe('the cache, of what an application holds', () => {
  /** Files that are looked at again after a change of what the application holds. */
  const changes: Readonly<
    Record<
      string,
      readonly [files: Readonly<Record<string, string | undefined>>, again: readonly string[]]
    >
  > = {
    'another text of the file that puts it there': [
      {
        'src/app.ts': appThat(
          'app.locals.db = { query: async (sql: string) => ({ rows: [sql] }) };',
        ),
      },
      ['app.ts', 'routes.ts'],
    ],
    'another file that puts something there': [
      {
        'src/late.ts': `import type { Application } from 'express';\nexport const late = (app: Application) => { app.locals.db = 1; };\n`,
      },
      ['late.ts', 'routes.ts'],
    ],
    'the file that goes': [{ 'src/app.ts': undefined }, ['routes.ts']],
    'something else that is put there': [
      {
        'src/late.ts': `import type { Application } from 'express';\nexport const late = (app: Application) => { app.locals.mail = 1; };\n`,
      },
      ['late.ts'],
    ],
  };
  for (const [name, [files, again]] of Object.entries(changes)) {
    it(`looks again where it matters: ${name}`, async () => {
      const folder = folderWith(heldApplication('new Pool({ max: 60 })'));
      const looks = looksAt(folder);
      const first = await looks.next();
      strictEqual((await looks.next()).isWhole, true);
      for (const [file, text] of Object.entries(files)) {
        if (text === undefined) rmSync(join(folder.path, file));
        else folder.write({ [file]: text });
      }
      const second = await looks.next();
      deepStrictEqual(second.again, again);
      strictEqual(second.count < first.count, again.includes('routes.ts'));
      strictEqual((await looks.next()).isWhole, true);
    });
  }
});
