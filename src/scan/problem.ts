import type { Context } from '../analysis/contexts/contexts.ts';
import type { Finding, Fix, Suggestion } from '../../rules/define-rule.ts';
import type { LeftOutReason } from './left-out.ts';
import type { Measured } from './measured-costs.ts';
import type { Position } from './positions.ts';
import type { ProblemNames } from './problem-names.ts';

export type { Context };

/** A finding as our own hosts show it: with its message, and with places instead of offsets. */
export interface Problem {
  readonly finding: Finding;
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
  readonly names: ProblemNames;
  readonly message: string;
  /** In a few words; undefined where the message contains it. */
  readonly cost: string | undefined;
  /** How often the place runs, as far as its file shows. */
  readonly context: Context;
  readonly related: readonly RelatedPlace[];
  readonly suggestions: readonly TitledSuggestion[];
  readonly fix: Fix;
  /** The innermost function around it, at the top level the statement: UTF-16 offsets. */
  readonly unit: readonly [number, number];
  /** Where to insert a line with a comment that disables the rule; undefined where that line would be part of a string. */
  readonly switchOffAt: number | undefined;
  /** The same as long as the rule and the code of the enclosing function are the same, at any place: 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** What a run of the program has measured of it: no scan has it, `withMeasured` adds it. */
  readonly measured?: Measured;
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
  /** `suppression`: a comment that disables a rule, and has an error. */
  readonly reason: LeftOutReason | 'suppression';
  readonly message: string;
}
