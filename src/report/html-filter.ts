import { type Severity, severities } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import { withCommas } from './counts.ts';
import { grouped } from './grouped.ts';
import { shownPath } from './path.ts';
import { escaped } from './proof/markup.ts';
import { visible } from './visible.ts';

/** The counts of a report, each of which shows its own findings when it is chosen: by style, without a script. */
export interface Filter {
  readonly groups: readonly Group[];
  readonly ruleIds: readonly string[];
  /** Hides the findings that are not chosen. */
  readonly styles: string;
  classesOf(problem: Problem): string;
}

interface Group {
  readonly name: 'level' | 'rule' | 'folder';
  readonly title: string;
  readonly entries: readonly Entry[];
  keyOf(problem: Problem): string;
}

interface Entry {
  readonly key: string;
  readonly problems: readonly Problem[];
}

/** More folders are shown by the folder around them. */
const MOST_FOLDERS = 8;

export function filterOf(problems: readonly Problem[], cwd: string): Filter {
  const group = (name: Group['name'], title: string, keyOf: Group['keyOf']): Group => {
    const entries = [...grouped(problems, keyOf)].map(([key, own]) => ({ key, problems: own }));
    return { name, title, entries: entries.sort((a, b) => byCount(a, b)), keyOf };
  };
  const level = group('level', 'Level', ({ finding }) => finding.severity);
  const rule = group('rule', 'Rule', ({ finding }) => finding.ruleId);
  const folder = group('folder', 'Folder', folderNames(problems, cwd));
  const order = (it: Entry) => severities.indexOf(it.key as Severity);
  const levels = { ...level, entries: level.entries.toSorted((a, b) => order(a) - order(b)) };
  const groups = [levels, rule, folder];
  return {
    groups,
    ruleIds: rule.entries.map((it) => it.key),
    styles: groups.flatMap(stylesOf).join('\n'),
    classesOf: (problem) => groups.map((it) => classOf(it, it.keyOf(problem))).join(' '),
  };
}

function byCount(a: Entry, b: Entry): number {
  return b.problems.length - a.problems.length || (a.key < b.key ? -1 : 1);
}

/** The folder of a finding: as deep as there are few of them. */
function folderNames(problems: readonly Problem[], cwd: string): Group['keyOf'] {
  const partsOf = ({ path }: Problem) => shownPath(path, cwd).split('/').slice(0, -1);
  const nameAt = (problem: Problem, depth: number) =>
    partsOf(problem).slice(0, depth).join('/') || '.';
  let depth = Math.max(1, ...problems.map((it) => partsOf(it).length));
  while (depth > 1 && new Set(problems.map((it) => nameAt(it, depth))).size > MOST_FOLDERS) depth--;
  return (problem) => nameAt(problem, depth);
}

function classOf({ name, entries }: Group, key: string): string {
  return `${name}-${entries.findIndex((it) => it.key === key)}`;
}

function stylesOf({ name, entries }: Group): readonly string[] {
  return entries.map(
    (_, i) => `body:has(#${name}-${i}:checked) .finding:not(.${name}-${i}) { display: none; }`,
  );
}

/** A form without a target: its button only resets it. */
export function filterForm({ groups }: Filter): string {
  return ['<form>', ...groups.map(fieldset), '</form>'].join('\n');
}

function fieldset({ name, title, entries }: Group): string {
  const all = entries.reduce((sum, it) => sum + it.problems.length, 0);
  const most = Math.max(...entries.map((it) => it.problems.length));
  const rows = entries.map(({ key, problems }, i) =>
    row({ id: `${name}-${i}`, name, label: visible(key), problems, most }),
  );
  const every = `<label><input type="radio" name="${name}" id="${name}-all" checked><span class="name">All</span><b>${withCommas(all)}</b></label>`;
  return `<fieldset><legend>${title}</legend>\n${[every, ...rows].join('\n')}\n</fieldset>`;
}

interface Row extends Pick<Entry, 'problems'> {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly most: number;
}

function row({ id, name, label, problems, most }: Row): string {
  const bars = severities.flatMap((severity) => {
    const count = problems.filter(({ finding }) => finding.severity === severity).length;
    const share = Math.round((count / most) * 100);
    return count > 0 ? [`<i class="is-${severity}" style="width: ${share}%"></i>`] : [];
  });
  const radio = `<input type="radio" name="${name}" id="${id}">`;
  return `<label>${radio}<span class="name">${escaped(label)}</span><span class="bar">${bars.join('')}</span><b>${withCommas(problems.length)}</b></label>`;
}
