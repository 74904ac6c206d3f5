import type { MeasuredAwait } from '../analysis/coverage/measured-awaits.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { functionAround, isFunction, type Node } from '../analysis/syntax/ast.ts';
import { endsAt, rangeOf, startsAt } from '../analysis/syntax/places.ts';
import type { Finding } from '../../rules/define-rule.ts';
import type { FileProbes, PlannedFinding } from '../runtime/plan.ts';
import { fingerprintsOf, unitAround } from './fingerprint.ts';
import { nodeFinder } from './node-finder.ts';
import { textPlacesIn } from './text-places.ts';

export interface Measurable extends Pick<FileProbes, 'sites' | 'pools'> {
  /** Those of the sites, in their order. */
  readonly awaits: readonly MeasuredAwait[];
}

/** The findings at whose places a running program is measured; `findings` are all of the file, since a fingerprint counts them. */
export function plannedFindingsOf(
  file: FileFacts,
  findings: readonly Finding[],
  measurable: Measurable,
): readonly PlannedFinding[] {
  if (findings.length === 0) return [];
  const nodeAt = nodeFinder(file.ast);
  const fingerprints = fingerprintsOf(findings, nodeAt);
  const places = textPlacesIn(file.text);
  return findings.flatMap(({ range }, i): PlannedFinding[] => {
    const node = nodeAt(range);
    const unit = unitAround(node);
    const own = sitesAt(range, measurable.awaits, scopeAt(node));
    const pool = measurable.pools.findIndex((it) => range[0] <= it.start && it.end <= range[1]);
    if (own.length === 0 && pool === -1) return [];
    return [
      {
        fingerprint: fingerprints[i]!,
        words: places.wordsBefore(range[0], rangeOf(unit)),
        ...(places.isCopied(rangeOf(unit)) && { isCopied: true }),
        sites: withRuns(own, measurable),
        ...(pool !== -1 && { pool }),
      },
    ];
  });
}

/** The places, in the awaits, of those that findings are about. */
export function placesOf(
  file: FileFacts,
  findings: readonly Finding[],
  awaits: Measurable['awaits'],
): ReadonlySet<number> {
  if (findings.length === 0) return new Set();
  const nodeAt = nodeFinder(file.ast);
  return new Set(findings.flatMap(({ range }) => sitesAt(range, awaits, scopeAt(nodeAt(range)))));
}

function scopeAt(node: Node): MeasuredAwait['scope'] {
  const unit = unitAround(node);
  return isFunction(unit) ? unit : functionAround(node);
}

/** The await that waits for what the finding is about: the innermost around it, or else those in it. */
function sitesAt(
  [start, end]: readonly [number, number],
  awaits: Measurable['awaits'],
  scope: MeasuredAwait['scope'],
): readonly number[] {
  const own = awaits.flatMap((it, i) =>
    it.scope === scope ? [{ i, start: startsAt(it.node), end: endsAt(it.node) }] : [],
  );
  const around = own.filter((it) => it.start <= start && end <= it.end);
  const innermost = around.toSorted((a, b) => b.start - a.start)[0];
  if (innermost) return [innermost.i];
  const inside = own.filter((it) => start <= it.start && it.end <= end);
  return inside
    .filter((it) => !inside.some((other) => other.start < it.start && it.end < other.end))
    .map((it) => it.i);
}

/** A finding about reads in sequence is about all of them. */
function withRuns(own: readonly number[], { sites }: Measurable): readonly number[] {
  const runs = new Set(own.flatMap((i) => sites[i]!.run?.id ?? []));
  if (runs.size === 0) return own;
  return sites.flatMap(({ run }, i) => (own.includes(i) || (run && runs.has(run.id)) ? [i] : []));
}
