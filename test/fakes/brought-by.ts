import { relative } from 'node:path';
import type { ChangeSet } from '../../src/scan/review/change-set.ts';
import { review } from '../../src/scan/review/review.ts';
import type { Rule } from '../../rules/define-rule.ts';
import { createClock } from '../../src/scan/clock.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import { noWait } from './no-wait.ts';

/** "a.js:1" for each finding, with the places that are named for its cause. */
export async function broughtBy(
  set: ChangeSet,
  own: readonly Rule[] = [noWait],
): Promise<readonly string[]> {
  const { problems } = await review(set, {
    ...{ rules: own, clock: createClock(), followsImports: true },
    configurations: configurationsOf(own, { profile: 'strict' }, set.after),
  });
  return problems.map(({ path, start, related }) => {
    const name = (it: string) => relative(set.root, it);
    const causes = related
      .filter(({ message }) => /causes it/.test(message))
      .map((it) => ` because of ${name(it.path)}:${it.start.line}`);
    return `${name(path)}:${start.line}${causes.join('')}`;
  });
}
