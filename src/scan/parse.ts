import { isMainThread } from 'node:worker_threads';
import type { TSESTree } from '@typescript-eslint/utils';
import { parseSync, rawTransferSupported, type ParseResult } from 'oxc-parser';
import type { Modules, Source } from '../analysis/file/source.ts';
import type { Comment } from '../analysis/syntax/comments.ts';
import { differenceOf } from '../analysis/syntax/difference.ts';
import type { TypeMemory } from '../project/type-memory.ts';
import { languagesOf, type Language } from './language.ts';
import { wordsFor } from './left-out.ts';
import { isTooNested, type Nesting, nestingAfter, nestingOf } from './nesting.ts';
import { isSound, plainOf } from './plain.ts';
import { reparsed } from './reparse.ts';

/** Why a text has no tree. `offset` is where the parser stopped. */
export interface ParseFailure {
  readonly reason: 'syntax' | 'nesting';
  readonly message: string;
  readonly offset?: number;
}

export interface ParseOptions {
  /** The dialects to try in turn, where the path does not determine one. */
  readonly languages?: readonly Language[];
  /** Read when a rule asks, so that a project and its files may refer to each other. */
  readonly modules?: (() => Modules | undefined) | undefined;
  readonly types?: TypeMemory | undefined;
  /** Of the text before an edit. Its tree is reused where possible, so all facts about it become invalid. */
  readonly previous?: Source | undefined;
}

interface ParsedSource extends Source {
  readonly language: Language;
  readonly nesting: Nesting | undefined;
}

/** Reads `text` as the file at `path`; broken code is data here, never an exception. */
export function sourceOf(
  text: string,
  path: string,
  options: ParseOptions = {},
): Source | ParseFailure {
  const nesting = nestingAt(text, options.previous);
  const languages = readableIn(text, path, nesting, options.languages ?? languagesOf(path));
  if (!languages) return tooNested;
  let failure: ParseFailure = { reason: 'syntax', message: 'not a JavaScript or TypeScript file' };
  try {
    const again = parsedAgain(text, path, nesting, { ...options, languages });
    if (again) return again;
    for (const [i, language] of languages.entries()) {
      const result = parsed(text, path, language);
      const program = result.program as unknown as TSESTree.Program;
      const error = result.errors.find((it) => it.severity === 'Error');
      // The parser goes on after most errors; an empty tree with an error is where it gave up.
      if (!error || program.body.length > 0) {
        const comments = () => commentsOf(result);
        return sourceFrom({ path, text, ast: program, language, nesting, comments }, options);
      }
      if (i === 0) failure = failureOf(error);
    }
  } catch (error) {
    if (error instanceof RangeError) return tooNested;
    // oxc-parser spells the tree as JSON: names of JSX that have a `\u` in them wrongly, and no more than V8 takes as one string.
    if (error instanceof SyntaxError || isTooLongToSpell(error))
      return { reason: 'syntax', message: 'the parser cannot print its tree' };
    throw error;
  }
  return failure;
}

const tooNested: ParseFailure = { reason: 'nesting', message: wordsFor('nesting') };

/** Whether no dialect of the file can be parsed without a risk for the stack. */
export function nestsTooDeep(text: string, path: string, languages = languagesOf(path)): boolean {
  return readableIn(text, path, nestingOf(text), languages) === undefined;
}

/**
 * The dialects in which a text can be parsed without a risk for the stack, undefined where that is none: where comments and
 * strings count as code it may only seem to nest too deep.
 */
function readableIn(
  text: string,
  path: string,
  nesting: Nesting | undefined,
  languages: readonly Language[],
): readonly Language[] | undefined {
  if (!isTooNested(nesting)) return languages;
  const plain = plainOf(text);
  if (isTooNested(nestingOf(plain.text))) return undefined;
  const sound = languages.filter((language) => {
    try {
      const { errors, program } = parsed(plain.text, path, language);
      const isBroken = errors.some((it) => it.severity === 'Error');
      return !isBroken && isSound(plain, program as unknown as TSESTree.Program);
    } catch {
      return false;
    }
  });
  return sound.length > 0 ? sound : undefined;
}

/** The bound of a text before an edit is cached, and an edit adds little: then the text is not scanned again. */
function nestingAt(text: string, previous: Source | undefined): Nesting | undefined {
  if (previous && isParsed(previous) && previous.nesting) {
    const [start, end] = differenceOf(previous.text, text);
    const added = text.slice(start, end + text.length - previous.text.length);
    const nesting = nestingAfter(previous.nesting, previous.text.slice(start, end), added);
    if (!isTooNested(nesting)) return nesting;
  }
  return nestingOf(text);
}

function isParsed(source: Source): source is ParsedSource {
  return 'nesting' in source;
}

function parsedAgain(
  text: string,
  path: string,
  nesting: Nesting | undefined,
  options: ParseOptions,
): Source | undefined {
  const { previous, languages } = options;
  if (!previous || !isParsed(previous)) return undefined;
  const { language } = previous;
  if (!languages?.includes(language)) return undefined;
  const again = reparsed(previous, text, (part) => {
    const result = parsed(part, path, language);
    const ast = result.program as unknown as TSESTree.Program;
    const isBroken = result.errors.some((it) => it.severity === 'Error');
    return { ast, comments: commentsOf(result), isBroken };
  });
  if (!again) return undefined;
  const { ast, comments } = again;
  return sourceFrom({ path, text, ast, language, nesting, comments: () => comments }, options);
}

export function isFailure(result: Source | ParseFailure): result is ParseFailure {
  return 'reason' in result;
}

function failureOf(error: ParseResult['errors'][number]): ParseFailure {
  const offset = error.labels[0]?.start;
  return {
    reason: 'syntax',
    message: error.message,
    ...(offset === undefined ? {} : { offset }),
  };
}

/**
 * Lost for the rest of the process once its 6 GiB of address space cannot be had. Not in threads: where one has ended at its
 * memory limit, the parser ends the whole process in the next.
 */
let rawTransfer: boolean | undefined;

function parsed(text: string, path: string, language: Language): ParseResult {
  const options = { lang: language, astType: 'ts', preserveParens: false } as const;
  rawTransfer ??= isMainThread && rawTransferSupported();
  if (rawTransfer) {
    try {
      const raw = { ...options, experimentalRawTransfer: true };
      const result = parseSync(path, text, raw);
      // The tree is made on first use, and that is where deep nesting overflows.
      void result.program;
      return result;
    } catch (error) {
      if (!isStackOverflow(error)) rawTransfer = false;
    }
  }
  return parseSync(path, text, options);
}

/** "Failed to convert rust `String` into napi `string`" */
function isTooLongToSpell(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'GenericFailure' &&
    error.message.endsWith('into napi `string`')
  );
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function commentsOf({ comments }: ParseResult): readonly Comment[] {
  return comments.map(({ value, start, end }) => ({ value, range: [start, end] }));
}

function sourceFrom(
  parts: Pick<ParsedSource, 'path' | 'text' | 'ast' | 'language' | 'nesting'> & {
    readonly comments: () => readonly Comment[];
  },
  options: ParseOptions,
): ParsedSource {
  const { path, text, ast, language, nesting } = parts;
  // Not the options: they hold the text before, which would hold the one before that.
  const { modules, types } = options;
  let comments: readonly Comment[] | undefined;
  return {
    ...{ path, text, ast, language, nesting },
    types: types?.typesOf(path, text),
    get comments() {
      return (comments ??= parts.comments());
    },
    get modules() {
      return modules?.();
    },
  };
}
