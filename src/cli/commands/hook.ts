import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { review } from '../../scan/review/review.ts';
import { editedFiles } from '../../scan/review/sources.ts';
import { pathInside, Refusal, type Workspace, workspaceAt } from '../../mcp/workspace.ts';
import { agentReport } from '../../report/agent.ts';
import { byCost } from '../../report/order.ts';
import { noticeLines } from '../../report/text.ts';
import { visible, visibleLines } from '../../report/visible.ts';
import { rules } from '../../../rules/index.ts';
import { baselineIn, comparedWith } from '../../scan/baseline.ts';
import { buildOfDeadtime } from '../../scan/cache/build.ts';
import { createClock } from '../../scan/clock.ts';
import { configurationsOf } from '../../scan/configuration.ts';
import { isCode } from '../../scan/language.ts';
import { isLeftOut } from '../../scan/left-out.ts';
import type { Notice } from '../../scan/problem.ts';
import { knownNamesOf } from '../cache.ts';
import { hookCallFrom } from '../hook/hook-call.ts';
import { memoryIn } from '../hook/memory.ts';
import { saidIn } from '../hook/said.ts';
import { timeLimit } from '../time-limit.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import { userCacheFolder } from '../../system/own-files.ts';

/** What agents make of an exit code: a failure goes to the log, feedback to the model. */
const hookCodes = { clean: 0, failed: 1, feedback: 2 } as const;

/** What one file may take: a hundred times what most take, and less than the 30 s after which an agent gives up on a hook. */
const LIMIT_SECONDS = 20;

/** An agent does not fix more than that in one step; the rest comes after its next edit. */
const MOST = 10;

/** Answers an agent that has used a tool: feedback on stderr about what its edits brought, or nothing. */
export async function hook(options: TrustOption = {}): Promise<number> {
  try {
    return await answered(readFileSync(0, 'utf8'), options);
  } catch (error) {
    // An error of Deadtime must not stop the agent.
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function answered(input: string, options: TrustOption): Promise<number> {
  const call = hookCallFrom(input);
  if (!call) return failed('standard input holds no JSON object of an agent’s hook');
  const workspace = workspaceAt(call.cwd ?? process.cwd());
  const { cwd, root } = workspace;
  const edited = call.files.flatMap((it) => insideOf(workspace, it)).filter(isCode);
  const [first] = edited;
  if (first === undefined) return hookCodes.clean;

  const watch = timeLimit(cwd, LIMIT_SECONDS);
  watch.begin(first);
  const disk = await diskFor(options);
  const set = watch.run(() => editedFiles(root, edited, disk));
  const result = await review(set, {
    rules,
    configurations: configurationsOf(rules, {}, set.after, root),
    clock: createClock(),
    followsImports: false,
    watch,
    knownNames: knownNamesOf(root),
    memory: memoryIn(join(userCacheFolder(), 'before'), buildOfDeadtime()),
  });
  const { problems } = result;
  const leftOut = result.notices.filter(isLeftOut);
  if (problems.length + leftOut.length === 0) return hookCodes.clean;
  const { fresh } = watch.run(() =>
    comparedWith(baselineIn(root), problems, { root, scanned: new Set(edited) }),
  );
  const said = saidIn(join(userCacheFolder(), 'hook'), `${root}\0${call.session ?? ''}`);
  const news = fresh.filter(({ fingerprint }) => !said.has(fingerprint)).toSorted(byCost);
  const unread = leftOut.filter((it) => !said.has(saidOf(it)));
  if (news.length + unread.length === 0) return hookCodes.clean;
  const shown = news.slice(0, MOST);
  said.add([...shown.map((it) => it.fingerprint), ...unread.map(saidOf)]);
  if (shown.length > 0) process.stderr.write(agentReport({ problems: shown }, { cwd }));
  for (const it of noticeLines(unread, cwd)) process.stderr.write(it);
  return hookCodes.feedback;
}

/** Silence about a file would read as praise: an ignored file is reported once, as a finding is. */
function saidOf({ path, reason }: Notice): string {
  return JSON.stringify([reason, path]);
}

function insideOf(workspace: Workspace, path: string): readonly string[] {
  try {
    return [pathInside(workspace, path)];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { root } = workspace;
    process.stderr.write(`deadtime: ${visible(path)} is outside of ${root}: not scanned\n`);
    return [];
  }
}

function failed(message: string): number {
  process.stderr.write(`deadtime hook: ${visibleLines(message)}\n`);
  return hookCodes.failed;
}
