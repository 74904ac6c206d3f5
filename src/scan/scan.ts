import { isForBrowsersAlone } from '../analysis/contexts/browser-packages.ts';
import { type AwaitSample, awaitSampleOf } from '../analysis/coverage/await-coverage.ts';
import { areDueForRebuild, factsOf } from '../analysis/facts.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import type { Source } from '../analysis/file/source.ts';
import { untracked } from '../engine/runtime.ts';
import { createSearches } from '../analysis/syntax/searches.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import type { TypeMemory } from '../project/type-memory.ts';
import type { FileProbes } from '../runtime/plan.ts';
import {
  isShown,
  type Finding,
  type OptionValue,
  type Profile,
  type Rule,
  type Severity,
} from '../../rules/define-rule.ts';
import { AWAIT } from '../../rules/trigger.ts';
import { withAssumptions } from './assumptions.ts';
import { createClock, type Clock } from './clock.ts';
import { coverageOf, type FileCoverage } from './coverage.ts';
import { directivesOf, OURS } from './directives.ts';
import { scriptOf } from './embedded.ts';
import { type LeftOutReason, wordsFor } from './left-out.ts';
import { probesOf } from './probes.ts';
import { isFailure, sourceOf, type ParseFailure } from './parse.ts';
import { lazyPositionsOf, positionsOf } from './positions.ts';
import type { Notice, Problem } from './problem.ts';
import { problemsOf } from './problems.ts';
import { isTooLarge, looksBinary } from './text.ts';
import { type Triggers, triggersOf } from './trigger.ts';
import { writtenReason } from './written.ts';

export interface ScanOptions {
  readonly rules: readonly Rule[];
  /** Whether the user has named the rules: other findings may have the same places. */
  readonly isOfSomeRules?: boolean;
  readonly profile: Profile;
  /** By rule id; a missing entry is the rule's default. */
  readonly settings?: Readonly<Record<string, RuleSetting>> | undefined;
  /** The contents of other files (see project.ts); without it every file is analysed alone. */
  readonly modules?: ProjectModules | undefined;
  /** Records which types would decide a finding, and holds the requested ones. */
  readonly types?: TypeMemory | undefined;
  readonly clock?: Clock | undefined;
  /** Whether the results contain how much of what a file waits for is understood; then all files with an await are parsed. */
  readonly measuresCoverage?: boolean;
  /** Whether the results contain where a running program is measured. */
  readonly findsProbes?: boolean | undefined;
  /** One await of so many is asked whether it is understood; absent: none is. */
  readonly sampleStep?: number;
  /** Called between two rules: once it returns true, the result of the scan is not used. */
  readonly isCancelled?: (() => boolean) | undefined;
}

/** The configuration of one rule. */
export interface RuleSetting {
  /** Instead of the severities of the rule's messages, which are `default`. */
  readonly severity?: Severity | 'off' | 'default';
  readonly options?: Readonly<Record<string, OptionValue>>;
}

export interface FileResult {
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  /** False when the text alone ruled every finding out. */
  readonly isParsed: boolean;
  /** Only where it was asked for. */
  readonly coverage?: FileCoverage;
  /** An estimate of it, where that was asked for and the file waits for something. */
  readonly awaits?: AwaitSample;
  /** Only where it was asked for, and the file has some. */
  readonly probes?: FileProbes;
}

/** Scans texts sequentially and shares between them the facts of the project's other files. */
export interface Scanner {
  /** A file that the user named is scanned even when it seems to be generated. */
  scan(text: string, path: string, file: { readonly isNamed: boolean }): FileResult;
  /**
   * Whether many dependencies of the next scan of an edited file need to be recomputed soon; the text is the last scanned one.
   */
  isWorn(text: string, path: string): boolean;
}

export function createScanner(given: ScanOptions): Scanner {
  const { modules, types, clock = createClock() } = given;
  const rules = given.rules.filter(({ id }) => given.settings?.[id]?.severity !== 'off');
  const options = { ...given, rules, clock };
  const searches = createSearches();
  const triggers = triggersOf(rules, searches);
  return {
    scan(whole, path, { isNamed }) {
      const script = scriptOf(whole, path);
      const { text, languages } = script;
      const mayHold = () => triggers.isAnyMet(text) && !isForBrowsersAlone({ path, text, modules });
      const isCandidate =
        searches.isIn(text, OURS) ||
        looksBinary(text) ||
        ((options.measuresCoverage === true || options.findsProbes === true) &&
          searches.isIn(text, AWAIT)) ||
        clock.measure('prefilter', mayHold);
      if (!isCandidate) return { problems: [], notices: [], isParsed: false };
      if (!isNamed && isTooLarge(text)) return leftOut(path, 'large', false);
      modules?.trim();
      const source =
        modules?.heldFor(path, text) ??
        clock.measure('parse', () =>
          sourceOf(text, path, {
            languages,
            modules: () => modules,
            types,
            previous: modules?.previousOf(path),
          }),
        );
      if (isFailure(source)) {
        const notices = [noticeOf(source, text, path)];
        return { problems: [], notices, isParsed: true };
      }
      const written = isNamed ? undefined : writtenReason(text, source, searches);
      if (written) return leftOut(path, written, true);
      modules?.adopt(source);
      const { findings, notices } = findingsIn(source, triggers, options);
      // For every order of questions: no later file is cached as if all had been read.
      for (const it of modules?.leftOut() ?? []) notices.push({ ...it, reason: 'limit' });
      const positions = lazyPositionsOf(text);
      const directives = directivesOf(source, positions, searches);
      for (const message of directives.remarks({ findings, ...options })) {
        notices.push({ path, reason: 'suppression', message });
      }
      const isAnyShown = findings.some((finding) => isShown(finding, options.profile));
      const problems = isAnyShown ? problemsOf(source, findings, options, script) : [];
      const { measuresCoverage, sampleStep } = options;
      const coverage = measuresCoverage && countedIn(source, notices, clock, coverageOf);
      const awaits =
        sampleStep && countedIn(source, notices, clock, (file) => sampleOf(file, sampleStep));
      const probes =
        options.findsProbes &&
        countedIn(source, notices, clock, (file) => probesOf(file, positions(), findings));
      return {
        ...{ problems, notices, isParsed: true },
        ...(coverage && { coverage }),
        ...(awaits && { awaits }),
        ...(probes && { probes }),
      };
    },
    isWorn(whole, path) {
      const source = modules?.heldFor(path, scriptOf(whole, path).text);
      return source !== undefined && areDueForRebuild(source.ast);
    },
  };
}

/** A count of awaits; an error in it becomes a notice, as one of a rule does. */
function countedIn<T>(
  source: Source,
  notices: Notice[],
  clock: Clock,
  count: (file: FileFacts) => T,
): T | undefined {
  try {
    return clock.measure('coverage', () => count(factsOf(source)));
  } catch (error) {
    notices.push(noticeOfFailure('coverage', source.path, error));
    return undefined;
  }
}

/** What the sample is asked for is no dependency of the findings: with each change elsewhere, it is only a little older. */
function sampleOf(file: FileFacts, step: number): AwaitSample | undefined {
  let sample: AwaitSample | undefined;
  untracked(file.queries.runtime, () => (sample = awaitSampleOf(file, step)));
  return sample && sample.asked > 0 ? sample : undefined;
}

function leftOut(path: string, reason: LeftOutReason, isParsed: boolean): FileResult {
  return { problems: [], notices: [{ path, reason, message: wordsFor(reason) }], isParsed };
}

function noticeOf({ reason, message, offset }: ParseFailure, text: string, path: string): Notice {
  if (reason === 'nesting') return { path, reason, message };
  if (looksBinary(text)) return { path, reason: 'binary', message: wordsFor('binary') };
  const where = offset === undefined ? '' : ` (line ${positionsOf(text).at(offset).line})`;
  return { path, reason, message: `${wordsFor(reason)}: ${message}${where}` };
}

function findingsIn(
  source: Source,
  triggers: Triggers,
  { rules, settings, clock, isCancelled }: ScanOptions & { readonly clock: Clock },
): { readonly findings: readonly Finding[]; readonly notices: Notice[] } {
  const findings: Finding[] = [];
  const notices: Notice[] = [];
  for (const rule of rules) {
    if (!triggers.isMet(rule, source.text)) continue;
    if (isCancelled?.()) break;
    try {
      // Facts are computed when a rule asks, so the first rule of a file pays for what the others share.
      const facts = clock.measure('facts', () => factsOf(source));
      findings.push(
        ...clock.measure(rule.id, () => rule.findings(facts, settings?.[rule.id]?.options)),
      );
    } catch (error) {
      notices.push(noticeOfFailure(rule.id, source.path, error));
    }
  }
  const assumed = clock.measure('facts', () => withAssumptions(source, findings));
  const sorted = assumed.toSorted((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  return { findings: sorted, notices };
}

function noticeOfFailure(id: string, path: string, error: unknown): Notice {
  if (error instanceof RangeError) {
    const reason = 'rule-nesting';
    return { path, reason, message: `${wordsFor(reason)} ${id}` };
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    path,
    reason: 'rule-failure',
    message: `${id} ${wordsFor('rule-failure')}: ${cause}`,
  };
}
