import type { Context } from '../facts/contexts.ts';
import type { Finding, Fix, Suggestion } from '../rules/define-rule.ts';
import type { Position } from './positions.ts';

export type { Context };

/** A finding as our own hosts show it: with its message, and with places instead of offsets. */
export interface Problem {
  readonly finding: Finding;
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
  readonly message: string;
  /** In a few words; undefined where the message says it all. */
  readonly cost: string | undefined;
  /** How often the place runs, as far as its file shows. */
  readonly context: Context;
  readonly related: readonly RelatedPlace[];
  readonly suggestions: readonly TitledSuggestion[];
  readonly fix: Fix;
  /** The innermost function around it, at the top level the statement: UTF-16 offsets. */
  readonly unit: readonly [number, number];
  /** Where a line with a comment that switches the rule off goes in; undefined where that line would be part of a text. */
  readonly switchOffAt: number | undefined;
  /** The same as long as the rule and the code of the function around it are, wherever that stands: 16 hexadecimal digits. */
  readonly fingerprint: string;
}

/** A suggestion with its title filled in. */
export interface TitledSuggestion extends Omit<Suggestion, 'messageId'> {
  readonly title: string;
}

export interface RelatedPlace {
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
  readonly message: string;
  readonly isStep?: true;
}

/** Why a file, or one rule on a file, was left out, or what a comment in it gets wrong: the scan goes on. */
export interface Notice {
  readonly path: string;
  readonly reason:
    | 'unreadable'
    | 'binary'
    | 'large'
    | 'minified'
    | 'bundle'
    | 'syntax'
    | 'nesting'
    | 'rule-failure'
    // A file beside the code that says more than is looked at.
    | 'limit'
    // A comment that switches a rule off, and is wrong.
    | 'suppression';
  readonly message: string;
}

/** Whether findings of the file may be missing. */
export function isLeftOut({ reason }: Notice): boolean {
  return reason !== 'suppression';
}

/** Whether no rule has looked at the file; one that is nested too deeply for a rule may be read by others. */
export function isWholeFileLeftOut({ reason }: Pick<Notice, 'reason'>): boolean {
  return whole.has(reason);
}

const whole: ReadonlySet<Notice['reason']> = new Set([
  'unreadable',
  'binary',
  'large',
  'minified',
  'bundle',
  'syntax',
]);

/** Whether the same text brings it every time: what went wrong otherwise, or elsewhere, may go right the next time. */
export function isLasting({ reason }: Notice): boolean {
  return !passing.has(reason);
}

const passing: ReadonlySet<Notice['reason']> = new Set([
  'unreadable',
  'nesting',
  'rule-failure',
  'limit',
]);
