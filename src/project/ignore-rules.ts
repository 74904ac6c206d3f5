import { wildcardTest } from './glob.ts';

/** The rules of an ignore file, as Git reads them, but ignoring case. */
export interface IgnoreRules {
  /**
   * The result of the last rule that matches a path: true where it is ignored, false where it is included again, undefined
   * without a rule. The path is relative to the file's folder, with forward slashes. Folders above it are not checked.
   */
  says(path: string, isFolder: boolean): boolean | undefined;
  /** Characters of the rules that take a walk through the path. */
  readonly weight: number;
  /** Whether the file has more rules than are read: the rest ignores nothing. */
  readonly isCut: boolean;
}

/** Rules with wildcards: of each, every path is asked. */
const MOST_WILDCARDS = 10_000;
/** Of one rule that has several wildcards, in characters, and of all that a path is asked of. */
const LONGEST = 1_000;
const MOST_WEIGHT = 10_000;

interface Rule {
  readonly order: number;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

interface WildcardRule extends Rule {
  /** Whether the last part of a path is asked, and not all of it. */
  readonly isForNames: boolean;
  fits(path: string): boolean;
}

/** The rules in the lines of an ignore file; `heavier` is the weight of those that a path is asked of as well. */
export function ignoreRulesOf(lines: readonly string[], heavier = 0): IgnoreRules {
  // What is spelled out is looked up: lists of generated files are long.
  const names = new Map<string, Rule[]>();
  const paths = new Map<string, Rule[]>();
  const wildcards: WildcardRule[] = [];
  let weight = 0;
  let isCut = false;
  for (const [order, line] of lines.entries()) {
    const written = patternIn(line);
    if (!written) continue;
    const { pattern, isForNames, ...how } = written;
    const rule: Rule = { order, ...how };
    if (!/[*?[\\]/.test(pattern)) {
      add(isForNames ? names : paths, pattern.toLowerCase(), rule);
      continue;
    }
    const own = isOneStar(pattern) ? 0 : pattern.length;
    const isTooMuch = own > LONGEST || heavier + weight + own > MOST_WEIGHT;
    if (isTooMuch || wildcards.length === MOST_WILDCARDS) {
      isCut = true;
      continue;
    }
    weight += own;
    wildcards.push({
      ...rule,
      isForNames,
      fits: own === 0 ? oneStarTest(pattern) : testOf(pattern),
    });
  }
  return { says, weight, isCut };

  function says(given: string, isFolder: boolean): boolean | undefined {
    const path = given.toLowerCase();
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isFor = (it: Rule) => isFolder || !it.isForFolders;
    let last = [names.get(name), paths.get(path)]
      .map((it) => it?.findLast(isFor))
      .reduce((a, b) => ((a?.order ?? -1) > (b?.order ?? -1) ? a : b));
    for (let i = wildcards.length - 1; i >= 0; i--) {
      const it = wildcards[i]!;
      if (last && last.order > it.order) break;
      if (!isFor(it) || !it.fits(it.isForNames ? name : path)) continue;
      last = it;
      break;
    }
    return last && !last.isNegated;
  }
}

function add(rules: Map<string, Rule[]>, spelled: string, rule: Rule): void {
  const others = rules.get(spelled);
  if (others) others.push(rule);
  else rules.set(spelled, [rule]);
}

type Pattern = Omit<WildcardRule, 'order' | 'fits'> & { readonly pattern: string };

/** Undefined for a comment, and for a line without anything. */
function patternIn(line: string): Pattern | undefined {
  if (line.startsWith('#')) return undefined;
  const trimmed = withoutSpaces(line);
  const isNegated = trimmed.startsWith('!');
  const isForFolders = trimmed.endsWith('/');
  const pattern = trimmed.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined);
  if (pattern === '') return undefined;
  const isForNames = !pattern.includes('/');
  return { pattern: pattern.replace(/^\//, ''), isNegated, isForFolders, isForNames };
}

/** At the end, but for one behind a backslash. */
function withoutSpaces(line: string): string {
  let end = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === ' ') continue;
    if (line[i] === '\\') i++;
    end = i + 1;
  }
  return line.slice(0, end);
}

/**
 * Git compares what is before the first wildcard, and takes the rest for a pattern of its own. What is behind the last one is compared
 * first: most paths end otherwise.
 */
function testOf(pattern: string): (path: string) => boolean {
  const { length } = /^[^*?[\\]*/.exec(pattern)![0];
  const head = pattern.slice(0, length).toLowerCase();
  const end = pattern.slice(1 + Math.max(...[...'*?]\\'].map((it) => pattern.lastIndexOf(it))));
  // The slash behind two stars may be nothing, as they may.
  const tail = Array.from(end.replace(/^\//, ''), (it) => it.toLowerCase()).join('');
  const fits = wildcardTest(pattern.slice(length), { foldsCase: true });
  return (path) => path.endsWith(tail) && path.startsWith(head) && fits(path.slice(head.length));
}

/** `*.log`, `logs/*`: what most ignore files are made of. */
function isOneStar(pattern: string): boolean {
  return /^[^*?[\\]*\*[^*?[\\]*$/.test(pattern);
}

function oneStarTest(pattern: string): (path: string) => boolean {
  const [head = '', tail = ''] = pattern.toLowerCase().split('*');
  return (path) =>
    path.length >= head.length + tail.length &&
    path.startsWith(head) &&
    path.endsWith(tail) &&
    !path.slice(head.length, path.length - tail.length).includes('/');
}
