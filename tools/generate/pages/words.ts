import type { Rule } from '../../../rules/define-rule.ts';
import { wordLists } from '../../../src/analysis/words/index.ts';
import type { Word } from '../../../src/analysis/words/word-list.ts';

/** The words in names and comments that the rule heeds; undefined for a rule that heeds none. */
export function wordsOf({ id }: Pick<Rule, 'id'>): string | undefined {
  const lists = wordLists.filter((it) => it.ruleIds.includes(id));
  if (lists.length === 0) return undefined;
  const texts = lists.map(({ effect, words }) => `${effect}\n\n${linesOf(words.map(shown))}`);
  return `### Words

\`*\` stands for any ending, \`?\` for a letter or space that may be absent.

${texts.join('\n\n')}`;
}

function shown(entry: Word): string {
  const { word, notAfter, notBefore } = typeof entry === 'string' ? { word: entry } : entry;
  const text = `\`${plain(word)}\``;
  if (notAfter) return `${text} (not after ${notAfter.map(plain).join(', ')})`;
  return notBefore ? `${text} (not before ${notBefore.map(plain).join(', ')})` : text;
}

/** Without what only a regular expression needs. */
function plain(word: string): string {
  return word
    .replaceAll(String.raw`\w+`, '…')
    .replaceAll('[0-9]*', 'a number')
    .replaceAll('’', "'");
}

/** Lines of a length that a diff can show. */
function linesOf(words: readonly string[]): string {
  const lines: string[] = [];
  for (const it of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + it.length < 110)
      lines[lines.length - 1] = `${last}, ${it}`;
    else {
      if (last !== undefined) lines[lines.length - 1] = `${last},`;
      lines.push(it);
    }
  }
  return lines.join('\n');
}
