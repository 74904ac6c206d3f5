import type { Rule } from '../../rules/define-rule.ts';
import { isShown, type Edit, type Finding } from '../../rules/define-rule.ts';
import { isTriggered } from '../../rules/trigger.ts';
import { type FileText, projectOf } from '../../test/fixtures.ts';
import { edited } from './edited.ts';
import type { RuleMutations, Seed } from './seed.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';

/** What became of one planted bug. */
export interface Trial {
  readonly ruleId: string;
  readonly mutation: string;
  /** `fixtures/projects/clinic/src/routes/staff.ts:40` */
  readonly place: string;
  readonly isFound: boolean;
  /** Whether the default profile shows it, too. */
  readonly isShownByDefault: boolean;
  /** The file with the bug in it. */
  readonly text: string;
}

/** Files that import each other, without a bug. */
export interface Project {
  readonly files: readonly FileText[];
}

/** Plants every bug of a rule in a project, one at a time. Findings in the correct code do not count. */
export function* trialsIn(project: Project, rule: Rule, kinds: RuleMutations): Generator<Trial> {
  const factsAt = projectOf(project.files);
  for (const file of project.files) {
    const facts = factsAt(file.virtualPath);
    const before = rule.findings(facts, kinds.options);
    for (const [mutation, seedsIn] of Object.entries(kinds.mutations)) {
      for (const seed of seedsIn(facts)) {
        const known = before.filter((it) => isIn(it, rangeOf(seed.within)));
        const text = edited(file.source, seed.edits);
        const reported = planted(project, { ...file, source: text }, rule, kinds).filter((it) =>
          isIn(it, movedRange(seed)),
        );
        const found = reported.filter(
          (it) => !known.some(({ messageId }) => messageId === it.messageId),
        );
        // The place had the same bug before.
        if (found.length === 0 && reported.length > 0) continue;
        const line = file.source.slice(0, seed.edits[0]!.range[0]).split('\n').length;
        yield {
          ruleId: rule.id,
          mutation,
          place: `${file.path}:${line}`,
          isFound: found.length > 0,
          isShownByDefault: found.some((it) => isShown(it, 'recommended')),
          text,
        };
      }
    }
  }
}

function planted(
  { files }: Project,
  file: FileText,
  rule: Rule,
  { options }: RuleMutations,
): readonly Finding[] {
  // A file that the hosts skip unread has no findings, even if the rule would report one.
  if (!isTriggered(rule.trigger, file.source)) return [];
  const others = files.filter((it) => it.path !== file.path);
  return rule.findings(projectOf([...others, file])(file.virtualPath), options);
}

function isIn({ range }: Finding, [start, end]: readonly [number, number]): boolean {
  return start <= range[0] && range[0] < end;
}

/** Where the code that holds the bug is once it is planted. */
function movedRange({ edits, within }: Seed): readonly [number, number] {
  const range = rangeOf(within);
  const grownBy = (isBefore: (edit: Edit) => boolean) =>
    edits
      .filter(isBefore)
      .reduce((sum, it) => sum + it.text.length - (it.range[1] - it.range[0]), 0);
  return [
    range[0] + grownBy((it) => it.range[1] <= range[0]),
    range[1] + grownBy((it) => it.range[0] < range[1]),
  ];
}
