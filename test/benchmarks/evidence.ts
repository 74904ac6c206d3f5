import type { Evidence } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { findingsOf, fixturesOf, projectOf } from '../fixtures.ts';

export interface Located {
  /** The path of the fixture. */
  readonly name: string;
  /** All of its files and manifests. */
  readonly text: string;
  readonly evidence: Evidence;
}

/** That of every finding in the fixtures of a rule, in the profile `audit`; found once for all tests of a process. */
export function evidenceIn(ruleId: string): readonly Located[] {
  const known = byRule.get(ruleId);
  if (known) return known;
  const rule = rules.find((it) => it.id === ruleId)!;
  const found = fixturesOf(ruleId).flatMap(({ path, files, manifests }) => {
    const factsAt = projectOf(files, manifests);
    const text = [...files.map((it) => it.source), ...Object.values(manifests)].join('\n');
    return files.flatMap((file) =>
      findingsOf(rule, factsAt(file.virtualPath), { ...file.settings, profile: 'audit' }).map(
        ({ evidence }) => ({ name: path, text, evidence }),
      ),
    );
  });
  byRule.set(ruleId, found);
  return found;
}

const byRule = new Map<string, readonly Located[]>();
