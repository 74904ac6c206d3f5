import type { TSESTree } from '@typescript-eslint/utils';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { valueQuery } from '../file/value-query.ts';
import type { FileFacts } from '../file/file.ts';
import { UNKNOWN, type Value } from '../file/value.ts';
import { libraryDeclaring, writtenTypes } from '../model/index.ts';
import { libraryType } from './library-values.ts';

/** A type that no file imports: a platform declares it, or a tool writes it into a file for the whole package. */
export function ambientType(file: FileFacts, name: string): Value {
  const library = libraryDeclaring(name);
  if (library) return libraryType(library, name);
  const written = writtenTypes.get(name);
  return written === undefined ? UNKNOWN : writtenType(file, file.ast, written, name);
}

/** A type of its platform that such a file repeats. */
export function platformType(file: FileFacts, name: string): Value {
  // no veto: other files that declare a type of that name declare another one.
  if (!WRITTEN.some((it) => file.path.endsWith(it))) return UNKNOWN;
  const library = libraryDeclaring(name);
  return library ? libraryType(library, name) : UNKNOWN;
}

const WRITTEN = [...new Set(writtenTypes.values())].map((it) => `${it}.d.ts`);

/** How many folders above a file its package begins, at most. */
const MOST_FOLDERS = 6;

const writtenType = valueQuery(
  'written type',
  (file, _: TSESTree.Program, written: string, name: string): Value => {
    for (let i = 0; i <= MOST_FOLDERS; i++) {
      const specifier = `./${'../'.repeat(i)}${written}`;
      const found = file.modules?.resolve(specifier, file.path);
      if (found) return declaredIn(found, name);
    }
    return UNKNOWN;
  },
);

/** The interfaces of that name outside of all modules: of several, each says a part. */
function declaredIn(file: FileFacts, name: string): Value {
  const statements = bodyOf(file.ast);
  const blocks = [statements, ...statements.flatMap(blockOf)];
  const of = blocks
    .flat()
    .filter((it) => it.type === 'TSInterfaceDeclaration')
    .filter((it) => it.id.name === name)
    .map((node): Value => ({ kind: 'interface', file, node }));
  return of.length < 2 ? (of[0] ?? UNKNOWN) : { kind: 'intersection', of };
}

function blockOf(statement: TSESTree.ProgramStatement): readonly TSESTree.ProgramStatement[][] {
  return statement.type === 'TSModuleDeclaration' && statement.body ? [bodyOf(statement.body)] : [];
}
