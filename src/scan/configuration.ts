import {
  byConfiguration,
  type ByFolder,
  type ConfigurationFile,
} from '../project/configuration-file.ts';
import { declarationsFrom, type DeclarationsOptions } from '../project/declarations.ts';
import { disk, type Files } from '../project/files.ts';
import { field, type Json, namedEntries } from '../project/json.ts';
import type { Mistake, MistakePath } from '../project/mistake.ts';
import { treeOf } from '../project/tree.ts';
import {
  profiles,
  severities,
  type OptionValue,
  type Profile,
  type Rule,
} from '../../rules/define-rule.ts';
import { firstSyntaxError, memberPlaces } from './mistake-places.ts';
import type { RuleSetting } from './scan.ts';

/** The configuration of the files of a folder: the same in every host of ours. */
export interface Configuration {
  /** Where it was read; undefined where there is none. */
  readonly path: string | undefined;
  readonly profile: Profile;
  readonly settings: Readonly<Record<string, RuleSetting>>;
  /** Invalid parts, each with what to write instead; the rest applies. */
  readonly mistakes: readonly string[];
}

/** A command's options or an editor's settings: they override the files. */
export type Overrides = Partial<Pick<Configuration, 'profile' | 'settings'>>;

export interface Configurations extends ByFolder<Configuration>, DeclarationsOptions {}

/**
 * A configuration that is code runs where the files allow it (`Files.run`), and is a mistake elsewhere. `root` is the beginning
 * of a project that neither a repository nor a package marks.
 */
export function configurationsOf(
  rules: readonly Rule[],
  overrides: Overrides = {},
  files: Files = disk,
  root?: string,
): Configurations {
  const { profile } = overrides;
  return {
    ...byConfiguration(files, treeOf(files, root), (it) =>
      overridden(it ? written(it, rules) : { path: undefined, mistakes: [] }, overrides),
    ),
    ...(profile && { usesUnconfirmed: profile !== 'recommended' }),
  };
}

/** Invalid parts of the configurations of the files, each once. */
export function mistakesFor(
  paths: readonly string[],
  configurations: Configurations,
): readonly string[] {
  const all = new Set(paths.map((it) => configurations.for(it)));
  return [...all].flatMap((it) => it.mistakes);
}

type Written = Overrides & Pick<Configuration, 'path' | 'mistakes'>;

function overridden({ path, profile, settings = {}, mistakes }: Written, over: Overrides) {
  const named = { ...settings };
  for (const [id, { severity, options }] of Object.entries(over.settings ?? {})) {
    const own = named[id];
    named[id] = {
      ...own,
      ...(severity === undefined ? {} : { severity }),
      ...(options === undefined ? {} : { options: { ...own?.options, ...options } }),
    };
  }
  return { path, profile: over.profile ?? profile ?? 'recommended', settings: named, mistakes };
}

function written(file: ConfigurationFile, rules: readonly Rule[]): Written {
  const { path, json } = file;
  if (json === undefined) return { path, mistakes: [mistakeOfWhole(file)] };
  const { mistakes, ...rest } = overridesFrom(json, rules);
  const all = [...mistakes, ...declarationsFrom(file).mistakes];
  return { path, ...rest, mistakes: all.length > 0 ? named(all, file) : [] };
}

/** Each with its place, where the configuration is a text. */
function named(
  mistakes: readonly Mistake[],
  { path, text, at: above = [] }: ConfigurationFile,
): readonly string[] {
  const placeOf = text === undefined ? undefined : memberPlaces(text);
  return mistakes.map((it) => {
    const place = placeOf?.([...above, ...it.at]);
    return `${place === undefined ? path : `${path}:${place}`}: ${it.text}`;
  });
}

function mistakeOfWhole(file: ConfigurationFile): string {
  const { path, text } = file;
  const broken = text === undefined ? undefined : firstSyntaxError(text);
  return broken
    ? `${path}:${broken.place}: ${broken.reason}. Fix the syntax of its JSON.`
    : `${path} ${adviceFor(file)}`;
}

function adviceFor({ path, isUnreadable, failure }: ConfigurationFile): string {
  if (isUnreadable) return 'cannot be read. Make it a file that you may read.';
  if (failure !== undefined) return failure;
  return /\.jsonc?$/.test(path)
    ? 'is no JSON. Fix its syntax.'
    : 'is code, and Deadtime runs it only with permission. ' +
        'Pass --trust-config, trust the workspace in your editor, or write it as deadtime.config.jsonc.';
}

const topNames = ['$schema', 'profile', 'rules', 'packages', 'types'];

/** Reads `{ "profile": …, "rules": { "<id>": "off" | ["warning", { … }] } }`. */
export function overridesFrom(
  json: Json,
  rules: readonly Rule[],
): Overrides & { readonly mistakes: readonly Mistake[] } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { mistakes: [{ at: [], text: 'it is no object. Write { "rules": { … } }.' }] };
  }
  const mistakes: Mistake[] = Object.keys(json)
    .filter((it) => !topNames.includes(it))
    .map((it) => ({
      at: [it],
      text: `there is no key ${JSON.stringify(it)}. The keys are ${listOf(topNames.slice(1))}.`,
    }));
  const profile = field(json, 'profile');
  const known = profiles.find((it) => it === profile);
  if (profile !== undefined && !known) {
    mistakes.push({ at: ['profile'], text: `"profile" is one of ${listOf(profiles)}.` });
  }
  const settings: Record<string, RuleSetting> = {};
  for (const [name, value] of namedEntries(field(json, 'rules'), ['rules'], '"rules"', mistakes)) {
    const id = name.replace(/^deadtime\//, '');
    const rule = rules.find((it) => it.id === id);
    const at = ['rules', name];
    if (rule) settings[id] = settingFrom(value, rule, at, mistakes);
    else {
      const ids = listOf(rules.map((it) => it.id));
      mistakes.push({
        at,
        text: `there is no rule ${JSON.stringify(name)}. The rules are ${ids}.`,
      });
    }
  }
  return { ...(known ? { profile: known } : {}), settings, mistakes };
}

/** The levels of a rule. */
export const levels = ['off', ...severities, 'default'] as const;

function settingFrom(json: Json, rule: Rule, at: MistakePath, mistakes: Mistake[]): RuleSetting {
  const [level, options, ...others] = Array.isArray(json) ? json : [json];
  const severity = levels.find((it) => it === level);
  if (severity === undefined || others.length > 0) {
    const text = `"${rule.id}" is one of ${listOf(levels)}, or [one of them, { options }].`;
    mistakes.push({ at, text });
    return {};
  }
  if (options === undefined) return { severity };
  const valid: Record<string, OptionValue> = {};
  for (const [name, value] of namedEntries(
    options,
    [...at, 1],
    `The value after the severity of "${rule.id}"`,
    mistakes,
  )) {
    const option = Object.hasOwn(rule.options, name) ? rule.options[name] : undefined;
    if (option && isLike(option.default, value)) valid[name] = value;
    else mistakes.push({ at: [...at, 1, name], text: mistakenOption(rule, name) });
  }
  return { severity, options: valid };
}

function isLike(usual: OptionValue, value: Json): value is Exclude<Json, null> & OptionValue {
  if (Array.isArray(usual)) {
    return Array.isArray(value) && value.every((it) => typeof it === 'string');
  }
  if (typeof usual !== 'object') return typeof value === typeof usual;
  return isObject(value) && Object.values(value).every(hasNumbersOnly);
}

function hasNumbersOnly(value: Json): boolean {
  return isObject(value) && Object.values(value).every((it) => typeof it === 'number');
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mistakenOption({ id, options }: Rule, name: string): string {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option) {
    const usual = JSON.stringify(option.default);
    return `"${name}" of "${id}" takes a value like ${usual}. ${option.description}`;
  }
  const names = Object.keys(options);
  const advice = names.length > 0 ? `It has ${listOf(names)}.` : 'It has none.';
  return `"${id}" has no option ${JSON.stringify(name)}. ${advice}`;
}

function listOf(names: readonly string[]): string {
  return names.map((it) => `"${it}"`).join(', ');
}
