import { readFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { tracedSource } from './traced-source.ts';

const OURS = /\/(?:rules|src\/(?:analysis|patterns))\/[^?]*\.ts$/;

/** Our own sources tell which of their vetoes are reached. */
export const load: LoadHook = (url, context, next) => {
  const text = OURS.test(url) ? readFileSync(fileURLToPath(url), 'utf8') : '';
  if (!text.includes('// veto:')) return next(url, context);
  const { code } = transformSync(tracedSource(text, url.replace(/^.*\/(?=rules\/|src\/)/, '')), {
    loader: 'ts',
  });
  return { format: 'module', shortCircuit: true, source: code };
};
