import { createHash } from 'node:crypto';
import { rules } from '../../rules/index.ts';
import { isTriggered } from '../../rules/trigger.ts';
import { createClock } from '../../src/scan/clock.ts';
import { projectModules } from '../../src/scan/project.ts';
import { createScanner } from '../../src/scan/scan.ts';
import { readingOf } from '../../src/scan/text.ts';
import { faultsOf } from './faults.ts';

/** What became of one file, in one run. */
export interface Examined {
  readonly path: string;
  readonly lines: number;
  /** Why no rule, or not every rule, ran on it; one word each. */
  readonly refused: readonly string[];
  /** Errors that a rule, or the scan, has thrown. */
  readonly crashes: readonly string[];
  readonly faults: readonly string[];
  readonly findings: number;
  readonly suggestions: number;
  /** The same for the same findings and notices. */
  readonly digest: string;
}

/** No file is skipped for its text: every rule runs on every tree. */
export const everywhere = rules.map((rule) => ({ ...rule, trigger: /(?:)/ }));

/** Examines the files of the project at `root`, which learn of each other as in a scan. */
export function examinerOf(root: string): (path: string) => Examined {
  const modules = projectModules(root, createClock());
  const scanner = createScanner({ rules: everywhere, profile: 'audit', modules });
  return (path) => {
    const reading = readingOf(path);
    const base = { path, lines: 0, crashes: [], faults: [], findings: 0, suggestions: 0 };
    if (!('text' in reading)) return { ...base, refused: [reading.reason], digest: reading.reason };
    const { text } = reading;
    const lines = text.split('\n').length;
    try {
      const result = scanner.scan(text, path, { isNamed: false });
      const { problems, notices } = result;
      const textOf = (it: string) => (it === path ? text : modules.factsAt(it)?.text);
      return {
        ...{ path, lines },
        refused: notices.filter(isRefusal).map((it) => it.reason),
        crashes: notices.filter((it) => it.reason === 'rule-failure').map((it) => it.message),
        faults: [
          ...faultsOf(problems, textOf),
          ...problems.filter(({ finding }) => !mayFind(finding.ruleId, text)).map(missedOf),
        ],
        findings: problems.length,
        suggestions: problems.flatMap((it) => it.suggestions).length,
        digest: createHash('sha1').update(JSON.stringify(result)).digest('hex'),
      };
    } catch (error) {
      const crash = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { ...base, lines, refused: [], crashes: [crash], digest: crash };
    }
  };
}

function isRefusal({ reason }: { readonly reason: string }): boolean {
  return reason !== 'rule-failure' && reason !== 'suppression';
}

function mayFind(ruleId: string, text: string): boolean {
  return isTriggered(rules.find(({ id }) => id === ruleId)!.trigger, text);
}

function missedOf({ finding }: { readonly finding: { readonly ruleId: string } }): string {
  return `${finding.ruleId} finds something where its trigger does not match`;
}
