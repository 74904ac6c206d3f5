import type { TSESTree } from '@typescript-eslint/utils';
import { undefaulted } from './ast.ts';

/** The name of the parameter of a constructor that is a field of this name: `constructor(private pool: Pool)`. */
export function parameterProperty(
  constructor: TSESTree.MethodDefinition['value'],
  name: string,
): TSESTree.Identifier | undefined {
  for (const parameter of constructor.params) {
    if (parameter.type !== 'TSParameterProperty') continue;
    const target = undefaulted(parameter.parameter);
    if (target.type === 'Identifier' && target.name === name) return target;
  }
  return undefined;
}
