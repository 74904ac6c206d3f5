import type { Problem } from '../../src/scan/problem.ts';

/** A finding whose code has changed since the measurement, as far as lines and rules show. */
export interface Staleness {
  /** The fingerprint that was measured before the code of this one changed. */
  measuredAs(fingerprint: string): string | undefined;
  /** A sheet was analysed again. */
  follow(sheet: object, problems: readonly Problem[], isMeasured: (it: string) => boolean): void;
}

interface Lost {
  readonly ruleId: string;
  readonly line: number;
  readonly measured: string;
}

/** Between two analyses a finding moves by what one edit inserts. */
const FARTHEST_LINES = 20;

export function staleness(): Staleness {
  const measuredAs = new Map<string, string>();
  const bySheet = new WeakMap<object, { problems: readonly Problem[]; lost: readonly Lost[] }>();
  return {
    measuredAs: (fingerprint) => measuredAs.get(fingerprint),
    follow(sheet, problems, isMeasured) {
      const measurementOf = ({ fingerprint }: Problem) =>
        isMeasured(fingerprint) ? fingerprint : measuredAs.get(fingerprint);
      const before = bySheet.get(sheet) ?? { problems: [], lost: [] };
      const known = before.problems.flatMap((it): Lost[] => {
        const measured = measurementOf(it);
        const { ruleId } = it.finding;
        return measured === undefined ? [] : [{ ruleId, line: it.start.line, measured }];
      });
      // What is there as it was measured, perhaps after an undone edit, is not lost.
      const present = new Set(problems.map(measurementOf));
      let lost = [...known, ...before.lost].filter(({ measured }) => !present.has(measured));
      for (const problem of problems) {
        if (measurementOf(problem) !== undefined) continue;
        const distance = (it: Lost) => Math.abs(it.line - problem.start.line);
        const [near] = lost
          .filter((it) => it.ruleId === problem.finding.ruleId && distance(it) <= FARTHEST_LINES)
          .sort((a, b) => distance(a) - distance(b));
        if (!near) continue;
        lost = lost.filter((it) => it !== near);
        measuredAs.set(problem.fingerprint, near.measured);
      }
      bySheet.set(sheet, { problems, lost });
    },
  };
}
