import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { createSearches, reachOf } from '../src/analysis/syntax/searches.ts';
import { rules } from '../rules/index.ts';
import type { Trigger } from '../rules/trigger.ts';
import { BUNDLE } from '../src/scan/written.ts';
import { randomNumbers } from '../tools/random-edits.ts';

describe('a search in a text that is edited', () => {
  const expressions = [
    ...new Set(rules.flatMap((it) => expressionsIn(it.trigger))),
    ...[BUNDLE, /\bexports?\b[^\n]*\bcommand\s*=/, /\bprocess\s*\.\s*exit\b/, /^await$/m],
    ...[/^await/, /exit$/, /await[^;]*exit/, /(?:\.\s*)+exit/, /process[.\s]+exit/, /a.*z/s],
  ];

  it('gives the result of a search of the whole text', () => {
    const words = [
      ...[
        'await',
        'process',
        '.',
        'exit',
        '(',
        ')',
        'exports',
        'command',
        '=',
        ';',
        'for',
        'Atomics',
        'readFileSync',
        'FieldResolver',
        'Query:',
      ],
      ...['Promise', 'all', ' ', ' ', '\n', '\n', '\n  \n', '__webpack_require__', 'err', 'a', 'z'],
    ];
    const random = randomNumbers(7);
    const upTo = (limit: number) => Math.floor(random() * limit);
    const searches = createSearches();
    let text = '';
    const found = new Set<RegExp>();
    const missed = new Set<RegExp>();
    for (let i = 0; i < 4_000; i++) {
      const at = upTo(text.length + 1);
      const removed = upTo(3) === 0 ? upTo(text.length > 150 ? 80 : 12) : 0;
      text = text.slice(0, at) + words[upTo(words.length)]! + text.slice(at + removed);
      // Not every text is searched for each of them.
      for (const it of expressions.filter(() => upTo(3) > 0)) {
        const isIn = text.search(it) !== -1;
        strictEqual(searches.isIn(text, it), isIn, `${it} in ${JSON.stringify(text)}`);
        (isIn ? found : missed).add(it);
      }
    }
    const both = expressions.filter((it) => found.has(it) && missed.has(it));
    strictEqual(both.length > expressions.length / 2, true);
  });

  it('goes on for as many lines as an expression has gaps', () => {
    const reaches: readonly (readonly [RegExp, number])[] = [
      [/\bAtomics\b|sleep/i, 0],
      [/\bprocess\s*\.\s*exit\b/, 2],
      [/\bexports?\b[^\n]*=/, 0],
      [/^\s*#/m, Infinity],
      [/[\s;]x/, Infinity],
      [/x[^;]y/, Infinity],
      [/\Wx/, Infinity],
      [/x\ny/, Infinity],
      [/(?:\s*x)*/, Infinity],
      [/(?:x|y)*/, 0],
      [/\[\^x\s\]/, 1],
      [/x\$y/, 0],
      [/x.y/s, Infinity],
      [/[x[]\s/, Infinity],
    ];
    deepStrictEqual(
      reaches.map(([it]) => reachOf(it)),
      reaches.map(([, reach]) => reach),
    );
  });
});

function expressionsIn(trigger: Trigger): readonly RegExp[] {
  if (trigger instanceof RegExp) return [trigger];
  return ('any' in trigger ? trigger.any : trigger.all).flatMap(expressionsIn);
}
