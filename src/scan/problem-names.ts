import type { Finding } from '../../rules/define-rule.ts';
import { groupedBy } from '../analysis/syntax/grouped.ts';
import type { Positions } from './positions.ts';

/** What follows the file in the names of a finding; each command takes both. */
export interface ProblemNames {
  /** `41`, or `exact` where several findings start in line 41. */
  readonly short: string;
  /** `41:5`, or `41:5#2` for the second finding that starts there. */
  readonly exact: string;
  /** The rule to name as well: the scan ran some rules only, and others may report the same place. */
  readonly rule?: string;
}

/** The names of the findings of one file, in their order: for any profile, so the findings are all that the rules report. */
export function namesOf(
  findings: readonly Finding[],
  positions: Positions,
  isOfSomeRules: boolean,
): readonly ProblemNames[] {
  const places = findings.map(({ range }) => positions.at(range[0]));
  const lines = groupedBy(places, ({ line }) => String(line));
  const columns = groupedBy(places, placeName);
  return places.map((place, i) => {
    const name = placeName(place);
    const same = columns.get(name)!;
    const exact = same.length > 1 ? `${name}#${same.indexOf(place) + 1}` : name;
    const isAlone = lines.get(String(place.line))!.length === 1;
    const { ruleId } = findings[i]!;
    return {
      ...{ short: isAlone ? String(place.line) : exact, exact },
      ...(isOfSomeRules && { rule: ruleId }),
    };
  });
}

function placeName({ line, column }: ReturnType<Positions['at']>): string {
  return `${line}:${column}`;
}
