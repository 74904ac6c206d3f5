import { type FunctionNode, propertyName } from '../syntax/ast.ts';
import { importedPackages } from './imported-packages.ts';
import type { FileFacts } from '../file/file.ts';
import { nameOfFunction } from '../syntax/function-names.ts';

const NAME = /^create(?:Inner)?(?:TRPC|Trpc)?Context(?:Inner)?$/;

/**
 * `createContext` of tRPC, by its name in a file that imports it: it runs for each request, and its result ends with the
 * request.
 */
export function makesRequestContext(file: FileFacts, fn: FunctionNode): boolean {
  const { parent } = fn;
  const isOption =
    parent.type === 'Property' && parent.value === fn && propertyName(parent) === 'createContext';
  if (!isOption && !NAME.test(nameOfFunction(fn))) return false;
  return importedPackages(file).some((it) => /^@(?:trpc|hono\/trpc)/.test(it));
}
