import type { TSESTree } from '@typescript-eslint/utils';
import { whereBuilt } from '../../analysis/effects/built-chains.ts';
import {
  bare,
  calledName,
  contains,
  type Node,
  propertyName,
  rootOf,
  walk,
  isZero,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { derivedIn, scopeAround } from '../../analysis/loops/variants.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { conditionOf } from '../../analysis/effects/row-conditions.ts';
import { resultVariable } from './result-variable.ts';
import { removes } from './removals.ts';

/** A read, what it has answered, and the code of the same iteration that uses the answer. */
interface Answered {
  readonly file: FileFacts;
  readonly read: Effect;
  readonly scope: Node;
  readonly answer: ReadonlySet<Variable>;
}

/**
 * `SELECT … WHERE sent_at IS NULL LIMIT 1`, then `UPDATE … SET sent_at = now() WHERE id = …`: a read is a source of work where
 * the same iteration does something with what it has read, and then takes that out of what the next read asks for.
 * `place` is where `body`, one iteration, awaits the read; `isLimited`: it asks for so many at most.
 */
export function isTakenFrom(place: Place, body: Node, read: Effect, isLimited: boolean): boolean {
  // veto: the query writes, and only a read can fetch open work
  if (read.op === 'write') return false;
  // no veto: spares the search where nothing has rows.
  if (read.env !== 'db' && read.env !== 'redis') return false;
  return wayTo(place, read).some(({ file, node, root }, i) => {
    const variable = resultVariable(file, node);
    const scope = i === 0 ? body : root;
    // no veto: handed on to the function before
    if (!variable || !isOf(scope, variable)) return false;
    // veto: the query has no limit and the code uses more than its first row, so no open work is left
    if (!isLimited && !takesFirst(read, variable)) return false;
    return isTakenIn({ file, read, scope, answer: derivedIn(file, scope, new Set([variable])) });
  });
}

/** `findOne(…)`, `.first()`, `rows[0]`: of what there is, only the first. */
export function takesFirst(
  { method, at: { node } }: Effect,
  answer: Variable | undefined,
): boolean {
  const calls = chainOf(node).map((it) => calledName(it.callee) ?? '');
  if ([method, ...calls].some((it) => FIRST.test(it))) return true;
  const uses = answer?.references.filter((it) => it.isRead()) ?? [];
  const kinds = uses.map(({ identifier }) => useOf(identifier as Node));
  return kinds.includes('first') && !kinds.includes('all');
}

const FIRST = /^(?:first|find(?:One|First|Unique)|getOne|executeTakeFirst)(?:$|[A-Z])/;

/** What a use of rows, or of a result with `rows` in it, does with them. */
function useOf(name: Node): 'first' | 'all' | undefined {
  const { parent } = name;
  if (parent?.type === 'VariableDeclarator' && parent.init === name) {
    return parent.id.type === 'ArrayPattern' && parent.id.elements.length === 1 ? 'first' : 'all';
  }
  if (parent?.type !== 'MemberExpression' || parent.object !== name) {
    return parent?.type === 'ForOfStatement' || parent?.type === 'CallExpression'
      ? 'all'
      : undefined;
  }
  if (parent.computed) return isZero(parent.property) ? 'first' : 'all';
  const property = propertyName(parent) ?? '';
  if (property === 'rows') return useOf(parent);
  if (property === 'at') return 'first';
  return /^(?:length|rowCount)$/.test(property) ? undefined : 'all';
}

/** What another iteration has set is not what this one has read. */
function isOf(scope: Node, { defs }: Variable): boolean {
  return defs.some(({ name }) => contains(scope, name as Node));
}

function isTakenIn(answered: Answered): boolean {
  const { file, scope } = answered;
  let isTaken = false;
  let isUsed = false;
  walk(scope, (it) => {
    // A builder's request is sent where it is awaited.
    if (it.type !== 'AwaitExpression' && (!isCall(it) || it.parent.type === 'AwaitExpression')) {
      return;
    }
    if (!mentions(file, it, answered.answer)) return;
    const { effects, unknown } = behaviourOf(file, it, scopeAround(file, it));
    const taking = effects.filter((effect) => takesOut(answered, it, effect));
    isTaken ||= taking.length > 0;
    // `deliver(batch)` may do both: what it is for, and the mark.
    const others = effects.filter((effect) => !taking.includes(effect));
    const isOnlyUnknown = unknown !== undefined && taking.length === 0;
    isUsed ||= isOnlyUnknown || others.some((effect) => isWork(effect, taking.length > 0));
  });
  // A lease that is renewed is only marked.
  return isTaken && isUsed;
}

/** `render(job)`, `mailer.sendMail(job)`; what is made of an answer in memory, or logged, is no work, and neither is to look at the row that is marked. */
function isWork({ env, op }: Effect, isMarked: boolean): boolean {
  return !/^(?:timer|console)$/.test(env) && !(isMarked && env === 'db' && op === 'read');
}

function takesOut(answered: Answered, node: Node, write: Effect): boolean {
  const { read } = answered;
  // veto: the later call only reads the row, so the row stays open work
  if (write.op !== 'write') return false;
  if (!isOfSame(answered, write, node)) return false;
  if (write.verb === 'delete' || removes(write) || TAKES_OUT.test(write.method)) return true;
  const asked = fieldsAsked(read);
  return [...fieldsSet(answered, write)].some((it) => asked.has(it));
}

/** Commands of Redis that take an element out of a list, a set or a stream. */
const TAKES_OUT = /^(?:[lsz]rem|ltrim|hdel|xack|xdel)/i;

/** The same table or key; a document that was read knows its own: `job.save()`. */
function isOfSame({ file, read, answer }: Answered, write: Effect, node: Node): boolean {
  if (write.keys.some((it) => read.keys.includes(it))) return true;
  const call = node.type === 'AwaitExpression' ? bare(node.argument) : node;
  const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
  return callee?.type === 'MemberExpression' && mentions(file, callee.object, answer);
}

/** The names of columns or properties by which the read chooses. */
function fieldsAsked(read: Effect): ReadonlySet<string> {
  if (read.rows) return new Set(read.rows.columns);
  const built = whereBuilt(read);
  const { node } = built.at;
  const condition = conditionOf(built) ?? filterOf(node);
  const conditions = condition ? [condition] : chainOf(node).flatMap(conditionsIn);
  return new Set(conditions.flatMap((it) => fieldsIn(it)));
}

/** `whereNull('sent_at')`, where a builder has several conditions. */
function conditionsIn({ callee, arguments: given }: TSESTree.CallExpression): readonly Node[] {
  return /where/i.test(calledName(callee) ?? '') ? given : [];
}

/** `Job.findOne({ done: false }).sort(…)` */
function filterOf(node: Node): Node | undefined {
  const call = chainOf(node).find((it) => /^find/.test(calledName(it.callee) ?? ''));
  return call?.arguments[0];
}

/** The names of columns or properties that the write sets, or that were set before a document is saved. */
function fieldsSet({ file, scope, answer }: Answered, write: Effect): ReadonlySet<string> {
  const found = new Set(write.rows?.columns);
  if (write.rows) return found;
  const built = whereBuilt(write);
  const condition = conditionOf(built);
  for (const { arguments: given } of chainOf(built.at.node)) {
    for (const it of given.flatMap((argument) => fieldsIn(argument, condition))) found.add(it);
  }
  walk(scope, (it) => {
    if (it.type !== 'AssignmentExpression' || it.left.type !== 'MemberExpression') return;
    const root = rootOf(it.left);
    const name = propertyName(it.left);
    if (name && root && mentions(file, root, answer)) found.add(name);
  });
  return found;
}

/** `{ done: false }`, `'done'`, `jobs.done`; operators and what is ordered by are none. */
function fieldsIn(node: Node, without?: Node): readonly string[] {
  const found: string[] = [];
  walk(node, (it) => {
    if (it === without) return false;
    if (it.type === 'Literal' && typeof it.value === 'string') found.push(it.value);
    const isNamed = it.type === 'Property' || it.type === 'MemberExpression';
    const name = isNamed ? propertyName(it) : undefined;
    if (name && /^(?:order(?:By)?|sort|select|include)$/.test(name)) return false;
    if (name && !name.startsWith('$')) found.push(name);
    return true;
  });
  return found;
}
