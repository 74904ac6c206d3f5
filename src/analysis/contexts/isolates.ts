import { valueOf } from '../provenance/value-of.ts';
import { bare, isFunction, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { exportsOf } from '../provenance/exports.ts';

/**
 * `export default { async fetch(request, env, context) { … } } satisfies ExportedHandler`: a Worker of Cloudflare, whose sockets
 * belong to the request that opened them and are closed with it; to use them in the next is an error there.
 */
export function closesWithEachRequest(file: FileFacts): boolean {
  const exported = exportsOf(file).get('default');
  // no veto: the shape of a handler
  if (exported?.kind !== 'local') return false;
  const handler = bare(exported.node);
  const value = handler.type === 'Identifier' ? valueOf(file, handler) : undefined;
  const object = value?.kind === 'object' ? value.node : handler;
  // no veto: the shape of a handler
  if (object.type !== 'ObjectExpression') return false;
  return object.properties.some((it) => {
    const fn = it.type === 'Property' && propertyName(it) === 'fetch' ? bare(it.value) : it;
    // Bun gives its handler a request and the server.
    return isFunction(fn) && (fn.params.length > 2 || file.says(HANDLER));
  });
}

const HANDLER = /\bExportedHandler\b/;
