import {
  bare,
  calledName,
  type FunctionNode,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Operation } from '../sql/operation.ts';
import { parameterAt } from './given-parts.ts';

/**
 * The effects of the stages of an aggregation; `parameter` where they come from an enclosing function: its callers resolve
 * them.
 */
export interface Pipeline {
  readonly op: Operation;
  readonly pipelineParameter?: PipelineParameter | undefined;
}

export interface PipelineParameter {
  readonly fn: FunctionNode;
  readonly index: number;
}

/** `$out` and `$merge` write the results of the other stages; most unresolved stages only read. */
export function pipelineOf(file: FileFacts, stages: Node | undefined): Pipeline {
  if (!stages) return { op: 'read' };
  const it = bare(stages);
  const parameter = parameterAt(file, it);
  if (parameter) return { op: 'read', pipelineParameter: parameter };
  return { op: writtenOut(file, it).some(writes) ? 'write' : 'read' };
}

/** The expression, or what a name is set to and given: `stages.push({ $merge: 'totals' })`. */
function writtenOut(file: FileFacts, node: Node): readonly Node[] {
  const variable = node.type === 'Identifier' ? file.variableOf(node) : undefined;
  const [definition] = variable?.defs ?? [];
  if (!variable || definition?.type !== 'Variable') return [node];
  const { init } = definition.node;
  const given = variable.references.flatMap(({ identifier: { parent } }) => {
    const call = parent?.type === 'MemberExpression' ? parent.parent : undefined;
    const isAdded = call?.type === 'CallExpression' && calledName(call.callee) === 'push';
    return isAdded ? call.arguments : [];
  });
  return init ? [init, ...given] : given;
}

function writes(node: Node): boolean {
  let found = false;
  walk(node, (it) => {
    found ||= it.type === 'Property' && /^\$(?:out|merge)$/.test(propertyName(it) ?? '');
    return !found;
  });
  return found;
}
