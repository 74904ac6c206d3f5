import { createColors } from 'picocolors';
import type { RootCause } from '../scan/coverage.ts';
import {
  type CoverageGrouping,
  type CoverageSummary,
  type HidingRoot,
  type Share,
  sharesBy,
} from '../scan/coverage-summary.ts';
import { counted, withCommas } from './counts.ts';
import { shownPath } from './path.ts';
import { visible } from './visible.ts';

export interface CoverageContext {
  readonly cwd: string;
  readonly hasColors: boolean;
  /** What is listed below the sentence. */
  readonly by: CoverageGrouping;
}

/** So many roots are listed in a terminal; JSON has all. */
const SHOWN_ROOTS = 20;

/** What each cause means, after the name of the root. */
export const meanings: Readonly<Record<RootCause, string>> = {
  package: 'an unsupported package, or part of one',
  member: 'an unsupported member',
  module: 'a file that was not found',
  parameter: 'an argument without a type',
  type: 'a type whose implementation was not found',
  field: 'a field whose value was not found',
  result: 'a result that was not found',
  global: 'an unsupported global name',
  promise: 'a promise that other code has started',
  iteration: 'an asynchronous iteration',
  subclass: 'a method that subclasses replace',
  other: 'an expression that was not resolved',
};

/** For a terminal: the share, the folders or files with theirs, and what hides the rest. */
export function coverageText(summary: CoverageSummary, context: CoverageContext): string {
  const lines = [coverageSentence(summary), ''];
  if (summary.awaits === 0) return `${lines[0]}\n`;
  const groupOf = context.by === 'file' ? (path: string) => path : folderOf;
  lines.push(...sharesText(summary, context, groupOf), '');
  if (context.by === 'root') lines.push(...rootsText(summary, context));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** `Deadtime understands 92 % of 1,208 awaits in 96 files.` */
function coverageSentence({ awaits, understood, files }: CoverageSummary): string {
  if (awaits === 0) return 'No file waits for anything: there is no `await` in code of a server.';
  return `Deadtime understands ${percentOf({ awaits, understood })} % of ${counted(awaits, 'await')} in ${counted(files.length, 'file')}.`;
}

/** A whole number: 100 only where all are understood. */
function percentOf({ awaits, understood }: Share): number {
  return awaits === 0 ? 100 : Math.floor((100 * understood) / awaits);
}

/** The folder of a file, at most two deep: deeper ones would be as many as files. */
function folderOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.length === 0 ? '.' : folders.slice(0, 2).join('/');
}

const BAR = 20;

function sharesText(
  { files }: CoverageSummary,
  { cwd, hasColors }: CoverageContext,
  groupOf: (path: string) => string,
): readonly string[] {
  const { dim } = createColors(hasColors);
  const shares = [...sharesBy(files, (path) => groupOf(shownPath(path, cwd)))];
  const width = Math.max(...shares.map(([name]) => visible(name).length));
  return shares.map(([name, share]) => {
    const full = Math.round((BAR * share.understood) / share.awaits);
    const bar = '█'.repeat(full) + dim('░'.repeat(BAR - full));
    const percent = `${percentOf(share)} %`.padStart(5);
    return `${visible(name).padEnd(width)}  ${bar} ${percent} of ${withCommas(share.awaits)}`;
  });
}

function rootsText(
  { roots }: CoverageSummary,
  { cwd, hasColors }: CoverageContext,
): readonly string[] {
  if (roots.length === 0) return [];
  const { bold, dim } = createColors(hasColors);
  const shown = roots.slice(0, SHOWN_ROOTS);
  const rest = roots.length - shown.length;
  return [
    'What hides the rest, by awaits:',
    '',
    ...shown.flatMap((root) => {
      const count = withCommas(root.hidden.length).padStart(6);
      const [first] = root.hidden;
      const example = `for example ${shownPath(first!.path, cwd)}:${first!.at.line}`;
      const at = root.cause === 'package' ? '' : `, ${shownPath(root.path, cwd)}:${root.at.line}`;
      return [
        `${count}  ${bold(visible(root.name))}  ${meanings[root.cause]}${visible(at)}`,
        dim(visible(`        ${example}`)),
      ];
    }),
    ...(rest > 0 ? ['', `${counted(rest, 'more root')}; --json lists all.`] : []),
    '',
    'deadtime.config.json can declare what a package or a function does:',
    '  "packages": { "treatAs": { "@acme/db": "pg" } }, "types": { "src/store.ts#Store.read": { "effect": "db.read" } }',
  ];
}

export function coverageJson(summary: CoverageSummary, cwd: string): string {
  const place = (path: string, { line, column }: HidingRoot['at']) => ({
    file: shownPath(path, cwd),
    line,
    column,
  });
  const report = {
    version: 1,
    awaits: summary.awaits,
    understood: summary.understood,
    files: summary.files.map(({ path, ...share }) => ({ file: shownPath(path, cwd), ...share })),
    roots: summary.roots.map(({ cause, name, path, at, hidden }) => ({
      cause,
      name,
      meaning: meanings[cause],
      ...place(path, at),
      awaits: hidden.length,
      hidden: hidden.map((it) => place(it.path, it.at)),
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
