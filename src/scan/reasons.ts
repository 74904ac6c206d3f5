import { rules } from '../../rules/index.ts';
import { isExcluded } from '../analysis/contexts/contexts.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { isLoop, type Node } from '../analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';
import type { Files } from '../project/files.ts';
import { type Clock, createClock } from './clock.ts';
import { coverageOf, type RootPlace } from './coverage.ts';
import { isLeftOut } from './left-out.ts';
import { problemsIn } from './places.ts';
import { type Positions, positionsOf } from './positions.ts';
import { projectModules } from './project.ts';
import { rootAround } from './repository.ts';
import type { Watch } from './watch.ts';

/** What Deadtime makes of one line. */
export interface Reasons {
  /** The rules that report something there. */
  readonly reported: readonly string[];
  /** Why the file was left out, or only partly scanned. */
  readonly notices: readonly string[];
  /** A script or a page: no rule reports anything in the file. */
  readonly isExcluded: boolean;
  /** The awaits that begin on the line. */
  readonly awaits: number;
  /** What hides those of them that are not understood. */
  readonly hidden: readonly RootPlace[];
  /** By rule, the conditions that ended what it analysed there. */
  readonly silent: readonly SilentRule[];
}

export interface SilentRule {
  readonly ruleId: string;
  readonly conditions: readonly string[];
}

/**
 * What the traced sources call when a condition ends a candidate: its words, what its function was given, and whether it is one of the rules
 * and patterns; others state what code means.
 */
interface Traced {
  vetoed?: (words: string, given: readonly unknown[], isOfRules: boolean) => void;
}

/**
 * What a condition says about the line: it ended a candidate there, it ended one at a loop around it, or it only shows that the rule asked what
 * the code means.
 */
type Nearness = 'candidate' | 'loop' | 'asked';

/** How far a value is looked into: a node, an effect with its place, a list of awaits. */
const DEEPEST = 2;
const PARTS = ['node', 'call', 'at', 'loop', 'effect', 'made'] as const;

/** The place that is asked about. */
export interface AskedLine {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  readonly cwd: string;
}

/** Analyses the file, and records each condition that ends a candidate on the line: the build of `deadtime why` reports them. */
export async function reasonsOf(
  { path, line, cwd }: AskedLine,
  { files, watch }: { readonly files: Files; readonly watch: Watch },
): Promise<Reasons> {
  let ruleId = '';
  const clock = clockOfRules((it) => (ruleId = it));
  const modules = projectModules(rootAround(cwd), clock, { files });
  const reached = new Map<string, Map<Nearness, Set<string>>>();
  (globalThis as Traced).vetoed = (words, given, isOfRules) => {
    const file = modules.factsAt(path);
    if (ruleId === '' || !file) return;
    const nearness = nearnessOf(given, isOfRules, { file, line });
    if (!nearness) return;
    const own = reached.get(ruleId) ?? new Map<Nearness, Set<string>>();
    reached.set(ruleId, own.set(nearness, (own.get(nearness) ?? new Set()).add(words)));
  };
  const asked = { files, clock, modules, watch };
  const { problems, notices } = await problemsIn(path, cwd, asked);
  const found = problems.filter((it) => it.start.line === line);
  const file = modules.factsAt(path);
  const awaits = file?.nodes.all('AwaitExpression') ?? [];
  return {
    reported: [...new Set(found.map(({ finding }) => finding.ruleId))],
    notices: notices.flatMap((it) => (isLeftOut(it) && it.path === path ? it.message : [])),
    isExcluded: file !== undefined && isExcluded(file),
    awaits: awaits.filter((it) => lineOf(file!, startsAt(it)) === line).length,
    hidden: (file ? coverageOf(file).hidden : []).flatMap(({ at, root }) =>
      at.line === line ? root : [],
    ),
    silent: Array.from(reached, ([id, conditions]): SilentRule[] => {
      const isOfLine = conditions.has('candidate') || conditions.has('asked');
      const ended = conditions.get('candidate') ?? (isOfLine && conditions.get('loop'));
      const isReported = found.some(({ finding }) => finding.ruleId === id);
      return ended && !isReported ? [{ ruleId: id, conditions: [...ended] }] : [];
    }).flat(),
  };
}

/** A clock that is also asked which rule runs. */
function clockOfRules(onRule: (id: string) => void): Clock {
  const clock = createClock();
  const ids = new Set(rules.map(({ id }) => id));
  return {
    ...clock,
    measure(stage, work) {
      if (!ids.has(stage)) return clock.measure(stage, work);
      onRule(stage);
      try {
        return clock.measure(stage, work);
      } finally {
        onRule('');
      }
    },
  };
}

interface Line {
  readonly file: FileFacts;
  readonly line: number;
}

function nearnessOf(
  given: readonly unknown[],
  isOfRules: boolean,
  { file, line }: Line,
): Nearness | undefined {
  const nodes = given.flatMap((it) => nodesIn(it, file));
  if (nodes.some((it) => lineOf(file, startsAt(it)) === line))
    return isOfRules ? 'candidate' : 'asked';
  const isAround = (it: Node) =>
    isLoop(it) && lineOf(file, startsAt(it)) < line && line <= lineOf(file, endsAt(it));
  return isOfRules && nodes.some(isAround) ? 'loop' : undefined;
}

/** Those of the file in what a function was given. */
function nodesIn(it: unknown, file: FileFacts, depth = 0): readonly Node[] {
  if (typeof it !== 'object' || it === null || depth > DEEPEST) return [];
  if (Array.isArray(it)) return it.flatMap((one) => nodesIn(one, file, depth + 1));
  if ('type' in it && 'start' in it) return rootOf(it) === file.ast ? [it as unknown as Node] : [];
  const parts = it as Readonly<Record<string, unknown>>;
  return PARTS.flatMap((part) => nodesIn(parts[part], file, depth + 1));
}

const positions = new WeakMap<FileFacts, Positions>();

function lineOf(file: FileFacts, offset: number): number {
  let known = positions.get(file);
  if (!known) positions.set(file, (known = positionsOf(file.text)));
  return known.at(offset).line;
}

function rootOf(node: object): object {
  let it = node as { readonly parent?: object };
  while (it.parent) it = it.parent;
  return it;
}
