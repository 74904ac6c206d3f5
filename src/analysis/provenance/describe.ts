import type { Value } from '../file/value.ts';
import { mutual } from './mutual.ts';

/** A value in one line, for summaries, debugging and tests: `Promise<pg.PoolClient>`, `() => pg.Pool`, `class Db`. */
export function describe(value: Value, depth = 0): string {
  const inner = (it: Value): string => (depth > 4 ? '…' : describe(it, depth + 1));
  switch (value.kind) {
    case 'library':
    case 'holder':
      return `${value.library.name}.${value.typeName}`;
    case 'callable':
      return `${value.receiver ? inner(value.receiver) : value.library.name}#${value.name}`;
    case 'promise':
      return `Promise<${inner(value.of)}>`;
    case 'array':
      return value.isKeyed ? `Map<${inner(value.of)}>` : `${inner(value.of)}[]`;
    case 'promisified':
      return `promisify(${inner(value.of)})`;
    case 'function':
      return `() => ${inner(mutual.returnOf(value))}`;
    case 'class':
      return `class ${value.node.id?.name ?? ''}`.trim();
    case 'instance':
      return value.node.id?.name ?? 'instance';
    case 'constructed':
      return `new ${value.node.id?.name ?? 'function'}`;
    case 'object':
      return 'object';
    case 'interface':
      return value.node.type === 'TSInterfaceDeclaration' ? value.node.id.name : 'interface';
    case 'declared':
      return 'declared function';
    case 'namespace':
      return 'namespace';
    case 'module':
      return `module ${value.library.name}`;
    case 'global':
      return value.name;
    case 'union':
      return value.of.map(inner).join(' | ');
    case 'intersection':
      return value.of.map(inner).join(' & ');
    case 'nullish':
    case 'unknown':
      return value.kind;
  }
}
