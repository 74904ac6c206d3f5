import { rules } from '../../rules/index.ts';
import { isExcluded } from '../analysis/contexts/contexts.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { startsAt } from '../analysis/syntax/places.ts';
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

/** What the traced sources call when a condition ends a candidate: its words, and what its function was given. */
interface Traced {
  vetoed?: (words: string, given: readonly unknown[]) => void;
}

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
  const reached = new Map<string, Set<string>>();
  (globalThis as Traced).vetoed = (words, given) => {
    const file = modules.factsAt(path);
    if (ruleId === '' || !file || !given.some((it) => startsOn(it, file, line))) return;
    const conditions = reached.get(ruleId) ?? new Set();
    reached.set(ruleId, conditions.add(words));
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
    silent: Array.from(reached, ([id, conditions]) => ({
      ruleId: id,
      conditions: [...conditions],
    })),
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

function startsOn(it: unknown, file: FileFacts, line: number, depth = 0): boolean {
  if (typeof it !== 'object' || it === null || depth > DEEPEST) return false;
  if (Array.isArray(it)) return it.some((one) => startsOn(one, file, line, depth + 1));
  if ('type' in it && 'start' in it) {
    const { start } = it as { readonly start: number };
    return rootOf(it) === file.ast && lineOf(file, start) === line;
  }
  const parts = it as Readonly<Record<string, unknown>>;
  return PARTS.some((part) => startsOn(parts[part], file, line, depth + 1));
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
