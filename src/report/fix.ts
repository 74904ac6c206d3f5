import { type Change, type Edit, isShown, profiles } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import { fileWord } from '../scan/proof-command.ts';
import { ownCommand } from '../system/own-command.ts';

/** How to fix one finding, for a machine. */
export interface FixInstructions {
  readonly kind: 'edit' | 'steps' | 'none';
  /** The promise of the code that the fix gives up. */
  readonly safety: 'safe' | 'errors' | 'order' | 'load' | 'atomicity';
  /** None of them overlap; UTF-16 code units of the file's text without its byte-order mark. */
  readonly edits: readonly Edit[];
  /** What to do where there is no edit, or where it does not fit. */
  readonly steps: readonly string[];
  /** A command line that exits with 0 when the file has no such finding any more. */
  readonly verify: string;
}

/** `file` as a command line names it. */
export function fixOf(problem: Problem, file: string): FixInstructions {
  const edit = problem.suggestions.find((it) => !it.isNote);
  const { steps } = problem.fix;
  const { changes } = edit ?? problem.fix;
  return {
    kind: edit ? 'edit' : steps.length > 0 ? 'steps' : 'none',
    safety: changes === 'nothing' ? 'safe' : changes,
    edits: edit?.edits ?? [],
    steps,
    verify: verifyCommand(problem, file),
  };
}

function verifyCommand({ finding }: Problem, file: string): string {
  const least = profiles.find((it) => isShown(finding, it));
  const profile = least === profiles[0] ? '' : ` --profile ${least}`;
  return ownCommand(`check ${fileWord(file)} --rule ${finding.ruleId}${profile} --fail-on any`);
}

/** The edits there are, or else the steps, each with the promise of the code that it gives up: for people and agents. */
export function waysOf({ suggestions, fix }: Problem): readonly string[] {
  const edits = suggestions.filter((it) => !it.isNote);
  if (edits.length > 0) return edits.map(({ title, changes }) => wayText(title, changes));
  return fix.steps.length > 0 ? [wayText(fix.steps.join(' '), fix.changes)] : [];
}

/** In one sentence: the first edit, or else the first step. */
export function firstWayOf({ suggestions, fix }: Problem): string | undefined {
  const edit = suggestions.find((it) => !it.isNote);
  const [step] = fix.steps;
  if (edit) return wayText(edit.title, edit.changes);
  return step === undefined ? undefined : wayText(step, fix.changes);
}

function wayText(way: string, changes: Change): string {
  const promise = givenUp[changes];
  if (promise === undefined) return way;
  return way.endsWith('.') ? `${way.slice(0, -1)} (${promise}).` : `${way} (${promise})`;
}

const givenUp: Readonly<Record<Change, string | undefined>> = {
  nothing: undefined,
  errors: 'which error comes first changes',
  order: 'the order of effects changes',
  load: 'more runs concurrently: keep it within the pool’s size',
  atomicity: 'other work may run in between',
};
