/** The part of a diagnostic that names its tool, rule and place. */
export interface Found {
  readonly source?: string | undefined;
  readonly code?: string | number | { readonly value: string | number } | undefined;
  readonly range: { readonly start: { readonly line: number } };
}

/** Findings that no linter with the plugin already shows: the editor shows each finding once. */
export function notShownBy<Item extends Found>(
  others: readonly Found[],
  items: readonly Item[],
): readonly Item[] {
  const shown = new Set(others.flatMap((it) => keyOf(it, ruleOfLinter(it)) ?? []));
  return items.filter((it) => !shown.has(keyOf(it, codeOf(it)) ?? ''));
}

/** Another text where linters show something else of ours. */
export function shownByLinters(all: readonly Found[]): string {
  return all
    .flatMap((it) => keyOf(it, ruleOfLinter(it)) ?? [])
    .sort()
    .join();
}

/** ESLint writes `deadtime/no-hot-path-sleep`, oxlint `deadtime(no-hot-path-sleep)`. */
function ruleOfLinter(found: Found): string | undefined {
  if (!/^(?:eslint|oxc|oxlint)$/.test(found.source ?? '')) return undefined;
  return /^deadtime[/(]([\w-]+)\)?$/.exec(codeOf(found) ?? '')?.[1];
}

function codeOf({ code }: Found): string | undefined {
  return typeof code === 'object' ? String(code.value) : code === undefined ? code : String(code);
}

function keyOf({ range }: Found, rule: string | undefined): string | undefined {
  return rule === undefined ? undefined : `${range.start.line} ${rule}`;
}
