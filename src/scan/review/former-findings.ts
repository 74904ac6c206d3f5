import { field, jsonOf } from '../../project/json.ts';
import { isLasting } from '../left-out.ts';
import type { ChangeSet } from './change-set.ts';
import { type Answer, areUnchanged, recorded } from './recorded-files.ts';
import { type FindingIdentity, placed } from './same-findings.ts';
import { viewOf, type ViewOptions } from './view.ts';

/** Texts by name, kept from one process to the next as far as that can be. */
export interface Memory {
  read(name: string): string | undefined;
  keep(name: string, text: string): void;
}

/** What some rules found, and all that the files were asked for it. */
interface Remembered {
  readonly ruleIds: readonly string[];
  readonly answers: readonly Answer[];
  readonly findings: readonly FindingIdentity[];
}

export interface FormerOptions extends ViewOptions {
  /** The rules of the requested findings; those of other rules may come with them. */
  readonly ruleIds: ReadonlySet<string>;
  readonly memory?: Memory;
}

/**
 * The findings in files as they were before a change. Most changes start from the same text as the change before them: an entry
 * of `memory` is valid as long as every file read for it is unchanged.
 */
export async function formerFindings(
  { root, before }: ChangeSet,
  paths: readonly string[],
  { ruleIds, memory, ...options }: FormerOptions,
): Promise<readonly FindingIdentity[]> {
  // New files.
  if (paths.length === 0) return [];
  const name = nameOf(root, paths, options);
  const known = memory && remembered(memory.read(name));
  const isWhole = known && [...ruleIds].every((id) => known.ruleIds.includes(id));
  if (isWhole && areUnchanged(before, known.answers)) return known.findings;
  const rules = options.rules.filter(({ id }) => ruleIds.has(id) || known?.ruleIds.includes(id));
  const record = memory && recorded(before);
  // The names of all files as they were: cached names of the files on disk do not apply, and all reads are recorded.
  const view = viewOf(record?.files ?? before, root, { ...options, rules, knownNames: undefined });
  const { problems, notices } = await view.scan(paths);
  const findings = problems.map((it) => placed(it, view));
  if (record && notices.every(isLasting)) {
    const answers = record.answers();
    const found: Remembered = { ruleIds: rules.map(({ id }) => id), answers, findings };
    memory.keep(name, JSON.stringify(found));
  }
  return findings;
}

/** The same paths under the same configurations. */
function nameOf(root: string, paths: readonly string[], { configurations }: ViewOptions): string {
  const said = paths.map((path) => {
    const { profile, settings } = configurations.for(path);
    return [path, profile, settings];
  });
  return JSON.stringify([root, said]);
}

/** Only formerFindings writes these texts; a disk may have lost a part of one, or hold a different one. */
function remembered(text: string | undefined): Remembered | undefined {
  const found = jsonOf(text);
  const isOurs = ['ruleIds', 'answers', 'findings'].every((it) => Array.isArray(field(found, it)));
  return isOurs ? (found as unknown as Remembered) : undefined;
}
