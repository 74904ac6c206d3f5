import type { FileFacts } from '../../analysis/file/file.ts';
import { libraryOf } from '../../analysis/model/index.ts';

/** A function for bounded concurrency that the file imports already: it maps a list, or makes a limit. */
export interface Limiter {
  readonly kind: 'map' | 'limit';
  readonly name: string;
}

export function limiterIn(file: FileFacts): Limiter | undefined {
  for (const { source, specifiers } of file.nodes.all('ImportDeclaration')) {
    const kind = libraryOf(source.value)?.bounds;
    const whole = specifiers.find((it) => it.type === 'ImportDefaultSpecifier');
    if (!kind || !whole) continue;
    // The suggestion's own `limit` must not hide another.
    if (kind === 'limit' && file.nodes.named('limit').length > 0) continue;
    return { kind, name: whole.local.name };
  }
  return undefined;
}
