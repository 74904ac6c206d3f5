import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { readTexts } from './language/texts.ts';
import { matchesOf, words } from './language/words.ts';

/**
 * How many phrases of the left column a file still contains: the list only shrinks.
 * `UPDATE_LANGUAGE=1 npx mocha test/language.test.ts` lowers it.
 */
const path = 'test/language/allowed.json';

describe('the words that readers meet', () => {
  const found = new Map([...readTexts()].map(([file, text]) => [file, matchesOf(text)] as const));

  if (process.env['UPDATE_LANGUAGE'] === '1' && !process.env['CI']) {
    const counts = [...found].flatMap(([file, { length }]) => (length > 0 ? [[file, length]] : []));
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(counts), undefined, 2)}\n`);
  }

  const allowed = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;

  it('are those of the glossary', () => {
    const more = [...found].filter(([file, { length }]) => length > (allowed[file] ?? 0));
    deepStrictEqual(Object.fromEntries(more), {});
  });

  it('are allowed only where they are found', () => {
    const fewer = Object.entries(allowed).filter(
      ([file, count]) => count > (found.get(file)?.length ?? 0),
    );
    deepStrictEqual(fewer, [], `lower the counts in ${path}: UPDATE_LANGUAGE=1`);
  });

  it('include no word of the left column in its own replacement', () => {
    deepStrictEqual(
      words.filter(({ not, use }) => not.test(use)),
      [],
    );
  });
});
