import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import type { Pause } from '../../analysis/flow/turns.ts';
import { assignmentsOf } from '../../analysis/provenance/assignments.ts';
import { partGivenTo, partGivenToClass } from '../../analysis/provenance/given-fields.ts';
import {
  givenFor,
  isLeftOut,
  type OptionalPart,
  type Part,
} from '../../analysis/provenance/given-parts.ts';
import { type Making, makingsOf } from '../../analysis/provenance/makings.ts';
import {
  bare,
  classAround,
  type ClassNode,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { constructorOf } from '../../analysis/syntax/constructors.ts';
import { memberQuantityOf } from '../../analysis/values/field-quantities.ts';
import { type Quantity, quantityFrom, unknownQuantity } from '../../analysis/values/quantity.ts';
import { folded, quantityOf } from '../../analysis/values/values.ts';

export type Given = readonly TSESTree.CallExpressionArgument[];

/** Also of what an object has from another: `{ ...config.outbox, log }`. */
export function partOfCall(file: FileFacts, args: Given, { index, member }: Part): Quantity {
  const argument = args[index];
  if (!argument || argument.type === 'SpreadElement') return unknownQuantity();
  return member === undefined
    ? quantityOf(file, argument)
    : (memberQuantityOf(file, argument, member) ?? unknownQuantity());
}

/** The part of what a class is given that a time in it is, also behind a default: `this.restMs = options.restMs ?? 500`. */
export function timeGivenToClass(file: FileFacts, node: Node, owner: ClassNode): Part | undefined {
  const part = partGivenToClass(file, node, owner);
  const name = part ? undefined : ownMember(node);
  const [value, ...others] = (name && assignmentsOf(file).to(owner).get(name)) || [];
  const it = value && bare(value);
  const fn = constructorOf(owner);
  // no veto: it is no part, or has several values.
  if (it?.type !== 'LogicalExpression' || others.length > 0 || !fn) return part;
  return partGivenTo(file, it.left, fn) ?? partGivenToClass(file, it.left, owner);
}

/** `step` of `this.step`. */
export function ownMember(node: Node | undefined): string | undefined {
  return node?.type === 'MemberExpression' && node.object.type === 'ThisExpression'
    ? propertyName(node)
    : undefined;
}

/**
 * `sleep(this.options.restMs)` of a class that all who make it give the same time: `new Worker(queue, { restMs: 250 })`; also where
 * it is computed of what they give: `this.baseMs + Math.random() * this.jitterMs`.
 */
export function timeByMakers({ time, duration, through }: Pause): Quantity {
  return time && duration.value === undefined ? numberByMakers(time, through, duration) : duration;
}

/** The number at a place, where what makes the object of its class may decide it. */
export function numberByMakers(
  place: Place,
  through: readonly FunctionValue[] = [],
  own = quantityOf(place.file, place.node),
): Quantity {
  const owner = classAround(place.node)?.node;
  if (!owner || own.value !== undefined) return own;
  const numbers = makersOf(place.file, owner, through).map((it) =>
    numberOfMaking(place, owner, it),
  );
  const [first] = numbers;
  return first && numbers.every((it) => areAlike(it, first)) ? first : own;
}

/** What made the object whose method pauses, or all that makes one of its class. */
function makersOf(
  file: FileFacts,
  owner: ClassNode,
  through: readonly FunctionValue[],
): readonly Making[] {
  for (const { self } of through)
    if (self?.kind === 'instance' && self.node === owner && self.madeAt)
      return [{ file: self.madeAt.file, node: self.madeAt.call }];
  return makingsOf(file, owner);
}

function numberOfMaking({ file, node }: Place, owner: ClassNode, making: Making): Quantity {
  const { arguments: args } = making.node;
  const given = (where: FileFacts, it: Node) => {
    const part = where === file ? timeGivenToClass(file, it, owner) : undefined;
    // no veto: stated in the class, or by default.
    return part && !isLeftOut(args, part) ? partOfCall(making.file, args, part) : undefined;
  };
  return quantityFrom(folded({ file, args: new Map(), depth: 0, given }, node));
}

function areAlike(one: Quantity, other: Quantity): boolean {
  return one.value === other.value && one.range?.least === other.range?.least;
}

/** The number that a call gives a function of `owner`, or that is its default there; undefined where neither is resolved. */
export function numberGiven(
  file: FileFacts,
  args: Given,
  { owner, part }: { readonly owner: FileFacts; readonly part: OptionalPart },
): number | undefined {
  const given = givenFor(args, part);
  if (given) return quantityOf(file, given).value;
  const { fallback } = part;
  return fallback && isLeftOut(args, part) ? quantityOf(owner, fallback).value : undefined;
}
