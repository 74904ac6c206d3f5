import { type Explanation, explanationText } from '../report/explanation.ts';
import type { ToolAnswer } from './answer.ts';
import { placeInside, type Workspace } from './workspace.ts';

/** `id` is a finding's, or a rule's. */
export async function explainFinding(
  id: string,
  workspace: Workspace,
  explain: (name: string, cwd: string) => Promise<Explanation>,
): Promise<ToolAnswer> {
  const place = placeInside(workspace, id);
  const explanation = await explain(place ?? id, workspace.cwd);
  return {
    text: explanationText(explanation, { hasColors: false }).trim(),
    data: { ...explanation },
  };
}
