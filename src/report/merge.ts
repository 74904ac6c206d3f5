import type { Log, Result, Run } from 'sarif';
import { type JsonReport, jsonText, jsonVersion } from './json.ts';
import { byRank, costMsOf, distinct, measuredRank, type Rank } from './order.ts';
import { sarifText } from './sarif.ts';
import { mistakeIn } from './shard.ts';

/** The reports of a run's parts as one report, the same for every order of the parts. */
export type Merged =
  | {
      readonly text: string;
      readonly ranks: readonly Rank[];
      readonly hasFailure: boolean;
      /** How many findings the text does not have, because a service would refuse it whole. */
      readonly leftOut: number;
    }
  | { readonly mistake: string };

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** All JSON, or all SARIF, as `check` writes them. */
export function mergedReport(given: readonly NamedText[]): Merged {
  const reports = given.map(({ text }) => parsed(text));
  const stranger = given.find((_, i) => !isJson(reports[i]) && !isSarif(reports[i]));
  if (stranger) return { mistake: `${stranger.name} is no JSON or SARIF of this deadtime` };
  const json = reports.filter(isJson);
  const runs = reports.filter(isSarif).flatMap((it) => it.runs);
  if (json.length > 0 && runs.length > 0) return { mistake: 'JSON and SARIF do not mix' };
  const mistake = mistakeIn([...json.map((it) => it.shard), ...runs.map(shardOf)]);
  if (mistake !== undefined) return { mistake };
  return json.length > 0 ? mergedJson(json) : mergedRuns(runs);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson(report: unknown): report is JsonReport {
  const { version, findings } = (report ?? {}) as Partial<JsonReport>;
  return version === jsonVersion && Array.isArray(findings);
}

function isSarif(report: unknown): report is Log {
  const { version, runs } = (report ?? {}) as Partial<Log>;
  return version === '2.1.0' && !!runs?.every((it) => it.tool?.driver?.name === 'deadtime');
}

function mergedJson(reports: readonly JsonReport[]): Merged {
  const ranked = reports
    .flatMap((it) => it.findings)
    .map((it) => ({ it, rank: rankOfFinding(it) }))
    .sort((a, b) => byRank(a.rank, b.rank));
  const notices = distinct(reports.flatMap((it) => it.notices));
  const sum = (name: keyof JsonReport['stats']) =>
    reports.reduce((total, it) => total + it.stats[name], 0);
  return {
    text: jsonText({
      version: jsonVersion,
      findings: ranked.map(({ it }) => it),
      notices,
      stats: {
        files: sum('files'),
        parsedFiles: sum('parsedFiles'),
        lines: sum('lines'),
        baselined: sum('baselined'),
      },
    }),
    ranks: ranked.map(({ rank }) => rank),
    hasFailure: notices.some((it) => it.reason === 'rule-failure'),
    leftOut: 0,
  };
}

function rankOfFinding(it: JsonReport['findings'][number]): Rank {
  return {
    ...it,
    measured: measuredRank(it.measuredInProgram),
    costMs: costMsOf(it.evidence),
  };
}

function mergedRuns(runs: readonly Run[]): Merged {
  const [first] = runs;
  if (!first || runs.some((it) => JSON.stringify(it.tool) !== JSON.stringify(first.tool))) {
    return { mistake: 'the reports come from different versions or different rules' };
  }
  const ranked = runs
    .flatMap((it) => it.results ?? [])
    .map((it) => ({ it, rank: rankOfResult(it) }))
    .sort((a, b) => byRank(a.rank, b.rank));
  const invocations = runs.flatMap((it) => it.invocations ?? []);
  const executionSuccessful = invocations.every((it) => it.executionSuccessful);
  const notifications = invocations.flatMap((it) => it.toolExecutionNotifications ?? []);
  const leftOutBefore = runs.reduce((sum, it) => sum + leftOutOf(it), 0);
  const { properties: _, ...run } = first;
  const merged = {
    ...run,
    invocations: [
      { executionSuccessful, toolExecutionNotifications: [...distinct(notifications)] },
    ],
    results: ranked.map(({ it }) => it),
  };
  return {
    ...sarifText(merged, leftOutBefore),
    ranks: ranked.map(({ rank }) => rank),
    hasFailure: !executionSuccessful,
  };
}

function shardOf({ properties }: Run): string | undefined {
  return properties?.['shard'] as string | undefined;
}

function leftOutOf({ properties }: Run): number {
  return (properties?.['leftOut'] as number | undefined) ?? 0;
}

function rankOfResult({ ruleId = '', properties, locations }: Result): Rank {
  const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
  const {
    severity,
    context,
    costMs = 0,
    measuredInProgram,
  } = properties as Omit<Rank, 'costMs'> & {
    costMs?: number;
    measuredInProgram?: Parameters<typeof measuredRank>[0];
  };
  return {
    ...{ ruleId, severity, context, costMs, measured: measuredRank(measuredInProgram) },
    file: decodeURIComponent(artifactLocation?.uri ?? ''),
    line: region?.startLine ?? 0,
    column: region?.startColumn ?? 0,
  };
}
