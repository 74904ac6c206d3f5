import { extname } from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';

/** What oxc-parser calls the dialect of a text. */
export type Language = 'js' | 'jsx' | 'ts' | 'tsx';

const byExtension: Readonly<Record<string, readonly Language[]>> = {
  // Plain JavaScript never starts a type assertion, so JSX costs it nothing; Flow and half-migrated files need TypeScript's grammar.
  '.js': ['jsx', 'tsx', 'ts'],
  '.jsx': ['jsx', 'tsx', 'ts'],
  '.mjs': ['jsx', 'tsx', 'ts'],
  '.cjs': ['jsx', 'tsx', 'ts'],
  '.ts': ['ts'],
  '.mts': ['ts'],
  '.cts': ['ts'],
  '.tsx': ['tsx'],
};

const embeddings = ['.vue', '.svelte', '.astro'];

/** Of the files that may hold code. */
export const codeExtensions: readonly string[] = [...Object.keys(byExtension), ...embeddings];

/** The dialects to try in turn; empty for a file that is not ours to read. */
export function languagesOf(path: string): readonly Language[] {
  return byExtension[extname(path).toLowerCase()] ?? [];
}

/** Whether a file holds code that runs: declarations do not. */
export function isCode(path: string): boolean {
  if (embeddings.includes(extname(path).toLowerCase())) return true;
  return languagesOf(path).length > 0 && !/\.d(?:\.[^./\\]+)?\.[cm]?ts$/i.test(path);
}

/** The parser also resolves it, but returns it together with a list of all imports and exports. */
export function isModule({ body }: Pick<TSESTree.Program, 'body'>): boolean {
  return body.some(({ type }) => type === 'ImportDeclaration' || type.startsWith('Export'));
}
