import type { Source } from '../analysis/file/source.ts';
import { firstIndex } from '../analysis/syntax/places.ts';
import { isInText, type Searches } from '../analysis/syntax/searches.ts';
import type { Finding, Profile, Rule } from '../../rules/define-rule.ts';
import type { Positions } from './positions.ts';

/** The rules that the comments of one file disable. */
export interface Directives {
  /** `offset` is where the finding starts; a host with comments of its own asks for ours alone. */
  isOff(ruleId: string, offset: number, only?: { readonly isOurs: true }): boolean;
  /** Errors of our comments: no such rule, nothing to disable, or no reason. */
  remarks(scan: DirectiveScan): readonly string[];
}

export interface DirectiveScan {
  readonly findings: readonly Finding[];
  /** The rules that have looked; a comment about others is not judged. */
  readonly rules: readonly Rule[];
  readonly profile: Profile;
}

interface Directive {
  readonly kind: 'file' | 'line' | 'off' | 'on';
  /** Undefined means every rule. */
  readonly ruleIds: ReadonlySet<string> | undefined;
  readonly offset: number;
  /** The line that a `line` directive is about. */
  readonly line: number;
  readonly isOurs: boolean;
  readonly hasReason: boolean;
}

/** A comment of ours is in a text that has this. */
export const OURS = /deadtime-ignore/;
const DIRECTIVE = /(?:es|ox)lint-disable|deadtime-ignore/;

const none: Directives = { isOff: () => false, remarks: () => [] };

/**
 * `eslint-disable`, `eslint-disable-line`, `eslint-disable-next-line`, `eslint-enable`, the same after `oxlint-`,
 * `deadtime-ignore-next-line` and `deadtime-ignore-file`, each with rule ids (after `deadtime/`; bare, too, but in ESLint's
 * comments) or for all rules, and with a reason after `--`.
 */
export function directivesOf(
  source: Source,
  positions: () => Positions,
  { isIn }: Searches = { isIn: isInText },
): Directives {
  if (!isIn(source.text, DIRECTIVE)) return none;
  let known: readonly Directive[] | undefined;
  // Which lines they are about is asked for a finding, or a comment of ours: most texts have neither.
  const directives = () =>
    (known ??= source.comments.flatMap((it) => directiveIn(it, source.text, positions) ?? []));
  const hasOurs = isIn(source.text, OURS);
  const about: Record<string, ReturnType<typeof aboutRule>> = {};
  return {
    isOff(ruleId, offset, only) {
      if (only && !hasOurs) return false;
      const key = `${only ? 'ours' : 'all'} ${ruleId}`;
      const given = () => directives().filter((it) => !only || it.isOurs);
      const { whole, byLine, switches } = (about[key] ??= aboutRule(given(), ruleId));
      if (whole || byLine.has(positions().at(offset).line)) return true;
      // As in ESLint, the last switch before the finding that names its rule (or all rules) decides.
      const before = firstIndex(switches.length, (i) => switches[i]!.offset > offset);
      return switches[before - 1]?.kind === 'off';
    },
    remarks(scan) {
      const ours = hasOurs ? directives().filter((it) => it.isOurs) : [];
      if (ours.length === 0) return [];
      const found = new Set(
        scan.findings.flatMap(({ ruleId, range }) => [
          ...[ruleId, `${ruleId} ${positions().at(range[0]).line}`],
        ]),
      );
      return ours.flatMap((it) => {
        const remark = remarkOn(it, scan, found);
        return remark === undefined ? [] : [`line ${positions().at(it.offset).line}: ${remark}`];
      });
    },
  };
}

/** The directives about one rule, alone or among all, in the order of the text. */
function aboutRule(directives: readonly Directive[], ruleId: string) {
  const all = directives.filter((it) => !it.ruleIds || it.ruleIds.has(ruleId));
  return {
    whole: all.some((it) => it.kind === 'file'),
    byLine: new Set(all.flatMap((it) => (it.kind === 'line' ? [it.line] : []))),
    switches: all.filter((it) => it.kind === 'off' || it.kind === 'on'),
  };
}

/** `found` has the rules that have found something, and the same with the lines of it. */
function remarkOn(
  { ruleIds, kind, line, hasReason }: Directive,
  { rules, profile }: DirectiveScan,
  found: ReadonlySet<string>,
): string | undefined {
  if (!hasReason && profile !== 'recommended') {
    return 'this comment gives no reason. Write one after ` -- `.';
  }
  // Without names it may be about a rule that this scan leaves out.
  if (!ruleIds || ![...ruleIds].every((id) => rules.some((it) => it.id === id))) return undefined;
  const isUsed = [...ruleIds].some((id) => found.has(kind === 'file' ? id : `${id} ${line}`));
  return isUsed
    ? undefined
    : `${[...ruleIds].join(' and ')} finds nothing here. Remove the comment.`;
}

const pattern =
  /^\s*(?:(eslint|oxlint)-(disable-next-line|disable-line|disable|enable)|deadtime-ignore-(next-line|file))(?=\s|$)(.*)/s;

function directiveIn(
  comment: Source['comments'][number],
  text: string,
  positions: () => Positions,
): Directive | undefined {
  const match = pattern.exec(comment.value);
  if (!match) return undefined;
  const [, host, verb, ours, rest = ''] = match;
  const [start, end] = comment.range;
  const hasReason = /\s-{2,}\s+\S/.test(rest);
  const base = {
    ruleIds: ruleIdsIn(rest, host),
    offset: start,
    isOurs: ours !== undefined,
    hasReason,
  };
  if (ours === 'file') return { ...base, kind: 'file', line: 0 };
  if (ours === 'next-line' || verb === 'disable-next-line') {
    return { ...base, kind: 'line', line: positions().at(end).line + 1 };
  }
  if (verb === 'disable-line') {
    const { line } = positions().at(start);
    // Over several lines it is a mistake to ESLint, and disables nothing.
    return line === positions().at(end).line ? { ...base, kind: 'line', line } : undefined;
  }
  // ESLint reads its switches in block comments only; oxlint takes both.
  if (host === 'eslint' && !text.startsWith('/*', start)) return undefined;
  return { ...base, kind: verb === 'enable' ? 'on' : 'off', line: 0 };
}

/** What an ESLint comment names without `deadtime/` is a rule of ESLint's own. */
function ruleIdsIn(rest: string, host: string | undefined): ReadonlySet<string> | undefined {
  const names = rest
    .split(/\s-{2,}\s/, 1)[0]!
    .split(',')
    .map((it) => it.trim().replace(/^(['"])(.*)\1$/s, '$2'))
    .filter(Boolean);
  if (names.length === 0) return undefined;
  return new Set(host === 'eslint' ? names.map(ownRuleId) : names.map((it) => it.replace(OWN, '')));
}

const OWN = /^deadtime\//;

/** A name that is no rule of ours stays one that we do not have. */
function ownRuleId(name: string): string {
  return OWN.test(name) ? name.replace(OWN, '') : `eslint/${name}`;
}
