import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { analyse } from 'scslre';
import { globTest, isTooLong } from '../../src/project/glob.ts';
import { rules } from '../../rules/index.ts';
import type { Trigger } from '../../rules/trigger.ts';

// Those that are written as such are looked at by `npm run lint`.
describe('regular expressions that are put together', () => {
  for (const { id, trigger } of rules) {
    it(`take a time in proportion to the text: what ${id} looks for`, () => {
      deepStrictEqual(expressionsIn(trigger).flatMap(growthsOf), []);
    });
  }

  it('are tested by a search for slow ones', () => {
    strictEqual(growthsOf(/(?:\w+\s*)+x/).length > 0, true);
  });
});

describe('a glob of a project', () => {
  const fits = (glob: string, ...paths: readonly string[]) => paths.filter(globTest(glob));

  it('is what it is for npm', () => {
    const paths = ['a', 'ab', 'a/b', 'a/b/c', 'b', '', 'a.b', 'axb'];
    deepStrictEqual(fits('*', ...paths), ['a', 'ab', 'b', '', 'a.b', 'axb']);
    deepStrictEqual(fits('a/*', ...paths), ['a/b']);
    deepStrictEqual(fits('a/**', ...paths), ['a/b', 'a/b/c']);
    deepStrictEqual(fits('**/b', ...paths), ['a/b', 'b']);
    deepStrictEqual(fits('a/**/c', 'a/c', 'a/b/c', 'a/b/b/c', 'a/bc', 'ac'), [
      ...['a/c', 'a/b/c', 'a/b/b/c'],
    ]);
    deepStrictEqual(fits('{a,b}{,b}', ...paths), ['a', 'ab', 'b']);
    deepStrictEqual(fits('a?b', ...paths), ['a.b', 'axb']);
    deepStrictEqual(fits('a.b', ...paths), ['a.b']);
    deepStrictEqual(fits('{a', '{a', 'a'), ['{a']);
    deepStrictEqual(fits('[ab]', ...paths), ['a', 'b']);
    deepStrictEqual(fits('\\*', '*', 'a'), ['*']);
  });

  it('takes a time in proportion to its length, however many stars it has', () => {
    const long = 'a'.repeat(2_000);
    // In the other times no test would end: it is stopped.
    const inTime = (glob: string, ...paths: readonly string[]) =>
      runInNewContext(
        'fits()',
        { fits: () => fits(glob, ...paths) },
        { timeout: 30_000 },
      ) as unknown;
    deepStrictEqual(inTime(`${'*a'.repeat(200)}b`, long), []);
    deepStrictEqual(inTime(`${'**/'.repeat(200)}b`, 'a/'.repeat(1_000)), []);
    deepStrictEqual(inTime('{a,*}'.repeat(6), long), [long]);
  });

  it('matches nothing where it has too many alternatives or characters', () => {
    for (const glob of ['{a,b}'.repeat(7), `{${','.repeat(400_000)}}`, '*'.repeat(200_000)]) {
      strictEqual(isTooLong(glob), true);
      deepStrictEqual(fits(glob, 'a', ''), []);
    }
  });
});

function expressionsIn(trigger: Trigger): readonly RegExp[] {
  if (trigger instanceof RegExp) return [trigger];
  return ('any' in trigger ? trigger.any : trigger.all).flatMap(expressionsIn);
}

/** In what ways the time grows faster than the text. */
function growthsOf({ source, flags }: RegExp): readonly string[] {
  const { reports } = analyse({ source, flags });
  return reports.map((it) => it.type);
}
