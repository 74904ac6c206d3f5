import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { userCacheFolder } from '../../benchmarks/servers/folders.ts';
import { review } from '../../changes/review.ts';
import { editedFiles } from '../../changes/sources.ts';
import { agentReport } from '../../report/agent.ts';
import { byCost } from '../../report/order.ts';
import { rules } from '../../rules/index.ts';
import { baselineIn, comparedWith } from '../../scan/baseline.ts';
import { createClock } from '../../scan/clock.ts';
import { configurationsOf } from '../../scan/configuration.ts';
import { isCode } from '../../scan/language.ts';
import { rootAround } from '../../scan/repository.ts';
import { hookCallFrom } from '../hook/hook-call.ts';
import { memoryIn } from '../hook/memory.ts';
import { saidIn } from '../hook/said.ts';

/** What agents make of an exit code: a failure goes to the log, feedback to the model. */
const hookCodes = { clean: 0, failed: 1, feedback: 2 } as const;

/** More than that an agent does not mend in one go; the rest comes after its next edit. */
const MOST = 10;

export interface HookOptions {
  /** Differs wherever our code does. Without it nothing is remembered of files before their edit. */
  readonly build?: string;
}

/** Answers an agent that has used a tool: feedback on stderr about what its edits brought, or nothing. */
export async function hook(options: HookOptions = {}): Promise<number> {
  try {
    return await answered(readFileSync(0, 'utf8'), options);
  } catch (error) {
    // Whatever is wrong with us must not stop the agent.
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function answered(input: string, { build }: HookOptions): Promise<number> {
  const call = hookCallFrom(input);
  if (!call) return failed('standard input holds no JSON object of an agent’s hook');
  const cwd = realpathSync(call.cwd ?? process.cwd());
  const root = rootAround(cwd);
  const files = call.files.map((it) => realPath(resolve(cwd, it)));
  const isInside = (path: string) => path.startsWith(join(root, '/'));
  for (const path of files.filter((it) => !isInside(it))) {
    process.stderr.write(`deadtime: ${path} lies outside of ${root}: not looked at\n`);
  }
  const edited = files.filter((it) => isInside(it) && isCode(it));
  if (edited.length === 0) return hookCodes.clean;

  const set = editedFiles(root, edited);
  const result = await review(set, {
    rules,
    configurations: configurationsOf(rules, {}, set.after),
    clock: createClock(),
    followsImports: false,
    ...(build === undefined ? {} : { memory: memoryIn(join(userCacheFolder(), 'before'), build) }),
  });
  const { problems } = result;
  if (problems.length === 0) return hookCodes.clean;
  const { fresh } = comparedWith(baselineIn(root), problems, { root, scanned: new Set(edited) });
  const said = saidIn(join(userCacheFolder(), 'hook'), `${root}\0${call.session ?? ''}`);
  const news = fresh.filter(({ fingerprint }) => !said.has(fingerprint)).toSorted(byCost);
  if (news.length === 0) return hookCodes.clean;
  const shown = news.slice(0, MOST);
  said.add(shown.map((it) => it.fingerprint));
  process.stderr.write(agentReport({ problems: shown }, { cwd }));
  return hookCodes.feedback;
}

/** Without links, as far as the file is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function failed(message: string): number {
  process.stderr.write(`deadtime hook: ${message}\n`);
  return hookCodes.failed;
}
