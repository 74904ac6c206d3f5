import { queryOfFile } from '../../engine/query.ts';
import { isNamed } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

/** What a file imports or requires, as it is written there. */
export const importedPackages = queryOfFile(
  'imported packages',
  (file: FileFacts): readonly string[] => packagesImportedIn(file),
  { whileCyclic: [] },
);

function packagesImportedIn(file: FileFacts): readonly string[] {
  const imported = file.nodes.all('ImportDeclaration').map((it) => it.source.value);
  const required = file.nodes.named('require').flatMap(({ parent }) => {
    const isCallee = parent.type === 'CallExpression' && isNamed(parent.callee, 'require');
    const [source] = isCallee ? parent.arguments : [];
    return source?.type === 'Literal' ? [String(source.value)] : [];
  });
  return [...imported, ...required];
}
