import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import { bare, shownName, type Node, walk, walkOwn } from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import type { Condition } from '../../analysis/syntax/conditions.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { conditionsIn, type Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { pauseOf } from '../../analysis/flow/turns.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { scopeAround, variantsOf } from '../../analysis/loops/variants.ts';

/** An awaited step of an iteration that does something with what the iteration is about. */
export interface Work {
  readonly node: TSESTree.AwaitExpression;
  /** 'io' asks a service of one's own or the disk; 'external' only others by HTTP or mail; 'callback' runs what a caller has passed. */
  readonly kind: 'io' | 'external' | 'callback';
  /** As the source calls it: `pool.query()`. */
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly effects: readonly Effect[];
}

/** The work of a loop over data: awaited steps, nested loops included, that use what differs between iterations. */
export const workOf = query(
  'work',
  (file: FileFacts, loop: Loop): readonly Work[] => workIn(file, loop),
  { whileCyclic: [], isCompared: false },
);

function workIn(file: FileFacts, loop: Loop): readonly Work[] {
  const variants = variantsOf(file, loop);
  return awaitsIn(loop.body).flatMap((node) => {
    if (pauseOf(file, node.argument) || !mentions(file, node.argument, variants)) return [];
    // veto: the awaited call starts the next iteration, so it is no work of this iteration
    if (loop.rounds.some((it) => it.node.parent === bare(node.argument))) return [];
    const work = workAt(file, node);
    return work ? [{ ...work, node, conditions: conditionsIn(loop, node) }] : [];
  });
}

export function awaitsIn(body: Node): readonly TSESTree.AwaitExpression[] {
  const found: TSESTree.AwaitExpression[] = [];
  walkOwn(body, (node) => {
    if (node.type === 'AwaitExpression') found.push(node);
  });
  return found;
}

function workAt(
  file: FileFacts,
  node: TSESTree.AwaitExpression,
): Pick<Work, 'kind' | 'name' | 'effects'> | undefined {
  const called = nameOfCall(node.argument);
  const { effects, unknown } = behaviourOf(file, node, scopeAround(file, node));
  const waiting = effects.filter((it) => it.env !== 'timer' && it.env !== 'console');
  const [effect] = waiting;
  // A combinator says nothing about what is waited for.
  const isVague = called === 'the call' || called.startsWith('Promise.');
  const name = isVague && effect ? `${effect.library}.${effect.method}()` : called;
  if (waiting.some((it) => it.env !== 'http' && it.env !== 'email')) {
    return { kind: 'io', name, effects: waiting };
  }
  if (waiting.length > 0) return { kind: 'external', name, effects: waiting };
  return unknown && runsParameter(file, node) ? { kind: 'callback', name, effects: [] } : undefined;
}

/** `handle(item)`, or `runAll(items, handle)`, where `handle` is a parameter of a function around. */
function runsParameter(file: FileFacts, node: Node): boolean {
  let found = false;
  walk(node, (it) => {
    if (it.type !== 'CallExpression' || found) return;
    found = [it.callee, ...it.arguments].some((part) => isParameter(file, part));
  });
  return found;
}

function isParameter(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  if (it.type !== 'Identifier') return false;
  const variable = file.variableOf(it);
  const [definition] = variable?.defs ?? [];
  if (!variable || definition?.type !== 'Parameter') return false;
  return isCalled(variable) || isFunctionTyped(definition.name as Node);
}

function isCalled(variable: Variable): boolean {
  return variable.references.some(({ identifier }) => {
    const { parent } = identifier as Node;
    return parent?.type === 'CallExpression' && parent.callee === (identifier as Node);
  });
}

function isFunctionTyped(name: Node): boolean {
  return (
    name.type === 'Identifier' && name.typeAnnotation?.typeAnnotation.type === 'TSFunctionType'
  );
}

/** `pool.query()` for messages; where the whole is long, the callee's last name, behind the first call of a chain. */
export function nameOfCall(node: Node): string {
  const it = bare(node);
  if (it.type === 'CallExpression') {
    const name = shownName(it.callee);
    if (name === undefined) return 'the call';
    const short = name.replace(/^this\./, '');
    return `${short.length > 40 ? shortened(short) : short}()`;
  }
  return shownName(it) ?? 'the call';
}

function shortened(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const [first] = name.split(')', 1);
  return first !== name && first!.length <= 30 ? `${first})…${last}` : last;
}

/** `this.outbox.claim` of an object that was given: what it does is the same for all that give one. */
export function isMethodOfClass(file: FileFacts, called: Node): boolean {
  const value = valueOf(file, called);
  return value.kind === 'function' && value.node.parent.type === 'MethodDefinition';
}
