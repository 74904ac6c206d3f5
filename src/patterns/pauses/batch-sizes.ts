import { whereBuilt } from '../../analysis/effects/built-chains.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bare, calledName, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import { argumentsOf, type Call, isCall } from '../../analysis/syntax/calls.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { placeholderAt } from '../../analysis/values/limited-rows.ts';
import { quantityOf } from '../../analysis/values/values.ts';
import { literalQuantity, type Quantity, unknownQuantity } from '../../analysis/values/quantity.ts';
import { takesFirst } from './taken-rows.ts';

/** `LIMIT $2`, `LIMIT ?`, and MySQL's `LIMIT 40, ?`, in which the offset comes first. */
const LIMIT = /\blimit\s+(?:(?:\d+|\$\d+|\?)\s*,\s*)?(?:\$(\d+)|\?)/i;

/** The number of rows or messages that a call asks for: `LIMIT 20`, `LIMIT $2`, `take: 20`. */
export function limitOf(effect: Effect): Quantity | undefined {
  if (effect.rows?.limit !== undefined) return literalQuantity(effect.rows.limit);
  const { file, node } = effect.at;
  const given = givenLimit(effect);
  if (given) return known(file, given);
  const call = calledAt(node);
  return call && (passedBatch(file, call, { isOptionsOnly: true }) ?? chainedLimit(file, call));
}

/** The value of the statement by which it is limited: `size` in `query('… LIMIT $1', [size])`. */
export function givenLimit(effect: Effect): Node | undefined {
  const text = sqlAt(effect) ?? '';
  const match = LIMIT.exec(text);
  const call = calledAt(effect.at.node);
  // no veto: the shape of a statement.
  if (!match || !call) return undefined;
  const upTo = text.slice(0, match.index + match[0].length).split('?').length - 1;
  return placeholderAt(call, Number(match[1] ?? upTo) - 1);
}

function calledAt(node: Node): Call | undefined {
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  return isCall(call) ? call : undefined;
}

/** Whether a read asks for so many rows at most, also where its caller sets the number: `LIMIT $1`, `.limit(size)`. */
export function isLimited(effect: Effect): boolean {
  if ((limitOf(effect) ?? countOfCommand(effect))?.value !== undefined) return true;
  if (effect.rows?.hasGivenLimit) return true;
  return chainOf(whereBuilt(effect).at.node).some((it) =>
    /^(?:limit|take)$/.test(calledName(it.callee) ?? ''),
  );
}

/** `.limit(50)` or `.take(50)` in the chain of a query builder. */
function chainedLimit(file: FileFacts, call: Node): Quantity | undefined {
  for (let it: Node = bare(call); it.type === 'CallExpression';) {
    const callee: Node = bare(it.callee);
    if (callee.type !== 'MemberExpression') return undefined;
    const [argument] = it.arguments;
    if (/^(?:limit|take)$/.test(propertyName(callee) ?? '') && argument) {
      return known(file, argument);
    }
    it = bare(callee.object);
  }
  return undefined;
}

/** `lpop(key, 50)`, `xread('COUNT', 50, …)`; undefined where the command takes one element. */
export function countOfCommand({ at, method }: Effect): Quantity | undefined {
  const args = isCall(at.node) ? argumentsOf(at.node) : [];
  const isRange = /^[lz]range$/i.test(method);
  if (isRange) return rangeOf(at.file, args);
  const isCounted = /^(?:[lrs]pop|zpop(?:min|max))(?:count)?$/i.test(method);
  const name = args.findIndex((it) => it.type === 'Literal' && /^count$/i.test(String(it.value)));
  const count = isCounted ? args[1] : name === -1 ? undefined : args[name + 1];
  return count && quantityOf(at.file, count);
}

/** `lrange(key, 0, 9)` asks for ten; -1 is the last, however many there are. */
function rangeOf(file: FileFacts, [, from, to]: readonly Node[]): Quantity | undefined {
  const [first, last] = [from, to].map((it) => it && quantityOf(file, it).value);
  if (first === undefined || last === undefined) return undefined;
  // veto: the range of the command ends at the last element, so it reads the whole list
  if (last < first) return undefined;
  return literalQuantity(last - first + 1);
}

/** How many messages a request takes: as many as its options declare, one where they declare none. */
export function countOfRequest({ env, at }: Effect): Quantity | undefined {
  if (env !== 'http') return undefined;
  const [given] = chainOf(at.node).flatMap((it) => it.arguments);
  const command = given && bare(given);
  const options = command?.type === 'NewExpression' ? command.arguments[0] : command;
  const value = options && valueOf(at.file, options);
  if (value?.kind !== 'object') return unknownQuantity();
  const { properties } = value.node;
  const own = properties.find(
    (it) => it.type === 'Property' && propertyName(it) === 'MaxNumberOfMessages',
  );
  if (own?.type === 'Property') return quantityOf(value.file, own.value);
  return properties.some((it) => it.type === 'SpreadElement')
    ? unknownQuantity()
    : literalQuantity(1);
}

/** A number that the code tells, as a fact or by default. */
function known(file: FileFacts, node: Node): Quantity | undefined {
  const quantity = quantityOf(file, node);
  return quantity.value === undefined ? undefined : quantity;
}

const LIMITS =
  /^(?:take|limit|batchSize|batch_size|count|max|maxMessages|MaxNumberOfMessages|COUNT|size|n)$/;

export function passedBatch(
  file: FileFacts,
  call: Call,
  { isOptionsOnly } = { isOptionsOnly: false },
): Quantity | undefined {
  for (const argument of argumentsOf(call)) {
    const it = bare(argument);
    if (it.type === 'ObjectExpression') {
      for (const property of it.properties) {
        if (property.type !== 'Property' || !LIMITS.test(propertyName(property) ?? '')) continue;
        const size = known(file, property.value);
        if (size) return size;
      }
    } else if (!isOptionsOnly) {
      const size = known(file, it);
      if (Number.isInteger(size?.value) && size!.value! > 1) return size;
    }
  }
  return undefined;
}

/** A statement without a limit may take many rows, unless only the first is used. */
export function isMany(effect: Effect, result: Variable | undefined): boolean {
  if (takesFirst(effect, result)) return false;
  const isStatement = effect.env === 'db' && (effect.rows ?? sqlAt(effect)) !== undefined;
  return isStatement || /many|batch|all|receive|messages|range|xread/i.test(effect.method);
}
