import type { TSESTree } from '@typescript-eslint/utils';
import { undefaulted } from './ast.ts';

/** The pattern of a parameter, also of one that is a field: `private pool: Pool`. */
export function patternOf(
  parameter: TSESTree.Parameter,
): Exclude<TSESTree.Parameter, TSESTree.TSParameterProperty> {
  return parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
}

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
