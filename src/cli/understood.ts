import type { Files } from '../project/files.ts';
import type { Profile } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { configurationsOf, type Configurations, mistakesFor } from '../scan/configuration.ts';
import { UsageError } from './failure.ts';

/** The configurations of `paths`. Throws a `UsageError` when one contains an error. */
export function understood(
  paths: readonly string[],
  profile: Profile | undefined,
  files?: Files,
  root = process.cwd(),
): Configurations {
  const configurations = configurationsOf(rules, profile ? { profile } : {}, files, root);
  const mistakes = mistakesFor(paths, configurations);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\ndeadtime: '));
  return configurations;
}
