import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { InstanceValue, Maker } from '../file/makers.ts';
import type { Place } from '../file/place.ts';
import { UNKNOWN, type Value } from '../file/value.ts';
import { bare, type ClassNode, type FunctionNode, isFunction, type Node } from '../syntax/ast.ts';
import { passedBy } from '../syntax/calls.ts';
import { constructorOf, superCallIn } from '../syntax/constructors.ts';
import { nameNodeOf } from '../syntax/function-names.ts';
import { distantUsesOf } from './distant-uses.ts';
import { partGivenTo } from './given-fields.ts';
import { givenFor, parameterAt, type Part } from './given-parts.ts';
import { valueOf } from './value-of.ts';

/** A call of a function that makes an object, or what makes one of a class. */
export interface Making extends Place {
  readonly node: TSESTree.CallExpression | TSESTree.NewExpression;
}

/** Where a function is called, or a class instantiated. */
export function makingsOf(file: FileFacts, owner: FunctionNode | ClassNode): readonly Making[] {
  const own = isFunction(owner) ? usesOfFunction(file, owner) : namesOfNew(file, owner);
  const uses = own.map((node) => ({ file, node }));
  return [...uses, ...distantUsesOf(file, owner)].flatMap((it) => {
    const { parent } = it.node;
    const isCalled = parent?.type === 'CallExpression' || parent?.type === 'NewExpression';
    return isCalled && parent.callee === it.node ? [{ file: it.file, node: parent }] : [];
  });
}

function usesOfFunction(file: FileFacts, fn: FunctionNode): readonly Node[] {
  const name = nameNodeOf(fn);
  const variable = name?.type === 'Identifier' ? file.variableOf(name) : undefined;
  return (variable?.references ?? []).map((it) => it.identifier as Node);
}

/** A class has its name twice, inside of it and around it. */
function namesOfNew(file: FileFacts, { id }: ClassNode): readonly Node[] {
  const isIt = (callee: Node) =>
    callee.type === 'Identifier' &&
    callee.name === id?.name &&
    file.variableOf(callee)?.defs.some((it) => it.name === id) === true;
  return file.nodes.all('NewExpression').flatMap(({ callee }) => (isIt(callee) ? callee : []));
}

/** Classes that extend each other have no end. */
export const FARTHEST_PARENT = 8;

/** The part of what a class is constructed with that a part of its parent's constructor is. */
export function partOfMaking(
  file: FileFacts,
  owner: ClassNode,
  part: Part,
  distance = 0,
): Part | undefined {
  const fn = constructorOf(owner);
  if (fn === part.fn) return part;
  const isFar = distance > FARTHEST_PARENT;
  const parent = owner.superClass && !isFar ? valueOf(file, owner.superClass) : undefined;
  const above =
    parent?.kind === 'class'
      ? partOfMaking(parent.file, parent.node, part, distance + 1)
      : undefined;
  if (!fn || !above) return above;
  const call = superCallIn(fn);
  const given = call && givenFor(call.arguments, above);
  return given && partGivenTo(file, given, fn);
}

/** What an object was given for a part of what its class, or a parent of that, is constructed with. */
export function givenToInstance(self: InstanceValue, part: Part): Value {
  const { madeAt } = self;
  const own = madeAt && partOfMaking(self.file, self.node, part);
  const node = own && givenFor(madeAt.call.arguments, own);
  const place = node && handedOn({ file: madeAt.file, node }, madeAt.outer);
  return place ? valueOf(place.file, place.node) : UNKNOWN;
}

/** What the outermost maker was given, as far as makers hand it on: `session` within `repositoriesOn(session)`. */
export function handedOn(given: Place, outer: Maker | undefined): Place | undefined {
  const part = parameterAt(given.file, bare(given.node));
  if (!part || part.fn !== outer?.fn) return given;
  const node = passedBy(outer.call, outer.fn)[part.index];
  return node && handedOn({ file: outer.file, node }, outer.outer);
}
