import { disk } from '../src/project/files.ts';
import type { Problem } from '../src/scan/problem.ts';
import type { Sheet } from './documents.ts';
import type { Review } from './protocol.ts';

/** What the changes since the last commit bring, of the findings of open files. */
export interface OnlyChanges {
  among(sheet: Sheet, problems: readonly Problem[]): Promise<readonly Problem[]>;
  /** Files were saved, or something was committed. */
  forget(): void;
}

/**
 * `review` reads the saved files. Later edits are new to it: a finding whose function has been edited has a different
 * fingerprint.
 */
export function onlyChanges(review: () => Promise<Review>): OnlyChanges {
  let brought: Promise<ReadonlySet<string> | undefined> | undefined;
  /** By path, what the saved text had. */
  const saved = new Map<string, ReadonlySet<string>>();
  return {
    async among(sheet, problems) {
      // Both are of the present: during the review, the user may edit or save.
      const wasSaved = isSaved(sheet);
      const asked = (brought ??= review().then(fingerprintsIn));
      const fresh = await asked;
      // Without a result of git, no finding counts as old.
      if (!fresh) return problems;
      if (wasSaved && brought === asked) {
        saved.set(sheet.path, new Set(problems.map((it) => it.fingerprint)));
      }
      const old = saved.get(sheet.path);
      return problems.filter(
        ({ fingerprint }) => fresh.has(fingerprint) || (old && !old.has(fingerprint)),
      );
    },
    forget() {
      brought = undefined;
      saved.clear();
    },
  };
}

function fingerprintsIn({ findings, failures }: Review): ReadonlySet<string> | undefined {
  return failures.length > 0 ? undefined : new Set(findings.map((it) => it.fingerprint));
}

function isSaved(sheet: Sheet): boolean {
  return disk.read(sheet.path) === sheet.text();
}
