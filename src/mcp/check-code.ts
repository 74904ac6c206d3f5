import { changeSetOf } from '../scan/review/change-set.ts';
import { review } from '../scan/review/review.ts';
import { disk, listedIn } from '../project/files.ts';
import { agentReport } from '../report/agent.ts';
import { measuredText } from '../report/measured.ts';
import { withCommas } from '../report/counts.ts';
import { byCost } from '../report/order.ts';
import { shownPath } from '../report/path.ts';
import { noticeLine } from '../report/text.ts';
import { rules } from '../../rules/index.ts';
import { createClock } from '../scan/clock.ts';
import { withMeasured } from '../scan/measured-costs.ts';
import { configurationsOf, mistakesFor } from '../scan/configuration.ts';
import { trusting } from '../scan/configuration-program.ts';
import { filesOf } from '../scan/files.ts';
import type { Problem } from '../scan/problem.ts';
import type { Watch } from '../scan/watch.ts';
import { projectModules } from '../scan/project.ts';
import { type ScanResult, scanFiles, scannersOf } from '../scan/scan-files.ts';
import type { ToolAnswer } from './answer.ts';
import { pathInside, Refusal, type Workspace } from './workspace.ts';

export interface CheckInput {
  /** Files and folders; with `code`, the one file whose text it is. */
  readonly paths?: readonly string[] | undefined;
  /** A text to check instead of the file on disk. */
  readonly code?: string | undefined;
  /** A unified diff, applied or not: only its findings. */
  readonly diff?: string | undefined;
  /** The most findings to answer with. */
  readonly max: number;
}

export interface CheckOptions {
  readonly watch: Watch;
  /** Whether configuration of the project that is code is run. */
  readonly trustsConfiguration: boolean;
}

/** Where a call looks: as it is during this one, since files change between two. */
interface Scope extends Workspace {
  readonly watch: Watch;
  /** The disk where it is undefined. */
  readonly files: ReturnType<typeof trusting> | undefined;
}

/** Findings, worst first, each with the id that the other tools take. */
export async function checkCode(
  input: CheckInput,
  workspace: Workspace,
  { watch, trustsConfiguration }: CheckOptions,
): Promise<ToolAnswer> {
  const scope = { ...workspace, watch, files: trustsConfiguration ? trusting() : undefined };
  const { result, remarks, textOf } = await scanOf(input, scope);
  const { cwd } = workspace;
  const measured = withMeasured(result.problems, cwd, textOf);
  const all = measured.problems.toSorted(byCost);
  const problems = all.slice(0, input.max);
  const isTruncated = all.length > problems.length;
  const notices = shownNotices([
    ...(measured.mistake === undefined ? [] : [measured.mistake]),
    ...remarks,
    ...result.notices.map((it) => noticeLine(it, cwd).trim()),
  ]);
  const more = `${all.length - problems.length} more are omitted: name fewer paths, or raise max.`;
  return {
    text: [
      agentReport({ problems, notices: result.notices }, { cwd }).trim(),
      ...(isTruncated ? [more] : []),
      ...notices,
    ].join('\n'),
    data: {
      findings: problems.map((it) => findingOf(it, cwd)),
      total: all.length,
      truncated: isTruncated,
      ...(notices.length > 0 && { notices }),
    },
  };
}

/** Of a folder that cannot be read, every file would be a line for the model. */
const mostNotices = 20;

function shownNotices(notices: readonly string[]): readonly string[] {
  const left = notices.length - mostNotices;
  if (left <= 0) return notices;
  return [
    ...notices.slice(0, mostNotices),
    left === 1 ? '1 more file was ignored.' : `${withCommas(left)} more files were ignored.`,
  ];
}

function findingOf({ finding, path, names, message, cost, measured }: Problem, cwd: string) {
  const { ruleId, severity } = finding;
  const id = `${shownPath(path, cwd)}:${names.exact}`;
  return {
    ...{ id, rule: ruleId, severity, message },
    ...(cost !== undefined && { cost }),
    ...(measured && { measured: measuredText(measured) }),
  };
}

interface Scanned {
  readonly result: ScanResult;
  /** What was left out before the scan, and what means nothing in configurations; a sentence each. */
  readonly remarks: readonly string[];
  /** The text that was scanned. */
  textOf(path: string): string | undefined;
}

async function scanOf({ paths, code, diff }: CheckInput, scope: Scope): Promise<Scanned> {
  if (diff !== undefined) {
    if (code === undefined && paths === undefined) return scanOfDiff(diff, scope);
    throw new Refusal('A diff names its files: omit paths and code.');
  }
  return code === undefined
    ? scanOfPaths(paths ?? ['.'], scope)
    : scanOfText(code, paths?.[0] ?? 'snippet.ts', scope);
}

async function scanOfDiff(diff: string, scope: Scope): Promise<Scanned> {
  const set = changeSetOf(diff, scope.cwd, scope.files);
  for (const path of set.changes.flatMap((it) => [it.from ?? [], it.to ?? []].flat())) {
    pathInside(scope, path);
  }
  const configurations = configurationsOf(rules, {}, set.after, set.root);
  const { watch } = scope;
  const options = { rules, configurations, clock: createClock(), followsImports: true, watch };
  const changed = set.changes.flatMap((it) => it.to ?? []);
  const remarks = [...set.remarks, ...mistakesFor(changed, configurations)];
  return { result: await review(set, options), remarks, textOf: (path) => set.after.read(path) };
}

async function scanOfPaths(paths: readonly string[], scope: Scope): Promise<Scanned> {
  const inside = paths.map((it) => pathInside(scope, it));
  const list = (folder: string) => {
    scope.watch.begin(folder);
    return listedIn(folder);
  };
  const found = filesOf(inside, { cwd: scope.cwd, disk: { list } });
  if (found.missing.length > 0) {
    const missing = found.missing.map((it) => shownPath(it, scope.cwd));
    throw new Refusal(`No such file or folder: ${missing.join(', ')}`);
  }
  const options = scanOptions(scope);
  const remarks = mistakesFor(found.files, options.configurations);
  return { result: await scanFiles(found, options), remarks, textOf: disk.read };
}

function scanOfText(text: string, path: string, scope: Scope): Scanned {
  const absolute = pathInside(scope, path);
  const options = scanOptions(scope);
  scope.watch.begin(absolute);
  const result = scannersOf(options)(absolute).scan(text, absolute, { isNamed: true });
  const lines = text.split('\n').length;
  const stats = { files: 1, parsedFiles: 1, lines, spentMs: options.clock.spentMs };
  return {
    result: { ...result, stats },
    remarks: mistakesFor([absolute], options.configurations),
    textOf: (it) => (it === absolute ? text : disk.read(it)),
  };
}

/** Created for every call. */
function scanOptions({ root, files, watch }: Scope) {
  const clock = createClock();
  return {
    rules,
    configurations: configurationsOf(rules, {}, files, root),
    modules: projectModules(root, clock, files && { files }),
    ...{ clock, watch },
  };
}
