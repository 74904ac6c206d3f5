import type { Source } from '../analysis/file/source.ts';
import { firstIndex } from '../analysis/syntax/places.ts';
import { isInText, type Searches } from '../analysis/syntax/searches.ts';
import type { Finding, Profile, Rule } from '../../rules/define-rule.ts';
import { rules as allRules } from '../../rules/index.ts';
import { nearest } from './nearest.ts';
import { contradictionOf } from './untrue-reasons.ts';
import type { Positions } from './positions.ts';

/** The rules that the comments of one file disable. */
export interface Directives {
  /** A host with comments of its own asks for ours alone. */
  isOff(
    finding: Pick<Finding, 'ruleId' | 'messageId' | 'range'>,
    only?: { readonly isOurs: true },
  ): boolean;
  /** Errors of our comments: no such rule, nothing to disable, no reason, or one that the code contradicts. */
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
  /** Empty where it has none. */
  readonly reason: string;
}

/** A comment of ours is in a text that has this. */
export const OURS = /deadtime-(?:ignore|disable|enable)/;
const DIRECTIVE = /(?:es|ox)lint-disable|deadtime-(?:ignore|disable|enable)/;

const none: Directives = { isOff: () => false, remarks: () => [] };

/**
 * `eslint-disable`, `eslint-disable-line`, `eslint-disable-next-line`, `eslint-enable`, the same after `oxlint-`,
 * `deadtime-ignore-next-line` and `deadtime-ignore-file`, each with rule ids (after `deadtime/`; bare, too, but in ESLint's
 * comments) or for all rules, and with a reason after `--`. Besides ESLint's, each may also name one message of a rule: one
 * call may have several findings of it.
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
  const about: Record<string, ReturnType<typeof aboutNames>> = {};
  return {
    isOff({ ruleId, messageId, range: [offset] }, only) {
      if (only && !hasOurs) return false;
      const name = `${ruleId}/${messageId}`;
      const key = `${only ? 'ours' : 'all'} ${name}`;
      const given = () => directives().filter((it) => !only || it.isOurs);
      const { whole, byLine, switches } = (about[key] ??= aboutNames(given(), [ruleId, name]));
      if (whole || byLine.has(positions().at(offset).line)) return true;
      // As in ESLint, the last switch before the finding that names its rule (or all rules) decides.
      const before = firstIndex(switches.length, (i) => switches[i]!.offset > offset);
      return switches[before - 1]?.kind === 'off';
    },
    remarks(scan) {
      if (!hasOurs) return [];
      const ours = directives().filter((it) => it.isOurs);
      const misspelt = source.comments.flatMap((it) => misspeltIn(it, positions) ?? []);
      const found = new Set(
        scan.findings.flatMap((finding) => {
          const { line } = positions().at(finding.range[0]);
          return namesOf(finding).flatMap((it) => [it, `${it} ${line}`]);
        }),
      );
      const remarks = ours.flatMap((it) => {
        const isAbout = ({ range }: Finding) =>
          it.kind === 'file' || positions().at(range[0]).line === it.line;
        const remark = remarkOn(it, scan, found, isAbout);
        return remark === undefined ? [] : [`line ${positions().at(it.offset).line}: ${remark}`];
      });
      return [...remarks, ...misspelt];
    },
  };
}

/** The directives about one of the names, alone or among all rules, in the order of the text. */
function aboutNames(directives: readonly Directive[], names: readonly string[]) {
  const all = directives.filter((it) => !it.ruleIds || names.some((name) => it.ruleIds!.has(name)));
  return {
    whole: all.some((it) => it.kind === 'file'),
    byLine: new Set(all.flatMap((it) => (it.kind === 'line' ? [it.line] : []))),
    switches: all.filter((it) => it.kind === 'off' || it.kind === 'on'),
  };
}

/** `found` has the rules that have found something, and the same with the lines of it. */
function remarkOn(
  { ruleIds, kind, line, reason }: Directive,
  { findings, rules, profile }: DirectiveScan,
  found: ReadonlySet<string>,
  isAbout: (finding: Finding) => boolean,
): string | undefined {
  const known = [...allRules, ...rules];
  const stranger = [...(ruleIds ?? [])].find((name) => !isName(name, known));
  if (stranger !== undefined) return noSuchRule(stranger, known);
  if (reason === '' && profile !== 'recommended') {
    return 'this comment gives no reason. Write one after ` -- `.';
  }
  // Without names it may be about a rule that this scan leaves out.
  if (!ruleIds || ![...ruleIds].every((name) => isName(name, rules))) return undefined;
  const isUsed = [...ruleIds].some((id) => found.has(kind === 'file' ? id : `${id} ${line}`));
  if (!isUsed) return `${[...ruleIds].join(' and ')} finds nothing here. Remove the comment.`;
  if (profile === 'recommended') return undefined;
  const disabled = findings.filter((it) => namesOf(it).some((own) => ruleIds.has(own)));
  const contradiction = contradictionOf(reason, disabled.filter(isAbout));
  return (
    contradiction &&
    `the reason is not what the code shows: it ${contradiction}. Give the reason that holds, or fix it.`
  );
}

function namesOf({ ruleId, messageId }: Pick<Finding, 'ruleId' | 'messageId'>): readonly string[] {
  return [ruleId, `${ruleId}/${messageId}`];
}

function isName(name: string, rules: readonly Rule[]): boolean {
  const [id, messageId] = name.split('/');
  return rules.some(
    (it) => it.id === id && (messageId === undefined || Object.hasOwn(it.messages, messageId)),
  );
}

function noSuchRule(name: string, rules: readonly Rule[]): string {
  const known = rules.map((it) => it.id);
  const messages = rules.flatMap((it) => Object.keys(it.messages).map((id) => `${it.id}/${id}`));
  const [meant] = nearest(name, name.includes('/') ? messages : known);
  const advice =
    meant === undefined ? `The rules are ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return `there is no rule ${JSON.stringify(name)}, so the name does nothing. ${advice}`;
}

/** What looks like a comment of ours, with a word that we do not read. */
const MISSPELT = /^[\s*]*(deadtime-(?:ignore|disable|enable)[\w-]*)([^\n]*)/;

function misspeltIn(
  { value, range }: Source['comments'][number],
  positions: () => Positions,
): string | undefined {
  const [, word, rest = ''] = MISSPELT.exec(value) ?? [];
  if (word === undefined || pattern.test(value)) return undefined;
  const { line } = positions().at(range[0]);
  const [names = ''] = rest.split(/\s-{2,}(?:\s|$)/, 1);
  const [right, where] = word.endsWith('-file')
    ? ['deadtime-ignore-file', 'at the start of a comment']
    : ['deadtime-ignore-next-line', 'at the start of a comment above the line'];
  const whole = [right, names.trim()].filter(Boolean).join(' ');
  return `line ${line}: \`${word}\` does nothing here. Write \`${whole} -- reason\` ${where}.`;
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
  const [, reason = ''] = /\s-{2,}\s+(\S.*)/s.exec(rest) ?? [];
  const base = {
    ruleIds: ruleIdsIn(rest, host),
    offset: start,
    isOurs: ours !== undefined,
    reason,
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
  const own = name.replace(OWN, '');
  return OWN.test(name) && !own.includes('/') ? own : `eslint/${name}`;
}
