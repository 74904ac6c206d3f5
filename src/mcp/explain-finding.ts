import { type Explanation, explanationText } from '../report/explanation.ts';
import type { ToolAnswer } from './answer.ts';
import { placeInside, type Workspace } from './workspace.ts';

/** Why a place has no finding, as a text. */
export interface Silence {
  readonly silence: string;
}

export type Explain = (name: string, cwd: string) => Promise<Explanation | Silence>;

/** `id` is a finding's, a place without a finding, or a rule's. */
export async function explainFinding(
  id: string,
  workspace: Workspace,
  explain: Explain,
): Promise<ToolAnswer> {
  const place = placeInside(workspace, id);
  const explanation = await explain(place ?? id, workspace.cwd);
  if ('silence' in explanation) return { text: explanation.silence.trim(), data: {} };
  return {
    text: explanationText(explanation, { hasColors: false }).trim(),
    data: { ...explanation },
  };
}
