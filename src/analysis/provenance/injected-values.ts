import { bare, type Node } from '../syntax/ast.ts';
import { importedAs } from './injections.ts';
import { libraryInjectedBy } from '../model/index.ts';
import { UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

/**
 * The value of a parameter according to its decorator: `@InjectModel(User) users: typeof User`, with `User` from any package.
 */
export function injectedValue(parameter: Node): Value {
  const decorators = 'decorators' in parameter ? (parameter.decorators ?? []) : [];
  for (const { expression } of decorators) {
    const call = bare(expression);
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') continue;
    const imported = importedAs(call, call.callee.name);
    const library = imported && libraryInjectedBy(imported.from);
    const { gives = {} } = library?.injection ?? {};
    const name = imported?.name ?? '';
    const type = Object.hasOwn(gives, name) ? gives[name] : undefined;
    if (library && type) return mutual.referredValue(library, type, undefined);
  }
  return UNKNOWN;
}
