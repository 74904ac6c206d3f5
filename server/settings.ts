import { MOST_SECONDS } from '../src/proof/result.ts';
import { jsonOf } from '../src/project/json.ts';
import { rules } from '../rules/index.ts';
import { overridesFrom, type Overrides } from '../src/scan/configuration.ts';

/** The section `deadtime` of an editor's configuration, complete: protocol.ts describes each field. */
export interface KnownSettings {
  readonly isEnabled: boolean;
  readonly run: 'onType' | 'onSave' | 'manual';
  readonly overrides: Overrides;
  readonly hasOnlyChanges: boolean;
  readonly severityPolicy: 'evidence' | 'fixed';
  readonly exclude: readonly string[];
  /** Undefined where no setting exists. */
  readonly hasTypes: boolean | undefined;
  readonly hasLenses: boolean;
  readonly hasInlayHints: boolean;
  readonly maxSeconds: number;
  readonly databaseUrl: string | undefined;
  readonly nodePath: string | undefined;
  /** Invalid settings, each with what to write instead. */
  readonly mistakes: readonly string[];
}

/** The editor's values are data: an invalid value becomes the default. */
export function settingsFrom(given: unknown): KnownSettings {
  const { overrides, mistakes } = overridesIn(given);
  const maxSeconds = at(given, 'prove', 'maxSeconds');
  const types = at(given, 'typeChecker', 'enabled');
  return {
    isEnabled: at(given, 'enable') !== false,
    run: oneOf(at(given, 'run'), ['onType', 'onSave', 'manual']),
    overrides,
    hasOnlyChanges: at(given, 'onlyChangedLines') === true,
    severityPolicy: oneOf(at(given, 'severityPolicy'), ['evidence', 'fixed']),
    exclude: strings(at(given, 'exclude')),
    hasTypes: typeof types === 'boolean' ? types : undefined,
    hasLenses: at(given, 'codeLens', 'enabled') !== false,
    hasInlayHints: at(given, 'inlayHints', 'enabled') === true,
    maxSeconds:
      typeof maxSeconds === 'number' && maxSeconds >= 1 && maxSeconds <= MOST_SECONDS
        ? maxSeconds
        : 5,
    databaseUrl: nonEmpty(at(given, 'prove', 'databaseUrl')),
    nodePath: nonEmpty(at(given, 'node', 'path')),
    mistakes,
  };
}

/** Profiles that leave the choice to deadtime.config.json. */
const PROJECT: ReadonlySet<string> = new Set(['', 'project']);

/** As in deadtime.config.json, whose reader reports errors. */
function overridesIn(given: unknown): Pick<KnownSettings, 'overrides' | 'mistakes'> {
  const [profile, own] = [at(given, 'profile'), at(given, 'rules')];
  const written = {
    ...(typeof profile === 'string' && !PROJECT.has(profile) ? { profile } : {}),
    ...(own === undefined || own === null ? {} : { rules: own }),
  };
  const json = jsonOf(JSON.stringify(written)) ?? {};
  const { mistakes, ...overrides } = overridesFrom(json, rules);
  return { overrides, mistakes: mistakes.map((it) => `The settings of your editor: ${it.text}`) };
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((it, name) => {
    if (typeof it !== 'object' || it === null || !Object.hasOwn(it, name)) return undefined;
    return (it as Readonly<Record<string, unknown>>)[name];
  }, value);
}

function oneOf<const T extends string>(value: unknown, words: readonly [T, ...T[]]): T {
  return words.find((it) => it === value) ?? words[0];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
