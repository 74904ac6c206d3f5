import type { FileFacts } from '../src/analysis/file/file.ts';
import type { Node } from '../src/analysis/syntax/ast.ts';
import { rangeOf } from '../src/analysis/syntax/places.ts';
import type { SkeletonSubject } from '../src/patterns/skeleton/skeletons.ts';
import type { Trigger } from './trigger.ts';

/** The facts of the code behind a finding: they fill the message's placeholders and set the benchmark's parameters. */
export type Evidence = Readonly<Record<string, string | number | boolean>>;

/** The gravest first. */
export const severities = ['error', 'warning', 'information', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** How sure the proof is: `high` needs every fact proved, `medium` names one assumption in its message, `audit` is weaker. */
export type Confidence = 'high' | 'medium' | 'audit';

/** Which findings are shown. Hints and `medium` start at `strict`. */
export type Profile = (typeof profiles)[number];
export const profiles = ['recommended', 'strict', 'audit'] as const;

/** Another place that belongs to the proof: a step of a witness path, the callee that reads the database. */
export interface Related {
  readonly path: string;
  /** UTF-16 offsets into that file's text. */
  readonly range: readonly [number, number];
  readonly message: string;
  /** A step of the path that starts at the finding, in the order in which the code runs. */
  readonly isStep?: true;
  /** The wait that the finding is about: a running program measures it there. */
  readonly isWait?: true;
}

export interface Edit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/** A change that a person accepts by name; never applied silently, because timing or errors change. */
export interface Suggestion {
  readonly messageId: string;
  readonly edits: readonly Edit[];
  readonly changes: Change;
  /** It writes down what to do, and fixes nothing. */
  readonly isNote?: boolean;
}

/** The guarantee of the code that a fix gives up. */
export type Change = 'nothing' | 'errors' | 'order' | 'load' | 'atomicity';

/** How to fix a finding where there is no edit to accept. */
export interface Fix {
  /**
   * One sentence each, filled like a message's text. The first states what to do in a few words, since an agent may read no
   * more; the others state how.
   */
  readonly steps: readonly string[];
  readonly changes: Change;
}

/** What the analysis of a file finds, before a host renders it. */
export interface Finding {
  readonly ruleId: string;
  readonly messageId: string;
  /** The underlined range: one line, the await, the call or the loop's head, never a body. */
  readonly range: readonly [number, number];
  readonly evidence: Evidence;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly related: readonly Related[];
  readonly suggestions: readonly Suggestion[];
}

/** A finding as a rule yields it; `severity` and `confidence` default to the message's. */
export interface Report<MessageId extends string = string>
  extends
    Pick<Finding, 'evidence'>,
    Partial<Pick<Finding, 'severity' | 'confidence' | 'related' | 'suggestions'>> {
  readonly messageId: MessageId;
  readonly at: Node | Finding['range'];
}

export interface Message {
  /** Two sentences: what happens and why it costs, what to do. `{{name}}` comes from the evidence. */
  readonly text: string;
  readonly severity: Severity;
  readonly confidence?: Confidence;
  /** The cost of the place, in a few words for reports, filled like `text`. */
  readonly cost?: string;
  readonly fix: Fix;
}

/** Descriptive text of one option; its type is its default's. */
export interface Option<T> {
  readonly default: T;
  readonly description: string;
}

type Options = Readonly<Record<string, Option<OptionValue>>>;
export type OptionValue = string | number | boolean | readonly string[] | NumbersByName;
/** `{ "pg": { "checkoutRtt": 1 } }` */
export type NumbersByName = Readonly<Record<string, Readonly<Record<string, number>>>>;
export type ValuesOf<O extends Options> = { readonly [K in keyof O]: Widen<O[K]['default']> };
type Widen<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer _)[]
        ? readonly string[]
        : NumbersByName;

export interface Rule {
  readonly id: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Message>>;
  /** Titles of the suggestions, by messageId. */
  readonly suggestions: Readonly<Record<string, string>>;
  readonly options: Options;
  /** A text without a match cannot hold a finding: hosts skip the file before parsing it. */
  readonly trigger: Trigger;
  /** What a proof replays of the user's own code; left out where the rule is not about sequential waits. */
  readonly replays?: SkeletonSubject;
  /** Pure and total: facts in, findings out, for any tree. */
  findings(file: FileFacts, options?: Readonly<Record<string, OptionValue>>): readonly Finding[];
}

export function defineRule<const O extends Options, const MessageId extends string>(definition: {
  readonly id: string;
  readonly description: string;
  readonly messages: Readonly<Record<MessageId, Message>>;
  readonly suggestions?: Readonly<Record<string, string>>;
  readonly options: O;
  readonly trigger: Trigger;
  readonly replays?: SkeletonSubject;
  check(file: FileFacts, options: ValuesOf<O>): Iterable<Report<MessageId>>;
}): Rule {
  const { check, messages, ...rest } = definition;
  const defaults = Object.fromEntries(
    Object.entries(definition.options).map(([name, option]) => [name, option.default]),
  );
  return {
    ...rest,
    messages,
    suggestions: definition.suggestions ?? {},
    findings(file, options) {
      return Array.from(check(file, { ...defaults, ...options } as ValuesOf<O>), (report) => ({
        ruleId: definition.id,
        messageId: report.messageId,
        range: 'type' in report.at ? rangeOf(report.at) : report.at,
        evidence: report.evidence,
        severity: report.severity ?? messages[report.messageId].severity,
        confidence: report.confidence ?? messages[report.messageId].confidence ?? 'high',
        related: report.related ?? [],
        suggestions: report.suggestions ?? [],
      }));
    },
  };
}

/** Whether `profile` shows a finding: hints and assumptions only to those who asked. */
export function isShown(
  finding: Pick<Finding, 'severity' | 'confidence'>,
  profile: Profile,
): boolean {
  if (profile === 'audit') return true;
  if (finding.confidence === 'audit') return false;
  return profile === 'strict' || (finding.confidence === 'high' && finding.severity !== 'hint');
}

/** The gravest severity among the rule's messages that `profile` shows; undefined when it shows none. */
export function gravestOf(rule: Rule, profile: Profile): Severity | undefined {
  return severitiesOf(rule, profile)[0];
}

/**
 * The level of the rule in a linter, which has one for all of its findings: `error` where all that `profile` shows are errors. A
 * finding that is only information must not fail a build.
 */
export function lintLevelOf(rule: Rule, profile: Profile): 'error' | 'warn' | 'off' {
  const [gravest, ...others] = severitiesOf(rule, profile);
  if (gravest === undefined) return 'off';
  return gravest === 'error' && others.length === 0 ? 'error' : 'warn';
}

/** The gravest first. */
function severitiesOf(rule: Rule, profile: Profile): readonly Severity[] {
  const shown = Object.values(rule.messages)
    .filter(({ severity, confidence = 'high' }) => isShown({ severity, confidence }, profile))
    .map(({ severity }) => severity);
  return severities.filter((it) => shown.includes(it));
}

/** `text` with its placeholders filled; a placeholder without evidence stays visible, a test looks for those. */
export function render(text: string, evidence: Evidence): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(evidence[name] ?? whole),
  );
}
