import type { Rule } from '../../rules/define-rule.ts';
import type { Configuration } from '../scan/configuration.ts';

/** The configuration of a file, and its origin: the same text in a terminal and in an editor. */
export function configurationText(
  path: string,
  { path: from, profile, settings, mistakes }: Configuration,
  rules: readonly Rule[],
): string {
  const shown = {
    file: path,
    from: from ?? 'the defaults',
    profile,
    rules: Object.fromEntries(rules.map((rule) => [rule.id, settingOf(rule, settings[rule.id])])),
    ...(mistakes.length > 0 ? { mistakes } : {}),
  };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

function settingOf({ options }: Rule, setting: Configuration['settings'][string] = {}) {
  const defaults = Object.entries(options).map(([name, it]) => [name, it.default] as const);
  return [setting.severity ?? 'default', { ...Object.fromEntries(defaults), ...setting.options }];
}
