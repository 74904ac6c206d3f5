import type { FileFacts } from '../../src/analysis/file/file.ts';
import {
  batchComment,
  type LoopRewrite,
  rewriteOf,
} from '../../src/patterns/independence/iteration-edits.ts';
import type { IndependentIterations } from '../../src/patterns/independence/iterations.ts';
import { limiterIn } from '../../src/patterns/independence/limiters.ts';
import type { Suggestion } from '../define-rule.ts';
import type { Remedy } from './evidence.ts';

export function suggestionsFor(
  file: FileFacts,
  iterations: IndependentIterations,
  { messageId, limit }: { readonly messageId: Remedy['messageId']; readonly limit: number },
): readonly Suggestion[] {
  if (messageId === 'batch') {
    const comment = batchComment(file, iterations);
    if (!comment) return [];
    return [{ messageId: 'skeleton', edits: [comment], changes: 'nothing', isNote: true }];
  }
  // Concurrent writes are a change of load that one statement for all rows avoids.
  const rewrite = messageId === 'writes' ? undefined : rewriteOf(file, iterations);
  if (!rewrite) return [];
  const { bound } = iterations.loop;
  if (bound !== undefined && bound <= limit) {
    return [
      {
        messageId: 'together',
        edits: [{ range: rewrite.range, text: all(rewrite) }],
        changes: 'load',
      },
    ];
  }
  const limiter = limiterIn(file);
  if (!limiter) return [];
  const text =
    limiter.kind === 'map'
      ? mapped(rewrite, limiter.name, limit)
      : limited(rewrite, limiter.name, limit);
  return [{ messageId: 'limited', edits: [{ range: rewrite.range, text }], changes: 'load' }];
}

function all({ over, callback }: LoopRewrite): string {
  return `await Promise.all(${over}.map(${callback}));`;
}

/** p-map expects the list, the function and the concurrency. */
function mapped({ over, callback }: LoopRewrite, name: string, limit: number): string {
  return `await ${name}(${over}, ${callback}, { concurrency: ${limit} });`;
}

/** p-limit makes a function that lets so many through. */
function limited(
  { over, callback, variable, indent }: LoopRewrite,
  name: string,
  limit: number,
): string {
  const body = callback.slice(callback.indexOf('=>') + 3);
  return (
    `const limit = ${name}(${limit});\n` +
    `${indent}await Promise.all(${over}.map((${variable}) => limit(async () => ${body})));`
  );
}
