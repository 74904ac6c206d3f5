import type { Source } from '../facts/source.ts';
import type { Positions } from './positions.ts';

/** What the comments of one file switch off. */
export interface Directives {
  /** `offset` is where the finding starts. */
  isOff(ruleId: string, offset: number): boolean;
}

interface Directive {
  readonly kind: 'file' | 'line' | 'off' | 'on';
  /** Undefined means every rule. */
  readonly ruleIds: ReadonlySet<string> | undefined;
  readonly offset: number;
  /** The line that a `line` directive is about. */
  readonly line: number;
}

const none: Directives = { isOff: () => false };

/**
 * `eslint-disable`, `eslint-disable-line`, `eslint-disable-next-line`, `eslint-enable`, the same after `oxlint-`,
 * `deadtime-ignore-next-line` and `deadtime-ignore-file`, each with rule ids (bare or after `deadtime/`) or for all rules,
 * and with a reason after `--`.
 */
export function directivesOf(source: Source, positions: () => Positions): Directives {
  if (!/(?:es|ox)lint-disable|deadtime-ignore/.test(source.text)) return none;
  const directives = source.comments.flatMap((comment) => {
    const directive = directiveIn(comment, source.text, positions());
    return directive ? [directive] : [];
  });
  return {
    isOff(ruleId, offset) {
      const { line } = positions().at(offset);
      let isOff = false;
      for (const it of directives) {
        if (it.ruleIds && !it.ruleIds.has(ruleId)) continue;
        if (it.kind === 'file' || (it.kind === 'line' && it.line === line)) return true;
        // As in ESLint, the last switch before the finding that names its rule (or all rules) decides.
        if (it.offset > offset) continue;
        if (it.kind === 'off') isOff = true;
        if (it.kind === 'on') isOff = false;
      }
      return isOff;
    },
  };
}

const pattern =
  /^\s*(?:(eslint|oxlint)-(disable-next-line|disable-line|disable|enable)|deadtime-ignore-(next-line|file))(?=\s|$)(.*)/s;

function directiveIn(
  comment: Source['comments'][number],
  text: string,
  positions: Positions,
): Directive | undefined {
  const match = pattern.exec(comment.value);
  if (!match) return undefined;
  const [, host, verb, ours, rest = ''] = match;
  const [start, end] = comment.range;
  const base = { ruleIds: ruleIdsIn(rest), offset: start };
  if (ours === 'file') return { ...base, kind: 'file', line: 0 };
  if (ours === 'next-line' || verb === 'disable-next-line') {
    return { ...base, kind: 'line', line: positions.at(end).line + 1 };
  }
  if (verb === 'disable-line') return { ...base, kind: 'line', line: positions.at(start).line };
  // ESLint reads its switches in block comments only; oxlint takes both.
  if (host === 'eslint' && !text.startsWith('/*', start)) return undefined;
  return { ...base, kind: verb === 'enable' ? 'on' : 'off', line: 0 };
}

function ruleIdsIn(rest: string): ReadonlySet<string> | undefined {
  const names = rest.split(/(?:^|\s)-{2,}(?:\s|$)/, 1)[0]!.split(',');
  const ids = names.map((name) => name.trim().replace(/^deadtime\//, '')).filter(Boolean);
  return ids.length > 0 ? new Set(ids) : undefined;
}
