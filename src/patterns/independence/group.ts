import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  calledName,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { addReceivers, type AwaitShape } from './await-shapes.ts';
import { type Behaviour, behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { changedBuildersIn, isCopied } from '../../analysis/effects/held-builders.ts';
import { rootsOf } from '../../analysis/loops/iteration-variables.ts';
import {
  areOneAnother,
  changedObject,
  isOfLibrary,
  type Location,
  locationOf,
  namedPart,
  placeOf,
  variableLocation,
  writtenTarget,
} from '../../analysis/effects/memory.ts';
import { mentionsSome, variablesIn } from '../../analysis/syntax/mentions.ts';
import { wholesOf } from '../../analysis/effects/wholes.ts';

export interface IndependentRead {
  readonly shape: AwaitShape;
  readonly effects: readonly Effect[];
}

/** The reads gathered so far in a walk down one block, and what has happened since the first of them. */
export interface Group {
  readonly reads: GroupRead[];
  readonly written: Set<Location>;
  /** The values that the statements since then read. */
  readonly looked: Set<Location>;
  /** Variables that they set, and those whose objects they change. */
  readonly changed: Set<Variable>;
  /** The growth of a list that one of the reads uses: `values.push(limit)`. */
  readonly growths: Node[];
  mayVeto: boolean;
}

export interface Outcome {
  readonly behaviour: Behaviour;
  readonly results: ReadonlySet<Variable>;
  /**
   * The targets into which statements have put its result: `form.groups`, after `for (const group of form.groups) group.total =
   * sum`.
   */
  readonly given: ReadonlySet<Location>;
}

export interface GroupRead extends IndependentRead, Outcome {
  /** The variables that hold its result, or something computed from it. */
  readonly results: Set<Variable>;
  readonly given: Set<Location>;
}

export function newGroup(): Group {
  return {
    ...{ reads: [], written: new Set(), looked: new Set(), changed: new Set() },
    ...{ growths: [], mayVeto: false },
  };
}

/** The reads of which one of the results is part of the question, or of the test whether it is asked. */
export function needs(
  file: FileFacts,
  reads: readonly GroupRead[],
  shape: AwaitShape,
  scope: Node,
): GroupRead[] {
  return reads.filter((read) =>
    questionOf(shape).some((it) => mentionsOutcome(file, it, read, scope)),
  );
}

/** Its result, or an object that it has changed: the list that `load(found)` pushes to. */
export function mentionsOutcome(
  file: FileFacts,
  node: Node,
  { results, behaviour, given }: Outcome,
  scope: Node,
): boolean {
  const { memoryWrites, memoryChanges } = behaviour;
  const isOutcome = (it: Variable, name: TSESTree.Identifier, changed: ReadonlySet<Location>) =>
    results.has(it) || (!isCopied(name) && isAmong(namedPart(file, name, it, scope), changed));
  return mentionsSome(file, node, (it, name) => {
    if (isOutcome(it, name, memoryWrites) || isGiven(file, name, it, { given, scope })) return true;
    const fn = functionNamed(it);
    // Whether a function finds in a cache what this has put there, its own behaviour tells.
    return !!fn && mentionsSome(file, fn, (inner, at) => isOutcome(inner, at, memoryChanges));
  });
}

/** `groups`, after `const { groups } = form`, is `form.groups` under another name. */
function isGiven(
  file: FileFacts,
  name: TSESTree.Identifier,
  variable: Variable,
  { given, scope }: { readonly given: ReadonlySet<Location>; readonly scope: Node },
): boolean {
  if (isAmong(namedPart(file, name, variable, scope), given)) return true;
  const place = originOf(file, variable, scope);
  return place !== undefined && isAmong(place, given);
}

/** Of a variable that names a part of another object. */
function originOf(file: FileFacts, { defs }: Variable, scope: Node): Location | undefined {
  const [definition] = defs;
  if (definition?.type !== 'Variable') return undefined;
  const { init, id } = definition.node;
  if (!init || !/^(?:Identifier|MemberExpression)$/.test(bare(init).type)) return undefined;
  const place = placeOf(file, init, scope);
  const property =
    id.type === 'ObjectPattern'
      ? id.properties.find((it) => it.type === 'Property' && it.value === definition.name)
      : undefined;
  const field = property?.type === 'Property' ? propertyName(property) : undefined;
  return place && field !== undefined ? `${place}.${field}` : place;
}

/** A function that is called by its name may look at a result that has another. */
function functionNamed({ defs }: Variable): Node | undefined {
  const [definition] = defs;
  if (definition?.type === 'FunctionName') return definition.node as Node;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init && isFunction(init) ? init : undefined;
}

export function questionOf({ node, condition, before }: AwaitShape): readonly Node[] {
  return condition ? [node, condition, ...before] : [node];
}

/** Whether it is one of those, part of one, or the whole of one. */
export function isAmong(location: Location, others: ReadonlySet<Location>): boolean {
  return [...others].some((it) => areOneAnother(location, it));
}

/** Variables that a statement computes from results are results themselves; its writes may be read later. */
export function spread(
  file: FileFacts,
  group: Group,
  statement: TSESTree.Statement,
  scope: Node,
): void {
  // `const { where } = this`, `this.whereOf(id)`: computed from what was put into fields.
  const lookedAt = group.reads.some(({ given }) => given.size > 0)
    ? [...behaviourOf(file, statement, scope).memoryReads]
    : [];
  const used = group.reads.filter(
    (it) =>
      mentionsOutcome(file, statement, it, scope) || lookedAt.some((at) => isAmong(at, it.given)),
  );
  for (const it of group.reads) addReceivers(file, it, statement);
  for (const it of changedBuildersIn(file, statement)) {
    group.changed.add(it);
    // veto: a query builder uses the result of an earlier read, so its query depends on that read
    for (const { results } of used) results.add(it);
  }
  // Functions of the statement run with it: `rows.forEach((row) => ids.push(row.id))`.
  walk(statement, (node) => {
    const looked =
      node.type === 'Identifier' || node.type === 'MemberExpression'
        ? locationOf(file, node, scope)
        : undefined;
    if (looked) group.looked.add(looked);
    const target = node.type === 'VariableDeclarator' ? node.id : writtenTarget(node);
    // no veto: it sets nothing; that a query is sorted changes no part of it that has a name.
    if (!target || isOfLibrary(file, node, target)) return;
    const isGrowth = growsList(file, node, target);
    if (isGrowth && group.reads.some((it) => isGivenList(file, it, target)))
      group.growths.push(node);
    const location = locationOf(file, target, scope);
    if (location) {
      group.written.add(location);
      for (const it of group.reads) {
        if (used.includes(it) || it.shape.statement === statement) it.given.add(location);
      }
    }
    if (node.type !== 'VariableDeclarator' && !isGrowth) {
      for (const variable of rootsOf(file, target)) group.changed.add(variable);
    }
    for (const variable of variablesIn(file, target)) {
      for (const { results } of used) results.add(variable);
      if (node.type !== 'VariableDeclarator') group.written.add(variableLocation(file, variable));
    }
    const object = changedObject(node, target);
    for (const whole of object ? wholesOf(file, object) : []) {
      const place = placeOf(file, whole, scope);
      if (!place) continue;
      group.written.add(place);
      for (const { given } of used) given.add(place);
      for (const variable of isGrowth ? [] : rootsOf(file, whole)) group.changed.add(variable);
    }
  });
}

/** `values.push(limit)` after `const values = [id]`: a copy is all that keeps two who ask with it apart. */
function growsList(file: FileFacts, node: Node, target: Node): boolean {
  if (node.type !== 'CallExpression' || calledName(node.callee) !== 'push') return false;
  const list = bare(target);
  const definition = list.type === 'Identifier' ? file.variableOf(list)?.defs[0] : undefined;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init?.type === 'ArrayExpression';
}

/** `[...values]`, `values.slice()` */
const COPYING = /^(?:SpreadElement|MemberExpression)$/;

/** The list itself, and no copy of it: `query(text, values)`. */
function isGivenList(file: FileFacts, { shape }: GroupRead, target: Node): boolean {
  const lists = new Set(variablesIn(file, target));
  return mentionsSome(
    file,
    shape.node,
    (it, name) => lists.has(it) && !COPYING.test(name.parent.type),
  );
}
