import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { lacks } from '../src/project/lacking.ts';
import { folderWith } from './fakes/folder.ts';
import { looksAt } from './fakes/looks.ts';

const clock = (members: string) => `export class Clock {\n  ${members}\n}\n`;

describe('the cache, of classes that lack what an interface asks for', () => {
  /** Files that are looked at again after another text of the clock. */
  const changes: Readonly<Record<string, readonly [text: string, again: readonly string[]]>> = {
    'another body': [clock('now() { return Date.now() + 1; }'), ['clock.ts']],
    'another member': [clock('now() { return Date.now(); }\n  stop() {}'), ['clock.ts']],
    'all that is asked for': [
      clock('async find(id: number) { return { id }; }'),
      ['clock.ts', 'service.ts'],
    ],
    'a parent, who may have it': [
      `import { Finder } from './finder';\nexport class Clock extends Finder {}\n`,
      ['clock.ts', 'service.ts'],
    ],
    'no such class': [`export const Clock = Date;\n`, ['clock.ts', 'service.ts']],
  };
  for (const [name, [text, again]] of Object.entries(changes)) {
    it(`looks again where it matters: ${name}`, async () => {
      const folder = folderWith({
        '.git/HEAD': '',
        'package.json': '{ "name": "ferry", "dependencies": { "pg": "^8.0.0" } }',
        'src/berths.ts': `export interface Berths {\n  find(id: number): Promise<object>;\n}\n`,
        'src/pg-berths.ts': [
          `import { Pool } from 'pg';`,
          `import type { Berths } from './berths';`,
          `const pool = new Pool();`,
          `export class PgBerths implements Berths {`,
          `  async find(id: number) {`,
          `    return (await pool.query('select * from berths where id = $1', [id])).rows[0];`,
          `  }`,
          `}`,
        ].join('\n'),
        'src/finder.ts': `export class Finder {\n  async find(id: number) { return { id }; }\n}\n`,
        'src/clock.ts': clock('now() { return Date.now(); }'),
        'src/main.ts': [
          `import { Clock } from './clock';`,
          `import { PgBerths } from './pg-berths';`,
          `import { both } from './service';`,
          `export const clock = new Clock();`,
          `export const main = () => both(new PgBerths());`,
        ].join('\n'),
        'src/service.ts': [
          `import type { Berths } from './berths';`,
          `export async function both(berths: Berths) {`,
          `  const one = await berths.find(1);`,
          `  const two = await berths.find(2);`,
          `  return [one, two];`,
          `}`,
        ].join('\n'),
      });
      const looks = looksAt(folder);
      const first = await looks.next();
      strictEqual((await looks.next()).isWhole, true);
      folder.write({ 'src/clock.ts': text });
      const second = await looks.next();
      deepStrictEqual(second.again, again);
      strictEqual(first.count > 0, true);
      strictEqual((await looks.next()).isWhole, true);
    });
  }

  it('is sure of a text only where it shows all of a class', () => {
    const sure = [
      clock('now() {}'),
      `export default class Clock implements Timer {}`,
      `import { Base } from './base';\nexport class Clock<T> {}\nclass Other extends Base {}`,
    ];
    const unsure = [
      clock('find() {}'),
      clock('now() { return this.find; }'),
      `export class Clock extends Finder {}`,
      `export class Clock<T>\n  extends Finder {}`,
      `export class Clock<O = {}> extends Finder<O> {}`,
      `export class Clock<Options = { size: number }> extends Finder {}`,
      `/*\nexport class Clock {}\n*/\nexport class Clock extends Finder {}`,
      'const old = `\nexport class Clock {}\n`;\nexport class Clock extends Finder {}',
      `export class Clock /* {@link Finder} */ extends Finder {}`,
      `export class Clock$ {}`,
      `export class Clocks {}`,
      `export { Clock } from './other';\nexport class Clocks {}\n`,
      `export class Clock {}\nexport * from './other';`,
      clock(`['fi\\x6ed']() {}`),
      `module.exports = { Clock: Finder };\nexport class Clock {}`,
      `class Clock {}\nexport default Clock;`,
    ];
    deepStrictEqual(
      sure.map((it) => lacks(it, ['Clock', 'find'])),
      [true, true, true],
    );
    deepStrictEqual(
      unsure.filter((it) => lacks(it, ['Clock', 'find'])),
      [],
    );
  });
});
