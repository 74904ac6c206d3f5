import type { CodeLens, Command, InlayHint, Position } from 'vscode-languageserver/node';
import { measuredLabel } from '../src/report/measured.ts';
import { byCost } from '../src/report/order.ts';
import type { FindingCommand } from './actions.ts';
import type { FindingId, ProofState } from './protocol.ts';
import type { DocumentProblem, Standing } from './to-lsp.ts';

export interface LensOptions {
  readonly maxSeconds: number;
  standingOf(problem: DocumentProblem['problem']): Standing;
  commandOf(name: FindingCommand, title: string, id: FindingId): Command | undefined;
}

export interface HintOptions extends Pick<LensOptions, 'standingOf'> {
  /** The end of the line in which a finding starts. */
  endOfLine(place: DocumentProblem['place']): Position;
}

/**
 * One lens per function, above its costliest finding, and one above each finding with a proof or a cost in the user's program. Its title
 * is that cost, and the state of the finding's proof.
 */
export function lensesFor(findings: readonly DocumentProblem[], options: LensOptions): CodeLens[] {
  const costliest = costliestByFunction(findings);
  const shown = findings.filter(
    (it) =>
      costliest.has(it) ||
      it.problem.measured?.state === 'measured' ||
      options.standingOf(it.problem).state !== 'estimated',
  );
  return shown.flatMap(({ problem, place }) => {
    const id = { uri: place.uri, fingerprint: problem.fingerprint };
    const range = { start: place.range.start, end: place.range.start };
    const cost = problem.measured ? [measuredLabel(problem.measured)] : [];
    return titlesOf(options.standingOf(problem), options).flatMap(
      ([name, title], i): CodeLens[] => {
        const whole = i === 0 ? [...cost, title].join(' · ') : title;
        const command = options.commandOf(name, whole, id);
        return command ? [{ range, command }] : [];
      },
    );
  });
}

function costliestByFunction(findings: readonly DocumentProblem[]): ReadonlySet<DocumentProblem> {
  const byUnit = new Map<string, DocumentProblem>();
  for (const it of findings.toSorted((a, b) => byCost(a.problem, b.problem))) {
    const key = it.problem.unit.join(' ');
    if (!byUnit.has(key)) byUnit.set(key, it);
  }
  return new Set(byUnit.values());
}

function titlesOf(
  { state, summary: whole = '', needs, neededSeconds }: Standing,
  { maxSeconds }: Pick<LensOptions, 'maxSeconds'>,
): readonly (readonly [FindingCommand, string])[] {
  const summary = firstSentence(whole);
  const report = ['openReport', 'Report'] as const;
  const again = ['prove', '↻ Prove again'] as const;
  const install = ['installNeeds', '▷ Install the missing parts, and prove it'] as const;
  switch (state) {
    case 'estimated':
      return [['prove', `▷ Prove it (${maxSeconds} s at most)`]];
    case 'measuring':
      return [['cancelProof', 'Measuring… Cancel']];
    case 'proven':
      return [['openReport', summary], report, again];
    case 'not-reproduced':
      return [['openReport', `Not reproduced here: ${summary}`], report, again];
    case 'cannot-prove':
      return [
        ...(needs.some((it) => it.command !== undefined) ? [install] : []),
        neededSeconds === undefined
          ? ['prove', `Cannot be proved here: ${summary} ↻`]
          : [
              'prove',
              `Exceeded its time. ▷ Prove it (${Math.max(maxSeconds, neededSeconds)} s at most)`,
            ],
      ];
    case 'cancelled':
      return [['prove', '▷ Cancelled. Prove it']];
    case 'stale':
      return [['openReport', `Stale, the code has changed: ${summary}`], report, again];
  }
}

/** The states whose summary is a result; that of another is why there is none. */
const MEASURED: ReadonlySet<ProofState> = new Set(['proven', 'not-reproduced', 'stale']);

/** At the end of the line of each finding its cost: as measured in the user's program, or by a proof, else from the code. */
export function hintsFor(
  findings: readonly DocumentProblem[],
  { standingOf, endOfLine }: HintOptions,
): InlayHint[] {
  return findings.flatMap(({ problem, place }): InlayHint[] => {
    const { state, summary } = standingOf(problem);
    const isMeasured = summary !== undefined && MEASURED.has(state);
    const inProof = isMeasured ? firstSentence(summary) : problem.cost;
    const { measured } = problem;
    const label = measured?.state === 'measured' ? measuredLabel(measured) : inProof;
    if (label === undefined) return [];
    const position = endOfLine(place);
    return [{ position, label, paddingLeft: true, tooltip: problem.message }];
  });
}

/** A lens and a hint have one line. */
function firstSentence(text: string): string {
  return /^.+?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}
