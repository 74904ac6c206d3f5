/**
 * The names of the files that a text loads, without a parser: the last part of each specifier, without its extension.
 * `repos/berths` may be a file or a folder; a specifier with only the folder (`.`, `..`) loads its `index`. Packages are among
 * them. Takes time linear in the text.
 */
export function namesLoadedIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, specifier] of text.matchAll(SPECIFIER)) {
    const last = specifier!.slice(specifier!.lastIndexOf('/') + 1);
    names.add(/^\.{0,2}$/.test(last) ? 'index' : last.replace(ENDING, ''));
  }
  return names;
}

const SPECIFIER = /\b(?:from|import|require)\s*(?:\(\s*)?['"]([\w$@./~#-]+)['"]/g;
const ENDING = /\.[cm]?[jt]sx?$/;
