import type { CodeLens, Command, InlayHint } from 'vscode-languageserver/node';
import { byCost } from '../src/report/order.ts';
import type { FindingCommand } from './actions.ts';
import type { FindingId } from './protocol.ts';
import type { DocumentProblem, Standing } from './to-lsp.ts';

export interface LensOptions {
  readonly maxSeconds: number;
  standingOf(problem: DocumentProblem['problem']): Standing;
  commandOf(name: FindingCommand, title: string, id: FindingId): Command | undefined;
}

/** One lens per function, above its costliest finding. Its title is the state of that finding's proof. */
export function lensesFor(findings: readonly DocumentProblem[], options: LensOptions): CodeLens[] {
  return costliestByFunction(findings).flatMap(({ problem, place }) => {
    const id = { uri: place.uri, fingerprint: problem.fingerprint };
    const range = { start: place.range.start, end: place.range.start };
    return titlesOf(options.standingOf(problem), options).flatMap(([name, title]): CodeLens[] => {
      const command = options.commandOf(name, title, id);
      return command ? [{ range, command }] : [];
    });
  });
}

function costliestByFunction(findings: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const byUnit = new Map<string, DocumentProblem>();
  for (const it of findings.toSorted((a, b) => byCost(a.problem, b.problem))) {
    const key = it.problem.unit.join(' ');
    if (!byUnit.has(key)) byUnit.set(key, it);
  }
  const costliest = new Set(byUnit.values());
  return findings.filter((it) => costliest.has(it));
}

function titlesOf(
  { state, summary = '', needs, neededSeconds }: Standing,
  { maxSeconds }: Pick<LensOptions, 'maxSeconds'>,
): readonly (readonly [FindingCommand, string])[] {
  const again = ['prove', '↻ Prove again'] as const;
  const install = ['installNeeds', '▷ Install the missing parts, and prove it'] as const;
  switch (state) {
    case 'estimated':
      return [['prove', `▷ Prove it (${maxSeconds} s at most)`]];
    case 'measuring':
      return [['cancelProof', 'Measuring… Cancel']];
    case 'proven':
      return [['openReport', summary], again];
    case 'not-reproduced':
      return [['openReport', `Not reproduced here: ${summary}`], again];
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
      return [['openReport', `Stale, the code has changed: ${summary}`], again];
  }
}

/** Behind each finding its cost: as measured, else from the code. */
export function hintsFor(
  findings: readonly DocumentProblem[],
  { standingOf }: Pick<LensOptions, 'standingOf'>,
): InlayHint[] {
  return findings.flatMap(({ problem, place }): InlayHint[] => {
    const label = standingOf(problem).summary ?? problem.cost;
    if (label === undefined) return [];
    return [{ position: place.range.end, label, paddingLeft: true, tooltip: problem.message }];
  });
}
