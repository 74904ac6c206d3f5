import type { MessagePort } from 'node:worker_threads';
import type { Watch } from '../scan/watch.ts';
import type { ToolAnswer } from './answer.ts';
import { checkCode, type CheckInput } from './check-code.ts';
import { type Explain, explainFinding } from './explain-finding.ts';
import { measuredWaits } from './measured-waits.ts';
import { workspaceAt } from './workspace.ts';

/** A call of a tool, in a message to a thread. */
export type ToolCall =
  | { readonly tool: 'check_code'; readonly input: CheckInput }
  | { readonly tool: 'explain_finding'; readonly id: string }
  | { readonly tool: 'measured_waits' };

export type CallAnswer = ToolAnswer | { readonly failure: string };

/** The options that are the same for every call. */
export interface CallScope {
  /** An absolute folder of the project. */
  readonly folder: string;
  /** Whether configuration of the project that is code is run. */
  readonly trustsConfiguration: boolean;
}

export interface CallOptions extends CallScope {
  readonly watch: Watch;
  /** An explanation of a rule, or of the finding at a place, or of why there is none. Throws where there is no such place or rule. */
  explain: Explain;
}

/** Answers calls one at a time. */
export function answerCalls(port: MessagePort, options: CallOptions): void {
  const workspace = workspaceAt(options.folder);
  const { watch, trustsConfiguration } = options;
  const answerTo = async (call: ToolCall): Promise<ToolAnswer> => {
    watch.begin('');
    switch (call.tool) {
      case 'check_code':
        return checkCode(call.input, workspace, { watch, trustsConfiguration });
      case 'explain_finding':
        return explainFinding(call.id, workspace, options.explain);
      case 'measured_waits':
        return measuredWaits(workspace);
    }
  };
  port.on('message', (call: ToolCall) => {
    void answerTo(call)
      .catch((error: unknown) => ({
        failure: error instanceof Error ? error.message : String(error),
      }))
      .then((answer: CallAnswer) => port.postMessage(answer));
  });
}
