import { parseSync } from 'oxc-parser';
import type { Edit, Finding } from '../../rules/define-rule.ts';
import { scriptOf } from '../../src/scan/embedded.ts';
import { codeExtensions } from '../../src/scan/language.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { edited } from '../seeds/edited.ts';

/**
 * What is wrong with findings in any message: a place outside of its text, overlapping edits, or a suggestion that breaks the
 * syntax of the text. `textOf` returns the text of files with related places.
 */
export function faultsOf(
  problems: readonly Problem[],
  textOf: (path: string) => string | undefined,
): readonly string[] {
  return problems.flatMap(({ finding, path }) => {
    const text = textOf(path)!;
    const about = `${finding.ruleId} ${finding.messageId} at ${finding.range.join('-')}`;
    return [...misplaced(finding, path, textOf), ...brokenAfter(finding, path, text)].map(
      (it) => `${about}: ${it}`,
    );
  });
}

function misplaced(
  { range, related, suggestions }: Finding,
  path: string,
  textOf: (path: string) => string | undefined,
): readonly string[] {
  const places = [
    { what: 'the finding', path, range },
    ...related.map((it) => ({ what: `related “${it.message}”`, ...it })),
    ...suggestions.flatMap(({ messageId, edits }) =>
      edits.map((it) => ({ what: `an edit of ${messageId}`, path, range: it.range })),
    ),
  ];
  return places
    .filter((it) => !isWithin(it.range, textOf(it.path) ?? ''))
    .map((it) => `${it.what} is at ${it.range.join('-')}, outside of the text`);
}

function isWithin([start, end]: readonly [number, number], text: string): boolean {
  const areOffsets = Number.isInteger(start) && Number.isInteger(end);
  return areOffsets && 0 <= start && start <= end && end <= text.length;
}

function brokenAfter({ suggestions }: Finding, path: string, text: string): readonly string[] {
  const changing = suggestions.filter(({ isNote, edits }) => !isNote && edits.length > 0);
  if (changing.length === 0) return [];
  const isSound = syntaxErrorIn(text, path) === undefined;
  return changing.flatMap(({ messageId, edits }) => {
    if (doMeet(edits)) return [`the edits of ${messageId} meet`];
    const error = isSound ? syntaxErrorIn(edited(text, edits), path) : undefined;
    return error === undefined ? [] : [`after ${messageId}, ${error}`];
  });
}

function doMeet(edits: readonly Edit[]): boolean {
  const ranges = edits.map((it) => it.range).sort((a, b) => a[0] - b[0]);
  return ranges.some(([start], i) => i > 0 && start < ranges[i - 1]![1]);
}

/** The parser's first complaint, where the text is right in no dialect that its path allows. */
function syntaxErrorIn(whole: string, path: string): string | undefined {
  const { text, languages } = scriptOf(whole, path);
  const errors = languages.map((lang) => parseSync(path, text, { lang }).errors[0]?.message);
  return errors.includes(undefined) ? undefined : errors[0];
}

/** Every file that may hold code, declarations included. */
export function mayHoldCode(name: string): boolean {
  const lower = name.toLowerCase();
  return codeExtensions.some((it) => lower.endsWith(it));
}
