import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { unresolvedIn } from '../behaviour/behaviour.ts';
import { isExcluded } from '../contexts/contexts.ts';
import { isOfPages } from '../contexts/pages.ts';
import { declaredFunctionAt } from '../provenance/declarations.ts';
import type { Place } from '../file/place.ts';
import type { FileFacts } from '../file/file.ts';
import { functionAround } from '../syntax/ast.ts';
import { type Root, rootOf } from './roots.ts';

/** An await with unresolved effects, and what keeps them from being resolved. */
export interface HiddenAwait {
  readonly node: TSESTree.AwaitExpression;
  readonly root: Root;
  /** The call or other expression with unresolved effects, in this file or another. */
  readonly place: Place;
}

/** How much of what a file waits for is understood. */
export interface AwaitCoverage {
  /** All awaited expressions, without those of code in which rules report nothing: tests, scripts, pages. */
  readonly awaits: number;
  readonly hidden: readonly HiddenAwait[];
}

/** An await is understood when its effects are resolved, or when it has none, and nothing on the way is unresolved. */
export function awaitCoverageOf(file: FileFacts): AwaitCoverage {
  const awaits = awaitsOf(file);
  const hidden = awaits.flatMap((node): HiddenAwait[] => {
    const hidden = hiddenAwait(file, node);
    return hidden ? [hidden] : [];
  });
  return { awaits: awaits.length, hidden };
}

/** The same of one await of `step`: of how many, and how many of these are not understood. */
export interface AwaitSample {
  readonly asked: number;
  readonly hidden: number;
  /** The packages without a model that hide some of them, by name; absent where none does. */
  readonly packages?: readonly PackageCount[];
}

/** How many awaits of a sample a package hides. */
export interface PackageCount {
  readonly name: string;
  readonly awaits: number;
}

export function awaitSampleOf(file: FileFacts, step: number): AwaitSample {
  // Small files have few awaits: not always the first is asked.
  const awaits = awaitsOf(file).filter((_, i) => (i + file.text.length) % step === 0);
  const roots = awaits.flatMap((it) => hiddenAwait(file, it)?.root ?? []);
  const unsupported = roots.filter((it) => it.cause === 'package' && !it.isPart);
  const packages = summed(unsupported.map(({ name }) => ({ name, awaits: 1 })));
  return {
    asked: awaits.length,
    hidden: roots.length,
    ...(packages.length > 0 && { packages }),
  };
}

/** Several samples as one. */
export function joinedSamples(samples: readonly AwaitSample[]): AwaitSample {
  const sum = (name: 'asked' | 'hidden') => samples.reduce((all, it) => all + it[name], 0);
  const packages = samples.flatMap((it) => it.packages ?? []);
  return { asked: sum('asked'), hidden: sum('hidden'), packages: summed(packages) };
}

/** The packages that hide most come first; of as many, the alphabet decides. */
function summed(counts: readonly PackageCount[]): readonly PackageCount[] {
  const all = new Map<string, number>();
  for (const { name, awaits } of counts) all.set(name, (all.get(name) ?? 0) + awaits);
  return Array.from(all, ([name, awaits]) => ({ name, awaits })).sort(
    (a, b) => b.awaits - a.awaits || (a.name < b.name ? -1 : 1),
  );
}

function awaitsOf(file: FileFacts): readonly TSESTree.AwaitExpression[] {
  const awaits = file.nodes.all('AwaitExpression');
  // no veto: no report depends on it; test/coverage.test.ts has both.
  if (awaits.length === 0 || isExcluded(file)) return [];
  return awaits.filter((it) => !isOfPages(file, it));
}

const hiddenAwait = query(
  'hidden await',
  (file: FileFacts, node: TSESTree.AwaitExpression): HiddenAwait | undefined => {
    const around = functionAround(node);
    // no veto: no report depends on it; what a declaration states of the function holds in place of its body.
    if (around && declaredFunctionAt(file, around)) return undefined;
    const place = unresolvedIn(file, node, around ?? file.ast);
    return place && { node, place, root: rootOf(place) };
  },
  { whileCyclic: undefined, isCompared: false },
);
