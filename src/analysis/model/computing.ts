import { each, withDefault } from './members.ts';
import type { Library, LibraryType, Member } from './schema.ts';

function library(
  name: string,
  verifiedWith: string,
  named: Readonly<Record<string, Member>>,
  types: Readonly<Record<string, LibraryType>> = {},
): Library {
  const { exports, namespace } = withDefault(named);
  return {
    name,
    modules: [name],
    verifiedWith,
    exports,
    types: { Namespace: namespace, ...types },
  };
}

/** Libraries that convert values in this process, synchronously or behind a promise: they query nothing outside. */
export const computing: readonly Library[] = [
  library(
    'path',
    '20.20.2',
    each('basename dirname extname isAbsolute join normalize relative resolve', {}),
  ),
  library('class-transformer', '0.5.1', each('instanceToPlain plainToClass plainToInstance', {})),
  library('jsonwebtoken', '9.0.3', each('decode sign', {})),
  library('uuid', '14.0.3', each('parse v1 v3 v4 v5 v6 v7 validate', {})),
  library(
    'xml2js',
    '0.6.2',
    {
      ...each('parseString parseStringPromise', {}),
      Parser: { construct: { returns: 'Parser' } },
      Builder: { construct: { returns: 'Builder' } },
    },
    {
      Parser: { members: each('parseString parseStringPromise', {}) },
      Builder: { members: each('buildObject', {}) },
    },
  ),
];
