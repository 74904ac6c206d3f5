import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { bare, isNamed, type Node, propertyName } from '../syntax/ast.ts';

/** `process.env`, `Bun.env` and `import.meta.env`, and a parameter that is declared to be given one: `env: NodeJS.ProcessEnv`. */
export function isEnvironment(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  if (it.type === 'Identifier') return isGivenEnvironment(file, it);
  return (
    it.type === 'MemberExpression' &&
    propertyName(it) === 'env' &&
    (isNamed(it.object, 'process') ||
      isNamed(it.object, 'Bun') ||
      it.object.type === 'MetaProperty')
  );
}

function isGivenEnvironment(file: FileFacts, name: TSESTree.Identifier): boolean {
  const [definition] = file.variableOf(name)?.defs ?? [];
  if (definition?.type !== 'Parameter') return false;
  const { parent } = definition.name as Node;
  // `(name, fallback, env = process.env) => …`
  if (parent?.type === 'AssignmentPattern' && parent.left === definition.name)
    return isEnvironment(file, parent.right);
  const { typeAnnotation } = definition.name as TSESTree.Identifier;
  // A parser of JavaScript has `null` there.
  return !!typeAnnotation && isTypeOfEnvironment(file, typeAnnotation.typeAnnotation);
}

/** `NodeJS.ProcessEnv`, also by a name of its own: `type Env = NodeJS.ProcessEnv`. */
function isTypeOfEnvironment(file: FileFacts, type: TSESTree.TypeNode): boolean {
  // no veto: spares the search for its own name.
  if (dottedType(file, type) === 'NodeJS.ProcessEnv') return true;
  const own = file.nodes
    .all('TSTypeAliasDeclaration')
    .find(({ id }) => id.name === dottedType(file, type));
  return own !== undefined && dottedType(file, own.typeAnnotation) === 'NodeJS.ProcessEnv';
}

function dottedType(file: FileFacts, type: TSESTree.TypeNode): string | undefined {
  return type.type === 'TSTypeReference' ? file.textOf(type.typeName) : undefined;
}
