import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import {
  bare,
  type ClassNode,
  contains,
  type FunctionNode,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { constructorOf } from '../syntax/constructors.ts';
import { parameterProperty } from '../syntax/parameter-properties.ts';
import { assignmentsOf } from './assignments.ts';
import { memberOrDefaultIn, optionalPartAt, type Part } from './given-parts.ts';

/** Names are followed this far. */
const FARTHEST = 8;

/** What of the constructor's parameters a field holds for good. */
export const givenField = query(
  'field that is given',
  (file: FileFacts, owner: ClassNode, name: string): Part | undefined => {
    const fn = constructorOf(owner);
    if (!fn) return undefined;
    const property = parameterProperty(fn, name);
    const index = fn.params.findIndex((it) => property && contains(it, property));
    const assigned = assignmentsOf(file).to(owner).get(name) ?? [];
    if (index !== -1) return assigned.length === 0 ? { fn, index, member: undefined } : undefined;
    return assigned.length === 1 ? partGivenTo(file, assigned[0]!, fn) : undefined;
  },
  { whileCyclic: undefined, isCompared: false },
);

/** The part of what a function is given that an expression in it stands for: `step`, `options.step`. */
export function partGivenTo(
  file: FileFacts,
  node: Node,
  fn: FunctionNode,
  distance = 0,
): Part | undefined {
  // no veto: two names that stand for each other.
  if (distance > FARTHEST) return undefined;
  const further = (it: Node) => partGivenTo(file, it, fn, distance + 1);
  const it = bare(node);
  if (it.type === 'MemberExpression') return memberGiven(it, further(it.object));
  const part = optionalPartAt(file, it);
  if (part) return part.fn === fn ? part : undefined;
  return takenFrom(file, it, further);
}

/** `everyMs` of `const { everyMs } = options`. */
function takenFrom(
  file: FileFacts,
  name: Node,
  partAt: (init: Node) => Part | undefined,
): Part | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const [definition] = variable?.defs ?? [];
  // no veto: it is no name of a part.
  if (definition?.type !== 'Variable' || variable!.writes.length > 0) return undefined;
  const { id, init } = definition.node;
  const whole = init ? partAt(init) : undefined;
  if (!whole || id.type === 'Identifier') return whole;
  const member = memberOrDefaultIn(id, definition.name);
  return whole.member === undefined && member !== undefined ? { ...whole, member } : undefined;
}

/** The same of what the constructor of a class is given, in its methods: `this.step`, `this.options.step`. */
export function partGivenToClass(
  file: FileFacts,
  node: Node,
  owner: ClassNode,
  distance = 0,
): Part | undefined {
  // no veto: two names that stand for each other.
  if (distance > FARTHEST) return undefined;
  const further = (it: Node) => partGivenToClass(file, it, owner, distance + 1);
  const it = bare(node);
  if (it.type !== 'MemberExpression') return takenFrom(file, it, further);
  const name = propertyName(it);
  if (it.object.type === 'ThisExpression')
    return name === undefined ? undefined : givenField(file, owner, name);
  return memberGiven(it, further(it.object));
}

function memberGiven(node: TSESTree.MemberExpression, whole: Part | undefined): Part | undefined {
  const member = propertyName(node);
  // no veto: it stands for no part of a parameter.
  return whole?.member === undefined && whole && member !== undefined
    ? { ...whole, member }
    : undefined;
}
