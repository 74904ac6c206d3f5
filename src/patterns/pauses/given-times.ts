import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Pause } from '../../analysis/flow/turns.ts';
import { assignmentsOf } from '../../analysis/provenance/assignments.ts';
import { partGivenTo, partGivenToClass } from '../../analysis/provenance/given-fields.ts';
import {
  givenFor,
  isLeftOut,
  type OptionalPart,
  type Part,
} from '../../analysis/provenance/given-parts.ts';
import { makingsOf } from '../../analysis/provenance/makings.ts';
import {
  bare,
  classAround,
  type ClassNode,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { constructorOf } from '../../analysis/syntax/constructors.ts';
import { memberQuantityOf } from '../../analysis/values/field-quantities.ts';
import { type Quantity, unknownQuantity } from '../../analysis/values/quantity.ts';
import { quantityOf } from '../../analysis/values/values.ts';

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

/** `sleep(this.options.restMs)` of a class that all who make it give the same time: `new Worker(queue, { restMs: 250 })`. */
export function timeByMakers({ time, duration }: Pause): Quantity {
  const owner = time && classAround(time.node)?.node;
  if (!owner || duration.value !== undefined) return duration;
  const part = timeGivenToClass(time.file, time.node, owner);
  const makings = part ? makingsOf(time.file, owner) : [];
  const times = makings.map((it) => partOfCall(it.file, it.node.arguments, part!));
  const [first] = times;
  return first && times.every((it) => it.value === first.value) ? first : duration;
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
