import { estimateOf } from '../../benchmarks/estimate.ts';
import {
  explanationOfFinding,
  explanationOfRule,
  explanationText,
} from '../../report/explanation.ts';
import { findingAt } from '../finding-at.ts';
import { packageFile } from '../package.ts';
import { ruleNamed } from '../rule-names.ts';

/** One screen on a rule, or on the finding at `file:line`. */
export async function explanation(
  name: string,
  options: { readonly hasColors: boolean },
): Promise<string> {
  const cwd = process.cwd();
  const found = await findingAt(name, cwd);
  if (!found) {
    const rule = ruleNamed(name);
    return explanationText(explanationOfRule(rule, pageOf(rule.id)), options);
  }
  const { problem } = found;
  const { ruleId, evidence } = problem.finding;
  const content = { problem, estimate: estimateOf(ruleId, evidence), page: pageOf(ruleId), cwd };
  return explanationText(explanationOfFinding({ ...content, isOnDisk: true }), options);
}

function pageOf(ruleId: string): string {
  return packageFile(`rules/${ruleId}/README.md`) ?? '';
}
