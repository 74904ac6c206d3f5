import { filesOf, type FilesOptions, type SkipReason } from '../scan/files.ts';
import { withCommas } from '../report/counts.ts';
import { shownPath } from '../report/path.ts';
import { visible } from '../report/visible.ts';

/** Reasons that are worth a word, each with what its files are. */
const words: Partial<Record<SkipReason, string>> = {
  excluded: 'tests, benchmarks, stories, migrations, seeds or generated code',
  ignored: 'excluded by .gitignore, .deadtimeignore or --ignore-pattern',
  written: 'build output',
  foreign: 'dependencies',
  hidden: 'hidden',
  configuration: 'configuration of tools',
};

/** Why a search has found no file, in one line: it searches again, and notes what it skips. */
export function nothingScanned(paths: readonly string[], options: FilesOptions): string {
  const skipped = new Map<string, string[]>();
  filesOf(paths, {
    ...options,
    onSkipped(path, reason) {
      const what = words[reason];
      if (what === undefined) return;
      const others = skipped.get(what) ?? [];
      others.push(visible(shownPath(path, options.cwd)));
      skipped.set(what, others);
    },
  });
  if (skipped.size === 0) {
    return `There is no JavaScript or TypeScript code in ${visible(paths.join(', '))}.`;
  }
  const reasons = [...skipped].map(([what, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${withCommas(others.length)} more`;
    return `${first}${more} (${what})`;
  });
  return `Nothing to scan. Skipped: ${reasons.join('; ')}. A file that is named is scanned in any case.`;
}
