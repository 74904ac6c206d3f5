import type { Notice } from './problem.ts';

/** Why a file, or one rule on it, is left out: the one list, for every host. */
const REASONS = {
  unreadable: { isWhole: true, isLasting: false, words: 'cannot be read' },
  binary: { isWhole: true, isLasting: true, words: 'is binary' },
  large: { isWhole: true, isLasting: true, words: 'is larger than 5 MB' },
  minified: { isWhole: true, isLasting: true, words: 'is minified' },
  bundle: { isWhole: true, isLasting: true, words: 'is a bundle of other modules' },
  syntax: { isWhole: true, isLasting: true, words: 'could not parse' },
  // How much the stack holds differs between processes.
  nesting: { isWhole: true, isLasting: false, words: 'nested too deeply to parse' },
  'rule-nesting': { isWhole: false, isLasting: false, words: 'nested too deeply for' },
  // A file other than code that has more than Deadtime reads.
  limit: { isWhole: false, isLasting: false, words: 'has more than Deadtime reads' },
  'rule-failure': { isWhole: false, isLasting: false, words: 'failed' },
} as const;

export type LeftOutReason = keyof typeof REASONS;

/** The text behind the file's name; details follow it. */
export function wordsFor(reason: LeftOutReason): string {
  return REASONS[reason].words;
}

/** Whether findings of the file may be missing. */
export function isLeftOut({ reason }: Pick<Notice, 'reason'>): boolean {
  return reason !== 'suppression';
}

/** Whether no rule has run on the file; a file that is nested too deeply for one rule may be read by others. */
export function isWholeFileLeftOut({ reason }: Pick<Notice, 'reason'>): boolean {
  return reason !== 'suppression' && REASONS[reason].isWhole;
}

/** Whether the same text brings it every time: what went wrong otherwise may go right the next time. */
export function isLasting({ reason }: Pick<Notice, 'reason'>): boolean {
  return reason === 'suppression' || REASONS[reason].isLasting;
}
