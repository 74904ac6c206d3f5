import { isUntilStopped } from '../analysis/contexts/one-shot.ts';
import { messagesOf, yieldsIn } from '../analysis/contexts/message-loops.ts';
import { type WorkSource, workSourceOf } from '../analysis/contexts/work-sources.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import type { FunctionNode, LoopNode, Node } from '../analysis/syntax/ast.ts';
import { functionNames } from '../analysis/syntax/function-names.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';
import type { PlannedSource } from '../runtime/plan.ts';

/** A loop whose iterations are entries. */
export interface LoopOfWork {
  readonly node: LoopNode;
  readonly kind: 'worker' | 'job' | 'schedule';
}

/** An async function whose runs are entries. */
export interface Handler {
  readonly fn: FunctionNode;
  readonly source: WorkSource;
}

/** Only the function itself states when an iteration of it ends; where it yields, the loop over its values does. */
export function loopsOfWork(file: FileFacts): readonly LoopOfWork[] {
  const workers = file.nodes
    .all('WhileStatement', 'DoWhileStatement', 'ForStatement')
    .filter((it) => isUntilStopped(file, it) && !yieldsIn(it))
    .map((node): LoopOfWork => ({ node, kind: 'worker' }));
  const messages = file.nodes.all('ForOfStatement').flatMap((node): LoopOfWork[] => {
    const kind = messagesOf(file, node);
    return kind ? [{ node, kind }] : [];
  });
  return [...workers, ...messages];
}

/** A function that is not async, or a generator, ends before its work does. */
export function handlersOf(file: FileFacts): readonly Handler[] {
  return file.nodes
    .all('FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression')
    .filter((it) => it.async && !it.generator)
    .flatMap((fn) => {
      const source = workSourceOf(file, fn);
      return source ? [{ fn, source }] : [];
    });
}

/** The loops first. */
export function sourcesOf(
  { path }: FileFacts,
  {
    loops,
    handlers,
    lineOf,
  }: {
    readonly loops: readonly LoopOfWork[];
    readonly handlers: readonly Handler[];
    lineOf(node: Node): number;
  },
): readonly PlannedSource[] {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return [
    ...loops.map(({ node, kind }): PlannedSource => {
      const { body } = node;
      const hasBraces = body.type === 'BlockStatement';
      const edge = hasBraces ? 1 : 0;
      const endsWithBody = node.type === 'ForOfStatement';
      return {
        ...{ kind, line: lineOf(node), name: functionNames(node)[0] ?? file },
        loop: { start: startsAt(body) + edge, end: endsAt(body) - edge, hasBraces, endsWithBody },
      };
    }),
    ...handlers.map(({ fn, source: { kind, name } }): PlannedSource => {
      const own = name ?? functionNames(fn)[0] ?? file;
      return { kind, line: lineOf(fn), name: kind === 'test' ? `${file} › ${own}` : own };
    }),
  ];
}
