import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type {
  ArtifactLocation,
  CodeFlow,
  Fix,
  Location,
  Log,
  Notification,
  ReportingDescriptor,
  Result,
  Run,
} from 'sarif';
import { gravestOf, type Rule, type Severity } from '../../rules/define-rule.ts';
import type { Notice, Problem, RelatedPlace, TitledSuggestion } from '../scan/problem.ts';
import { timesOf } from '../runtime/recording.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { fixOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { measuredFields } from './measured.ts';
import { byCost, costMsOf, distinct } from './order.ts';
import { shownPath } from './path.ts';
import { shardText } from './shard.ts';
import { ownCommand } from '../system/own-command.ts';

/** Code scanning refuses a run with more. */
const mostResults = 25_000;
/** It refuses what is larger after gzip. */
const mostBytes = 10_000_000;
/** It refuses a result with more than a thousand, and shows a hundred. */
const mostPlaces = 100;

/** SARIF 2.1.0 for code scanning, worst first; paths are relative to the repository's top. */
export function sarifReport(result: ScanResult, context: ReportContext): string {
  const problems = result.problems.toSorted(byCost);
  const run = {
    tool: {
      driver: {
        name: 'deadtime',
        semanticVersion: context.version,
        rules: context.rules.map((it) => descriptorOf(it, context)),
      },
    },
    columnKind: 'utf16CodeUnits' as const,
    originalUriBaseIds: { [top]: { description: { text: 'The root of the repository.' } } },
    invocations: [
      {
        executionSuccessful: !result.notices.some((it) => it.reason === 'rule-failure'),
        toolExecutionNotifications: [
          ...distinct(result.notices.map((it) => notificationOf(it, context))),
        ],
      },
    ],
    results: problems.map((it) => resultOf(it, context)),
    ...(context.shard && { properties: { shard: shardText(context.shard) } }),
  };
  const { text, leftOut } = sarifText(run);
  if (leftOut > 0) context.onLeftOut?.('sarif', leftOut);
  return text;
}

/**
 * `results` are sorted: the last ones, with which a service would reject the whole, are omitted and counted, together with
 * those in `leftOutBefore`.
 */
export function sarifText(
  run: Run & { readonly results: readonly Result[] },
  leftOutBefore = 0,
): { readonly text: string; readonly leftOut: number } {
  let count = Math.min(run.results.length, mostResults);
  for (;;) {
    const leftOut = leftOutBefore + run.results.length - count;
    const properties = { ...run.properties, ...(leftOut > 0 && { leftOut }) };
    const log: Log = {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          ...run,
          results: run.results.slice(0, count),
          ...(Object.keys(properties).length > 0 && { properties }),
        },
      ],
    };
    const text = `${JSON.stringify(log, undefined, 2)}\n`;
    const bytes = text.length > mostBytes ? gzipSync(text).byteLength : 0;
    if (bytes <= mostBytes || count === 0) return { text, leftOut };
    count = Math.floor(count * Math.min(0.9, mostBytes / bytes));
  }
}

/** The name of the repository's root in code scanning. */
const top = '%SRCROOT%';

const levels = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
} as const satisfies Record<Severity, Result.level>;

function descriptorOf(rule: Rule, { pageOf }: ReportContext): ReportingDescriptor {
  const { id, description } = rule;
  const proof = ownCommand(`prove ${id}`);
  const page = (pageOf(id) ?? `# ${id}\n\n${description}.`)
    .replaceAll(/<!--.*?-->\n*/gs, '')
    .trim();
  const gravest = gravestOf(rule, 'audit');
  return {
    id,
    shortDescription: { text: `${description}.` },
    fullDescription: { text: `${description}.` },
    help: {
      text: `${description}. Prove it: ${proof}`,
      markdown: `${page}\n\nProve it: \`${proof}\``,
    },
    ...(gravest ? { defaultConfiguration: { level: levels[gravest] } } : {}),
    properties: { tags: ['performance', 'nodejs'], precision: 'high' },
  };
}

function resultOf(problem: Problem, context: ReportContext): Result {
  const { finding, path, message, cost, related, suggestions, fingerprint, measured } = problem;
  const { ruleId, severity, confidence } = finding;
  // 0 stands for an unresolved cost, and would be read as free.
  const costMs = costMsOf(finding.evidence);
  const file = shownPath(path, context.root);
  const proof = proofCommand(file, problem);
  const places = related.slice(0, mostPlaces);
  const steps = places.filter((it) => it.isStep);
  const ways = suggestions.filter((it) => !it.isNote);
  const { kind, safety, steps: advice, verify } = fixOf(problem, file);
  return {
    ruleId,
    ruleIndex: context.rules.findIndex((it) => it.id === ruleId),
    level: levels[severity],
    message: { text: sarifMessage(`${message} Prove it: ${proof}`) },
    locations: [locationOf(problem, context)],
    partialFingerprints: { 'deadtime/v1': fingerprint },
    ...(places.length > 0 && {
      relatedLocations: places.map((it, id) => ({ id, ...locationOf(it, context) })),
    }),
    ...(steps.length > 0 && { codeFlows: [flowOf([problem, ...steps], context)] }),
    ...(ways.length > 0 && { fixes: ways.map((it) => fixFor(it, path, context)) }),
    // It has to be positive.
    ...(measured?.state === 'measured' &&
      timesOf(measured) > 0 && { occurrenceCount: timesOf(measured) }),
    properties: {
      ...{ severity, confidence, context: problem.context },
      ...(costMs > 0 && { costMs }),
      ...(cost !== undefined && { cost }),
      ...{ proof, fix: { kind, safety, steps: advice, verify } },
      ...(measured && { measuredInProgram: measuredFields(measured) }),
    },
  };
}

/** From the finding on, in the order in which the code runs. */
function flowOf(
  places: readonly Pick<RelatedPlace, 'path' | 'start' | 'end' | 'message'>[],
  context: ReportContext,
): CodeFlow {
  const locations = places.map((it) => ({ location: locationOf(it, context) }));
  return { threadFlows: [{ locations }] };
}

function locationOf(
  { path, start, end, message }: Pick<RelatedPlace, 'path' | 'start' | 'end' | 'message'>,
  context: ReportContext,
): Location {
  return {
    physicalLocation: {
      artifactLocation: artifactOf(path, context),
      region: {
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
      },
    },
    message: { text: sarifMessage(message) },
  };
}

function fixFor({ title, edits }: TitledSuggestion, path: string, context: ReportContext): Fix {
  const replacements = edits.map(({ range: [start, end], text }) => ({
    deletedRegion: { charOffset: start, charLength: end - start },
    insertedContent: { text },
  }));
  return {
    description: { text: sarifMessage(title) },
    artifactChanges: [{ artifactLocation: artifactOf(path, context), replacements }],
  };
}

function notificationOf({ path, reason, message }: Notice, context: ReportContext): Notification {
  return {
    descriptor: { id: reason },
    level: reason === 'rule-failure' ? 'error' : 'warning',
    // The stack of a rule that failed names places of one machine.
    message: { text: sarifMessage(message.split('\n')[0]!) },
    locations: [{ physicalLocation: { artifactLocation: artifactOf(path, context) } }],
  };
}

function artifactOf(path: string, { root }: ReportContext): ArtifactLocation {
  const shown = shownPath(path, root);
  if (isAbsolute(shown)) return { uri: pathToFileURL(path).href };
  const uri = shown
    .split('/')
    .map((it) => encodeURIComponent(it.toWellFormed()))
    .join('/');
  return { uri, uriBaseId: top };
}

/** Text in brackets before parentheses would be a link. */
function sarifMessage(text: string): string {
  return text.includes('](') ? text.replaceAll('[', '\\[') : text;
}
