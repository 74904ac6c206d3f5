import { extname } from 'node:path';
import { languagesOf, type Language } from './language.ts';

/** The code of a file, at the offsets that it has in the file. */
export interface Script {
  /** As long as the file's text: what is no code of ours is white space. */
  readonly text: string;
  /** The dialects to try in turn. */
  readonly languages: readonly Language[];
  /** Whether a range lies in one piece of code, so that an edit of it stays there. */
  contains(range: readonly [number, number]): boolean;
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly attributes: ReadonlyMap<string, string>;
}

type Range = readonly [start: number, end: number];

/**
 * The code of a text: all of it, or the `<script>` blocks of .vue and .svelte files and the frontmatter of .astro files.
 * Blocks of one file are read as one module, as their compilers do; Astro's own `<script>` runs in browsers only.
 */
export function scriptOf(text: string, path: string): Script {
  switch (extname(path).toLowerCase()) {
    case '.vue':
      return scriptFrom(text, scriptBlocks(text, '\\{\\{'));
    case '.svelte':
      return scriptFrom(text, scriptBlocks(text, '\\{'));
    case '.astro':
      return scriptFrom(text, frontmatter(text));
    default:
      return { text, languages: languagesOf(path), contains: () => true };
  }
}

const byLang: Readonly<Record<string, readonly Language[]>> = {
  ts: ['ts'],
  typescript: ['ts'],
  tsx: ['tsx'],
};

function scriptFrom(text: string, blocks: readonly Block[]): Script {
  const langs = blocks.map(({ attributes }) => attributes.get('lang') ?? '');
  const typed = langs.find((it) => it in byLang);
  return {
    text: onlyWithin(text, blocks),
    languages: typed === undefined ? languagesOf('script.js') : byLang[typed]!,
    contains: ([start, end]) => blocks.some((it) => it.start <= start && end <= it.end),
  };
}

/** The rest becomes spaces, its line breaks excepted; a semicolon after each block keeps two of them apart. */
function onlyWithin(text: string, blocks: readonly Block[]): string {
  let code = '';
  for (const { start, end } of blocks) {
    code += blank(text.slice(code.length, start)) + text.slice(start, end);
    if (end < text.length) code += ';';
  }
  return code + blank(text.slice(code.length));
}

/** Spaces, and the line breaks as they were. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n\r\u2028\u2029]/g, ' ');
}

/**
 * Outside of comments; what runs neither as JavaScript nor as TypeScript is left out. A `<!--` begins none in a tag's attributes, in
 * what markup computes (`{{ '<!--' }}`), in text that is no markup, and where nothing ends it: it would hide the scripts behind it.
 */
function scriptBlocks(text: string, computed: string): readonly Block[] {
  const blocks: Block[] = [];
  // The search for a missing end runs once: a search per start would take the square of the text's length.
  const unended = new Set<string>();
  const opening = new RegExp(`<!--|<([a-z][^\\s/>]*)|${computed}`, 'gi');
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [token, name] = match;
    if (name === undefined) {
      if (unended.has(token)) continue;
      const endOf = token === '<!--' ? endOfComment : endOfComputed;
      const end = endOf(text, opening.lastIndex);
      if (end === undefined) unended.add(token);
      else opening.lastIndex = end;
      continue;
    }
    const tag = tagFrom(text, opening.lastIndex, unended);
    if (!tag) break;
    const [, start] = tag.range;
    opening.lastIndex = start;
    if (!/^(?:script|style|textarea)$/i.test(name) || text[start - 2] === '/') continue;
    const closing = new RegExp(`</${name}\\s*>`, 'gi');
    closing.lastIndex = start;
    const end = closing.exec(text)?.index ?? text.length;
    if (/^script$/i.test(name) && isCode(tag.attributes)) {
      blocks.push({ start, end, attributes: tag.attributes });
    }
    opening.lastIndex = Math.max(end, start);
  }
  return blocks;
}

function endOfComment(text: string, from: number): number | undefined {
  const end = text.indexOf('-->', from);
  return end === -1 ? undefined : end;
}

/** Behind the brace that closes it; quotes are closed in their line. */
function endOfComputed(text: string, from: number): number | undefined {
  const part = /[{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gs;
  part.lastIndex = from;
  let open = 1;
  for (let match = part.exec(text); match; match = part.exec(text)) {
    if (match[0] === '{') open++;
    else if (match[0] === '}' && --open === 0) return part.lastIndex;
  }
  return undefined;
}

function isCode(attributes: ReadonlyMap<string, string>): boolean {
  const type = attributes.get('type');
  if (type !== undefined && !/^(?:module|(?:text|application)\/(?:java|type)script)$/.test(type)) {
    return false;
  }
  return !attributes.has('src');
}

/** From after the tag's name to after its `>`; undefined where it is not closed yet. Values may hold a `>`: `generic="T extends Record<K, V>"`, `{() => 1}`. */
function tagFrom(
  text: string,
  from: number,
  unended: Set<string>,
): { readonly range: Range; readonly attributes: ReadonlyMap<string, string> } | undefined {
  const attributes = new Map<string, string>();
  const part =
    /\s+|>|\/|=?\s*\{|([^\s"'>=/{]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>{][^\s"'>]*)))?|./gsuy;
  part.lastIndex = from;
  for (let match = part.exec(text); match; match = part.exec(text)) {
    if (match[0] === '>') return { range: [from, part.lastIndex], attributes };
    if (match[0].endsWith('{') && !unended.has('{')) {
      const end = endOfComputed(text, part.lastIndex);
      if (end === undefined) unended.add('{');
      else part.lastIndex = end;
    }
    const [, name, ...values] = match;
    if (name) attributes.set(name.toLowerCase(), values.find((it) => it !== undefined) ?? '');
  }
  return undefined;
}

/** Between the `---` at the top and the next one: TypeScript that runs on the server. */
function frontmatter(text: string): readonly Block[] {
  const start = /^\uFEFF?\s*---/.exec(text)?.[0].length;
  if (start === undefined) return [];
  const closing = /^[ \t]*---/gm;
  closing.lastIndex = start;
  const end = closing.exec(text)?.index ?? text.length;
  return [{ start, end, attributes: new Map([['lang', 'ts']]) }];
}
