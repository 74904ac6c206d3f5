import { estimateOf } from '../../proof/estimate.ts';
import {
  type Explanation,
  explanationOfFinding,
  explanationOfRule,
  explanationText,
} from '../../report/explanation.ts';
import { findingAt, type FindingOptions } from '../finding-at.ts';
import { withRecording } from '../measured.ts';
import { packageFile } from '../package.ts';
import { ruleNamed } from '../rule-names.ts';

/** One screen on a rule, or on the finding at `file:line`. */
export async function explanation(
  name: string,
  options: FindingOptions & { readonly hasColors: boolean },
): Promise<string> {
  return explanationText(await explanationOf(name, process.cwd(), options), options);
}

export async function explanationOf(
  name: string,
  cwd: string,
  options: FindingOptions = {},
): Promise<Explanation> {
  const found = await findingAt(name, cwd, options);
  if (!found) {
    const rule = ruleNamed(name);
    return explanationOfRule(rule, pageOf(rule.id));
  }
  const [problem = found.problem] = withRecording({ problems: [found.problem] }, cwd, {}).problems;
  const { ruleId, evidence } = problem.finding;
  const estimate = estimateOf(ruleId, evidence);
  return explanationOfFinding({ problem, estimate, page: pageOf(ruleId), cwd });
}

function pageOf(ruleId: string): string {
  return packageFile(`rules/${ruleId}/README.md`) ?? '';
}
