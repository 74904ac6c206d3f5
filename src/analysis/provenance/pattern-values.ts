import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { contains, functionAround, type Node, propertyName } from '../syntax/ast.ts';
import type { Variable } from '../syntax/names.ts';
import type { FileFacts } from '../file/file.ts';
import { declaredAt, isKnown, isOneSession, UNKNOWN, type Value } from '../file/value.ts';
import { commentedType } from './comment-types.ts';
import { mutual } from './mutual.ts';

/** The type in a pattern's annotation, or in a comment of JavaScript. */
export function annotatedValue(file: FileFacts, pattern: Node): Value {
  const annotation = 'typeAnnotation' in pattern ? pattern.typeAnnotation : undefined;
  return annotation?.type === 'TSTypeAnnotation'
    ? mutual.typeValue(file, annotation.typeAnnotation)
    : commentedType(file, pattern);
}

/** The value of a variable with an annotated type. */
export function saidValue(
  file: FileFacts,
  { writes }: Variable,
  declarator: TSESTree.VariableDeclarator,
  annotated: Value,
): Value {
  const mayBeSession = annotated.kind === 'library' && annotated.type.admitsTransaction === true;
  if (mayBeSession && declarator.init && writes.length === 0) {
    // `const manager: EntityManager = runner.manager`: of that type, and the runner's still.
    const own = valueOf(file, declarator.init);
    if (isOneSession(own)) return own;
  }
  // A module has one of it, whatever its type admits.
  return functionAround(declarator) ? annotated : declaredAt(annotated, { file, node: declarator });
}

/** The value of `name` inside `pattern`, when the whole pattern is matched against `value`. */
export function patternValue(
  file: FileFacts,
  pattern: Node,
  name: TSESTree.Identifier,
  value: Value,
): Value {
  switch (pattern.type) {
    case 'Identifier':
      return pattern === name ? value : UNKNOWN;
    case 'AssignmentPattern':
      return patternValue(
        file,
        pattern.left,
        name,
        value.kind === 'unknown' ? valueOf(file, pattern.right) : value,
      );
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          if (property.argument === name) return value.kind === 'array' ? UNKNOWN : value;
          continue;
        }
        if (!contains(property.value, name)) continue;
        const key = propertyName(property);
        return key === undefined
          ? UNKNOWN
          : patternValue(
              file,
              property.value,
              name,
              mutual.memberOf(value, key, { file, node: property }),
            );
      }
      return UNKNOWN;
    case 'ArrayPattern':
      for (const [i, element] of pattern.elements.entries()) {
        if (!element || !contains(element, name)) continue;
        const of = value.kind === 'array' && !value.isKeyed ? value : undefined;
        if (element.type === 'RestElement') {
          return patternValue(
            file,
            element.argument,
            name,
            of ? { kind: 'array', of: of.of } : UNKNOWN,
          );
        }
        return patternValue(file, element, name, of?.elements?.[i] ?? of?.of ?? UNKNOWN);
      }
      return UNKNOWN;
    case 'RestElement': {
      // `...pools: Pool[]` is annotated as the array that it is.
      const inner = annotatedValue(file, pattern);
      return patternValue(file, pattern.argument, name, isKnown(inner) ? inner : UNKNOWN);
    }
    default:
      return UNKNOWN;
  }
}
