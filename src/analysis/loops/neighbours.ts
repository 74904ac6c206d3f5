import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  contains,
  type FunctionNode,
  type Node,
  propertyName,
  rootOf,
  undefaulted,
  walk,
  walkOwn,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { changedObject, writtenTarget } from '../effects/memory.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import { endsAt, startsAt } from '../syntax/places.ts';
import { wholesOf } from '../effects/wholes.ts';

/**
 * Whether an iteration asks with what an earlier one has left in its element: `parent: category.parent?.id`, where
 * `category.id = row.id` comes after it, `rows[i - 1].total`, or `step.from` after `step.next.from = row.id`.
 */
export function asksWithNeighbours(
  file: FileFacts,
  loop: Loop,
  questions: readonly Node[],
): boolean {
  const stretches = withCalled(stretchOf(file, loop, questions), 1);
  const left = { element: new Set<string>(), neighbour: new Set<string>() };
  for (const it of stretches) noteLeft(it, left);
  // no veto: nothing is put into an element.
  if (left.element.size + left.neighbour.size === 0) return false;
  return stretches.some((it) =>
    asks(it, (node) => {
      if (node.type !== 'MemberExpression') return false;
      const field = propertyName(node) ?? '';
      // no veto: spares most members the question.
      if (!left.element.has(field) && !left.neighbour.has(field)) return false;
      const kind = kindOf(it, node.object);
      const others = kind === 'element' ? left.neighbour : left.element;
      return kind !== undefined && others.has(field);
    }),
  );
}

/** What an iteration runs: the body of its loop, or a function that is given its element. */
interface Stretch {
  readonly file: FileFacts;
  readonly body: Node;
  /** The names of the element. */
  readonly elements: ReadonlySet<Variable>;
  /** Those, and the lists and objects that its neighbours are found in. */
  readonly around: ReadonlySet<Variable>;
  readonly questions: readonly Node[];
  /** From here on, other iterations may run between; what comes before is done in order, whoever waits for it. */
  readonly answeredFrom: number;
}

function stretchOf(
  file: FileFacts,
  { body, variables }: Loop,
  questions: readonly Node[],
): Stretch {
  const isOutside = ({ defs }: Variable) => !defs.some((it) => contains(body, it.name));
  const elements = new Set([...variables].filter(isOutside));
  const names = [...elements].flatMap((it) => it.defs.map(({ name }) => name));
  const around = new Set(names.flatMap((it) => rootsAround(file, it)).filter(isOutside));
  walk(body, (it) => {
    if (it.type !== 'MemberExpression' || !isOne(file, it.property, elements)) return;
    for (const list of rootsAround(file, it)) if (isOutside(list)) around.add(list);
  });
  return { file, body, elements, around, questions, answeredFrom: firstOf(questions) };
}

/** Also the functions that its questions call with the element, and those that they call with it. */
function withCalled(stretch: Stretch, depth: number): readonly Stretch[] {
  const { file } = stretch;
  const called = stretch.questions.flatMap((question): readonly Stretch[] => {
    const it = bare(question.type === 'AwaitExpression' ? question.argument : question);
    const callee = it.type === 'CallExpression' ? valueOf(file, it.callee) : undefined;
    if (it.type !== 'CallExpression' || callee?.kind !== 'function') return [];
    const parameter = callee.node.params[it.arguments.findIndex((one) => isElement(stretch, one))];
    const pattern = parameter && undefaulted(parameter);
    if (!pattern) return [];
    const around = new Set(variablesIn(callee.file, pattern));
    const questions = questionsIn(callee.node);
    return [
      {
        file: callee.file,
        body: bodyOf(callee.node)!,
        elements: pattern.type === 'Identifier' ? around : new Set(),
        around,
        questions,
        answeredFrom: startsAt(question) > stretch.answeredFrom ? 0 : firstOf(questions),
      },
    ];
  });
  return [stretch, ...(depth > 0 ? called.flatMap((it) => withCalled(it, depth - 1)) : called)];
}

function firstOf(questions: readonly Node[]): number {
  return Math.min(...questions.map(startsAt));
}

function questionsIn(fn: FunctionNode): readonly Node[] {
  const body = bodyOf(fn);
  const found: Node[] = body!.type === 'BlockStatement' ? [] : [body!];
  walkOwn(body!, (it) => {
    if (it.type === 'AwaitExpression') found.push(it);
    if (it.type === 'ReturnStatement' && it.argument) found.push(it.argument);
  });
  return found;
}

/** The fields that it puts something into, of the element or of others. */
function noteLeft(stretch: Stretch, left: Readonly<Record<Kind, Set<string>>>): void {
  walk(stretch.body, (write) => {
    if (endsAt(write) < stretch.answeredFrom) return;
    const target = writtenTarget(write);
    const object = target && changedObject(write, target);
    const kind = object && kindOf(stretch, object);
    if (!kind) return;
    for (const it of fieldsSetBy(write, target)) if (it !== undefined) left[kind].add(it);
  });
}

/** `branch.id = row.id` and `Object.assign(branch, { id: row.id })` */
function fieldsSetBy(write: Node, target: Node): readonly (string | undefined)[] {
  const it = bare(target);
  if (write.type !== 'CallExpression')
    return it.type === 'MemberExpression' ? [propertyName(it)] : [];
  const [into, ...given] = write.arguments;
  // What is kept in a map is new.
  if (into !== target) return [];
  const properties = given.flatMap((one) =>
    one.type === 'ObjectExpression' ? one.properties : [],
  );
  return properties.map((one) => (one.type === 'Property' ? propertyName(one) : undefined));
}

type Kind = 'element' | 'neighbour';

/** What an object is; part of the element may be another one. */
function kindOf(stretch: Stretch, object: Node): Kind | undefined {
  if (isElement(stretch, object)) return 'element';
  const { file, around } = stretch;
  return rootsAround(file, object).some((it) => around.has(it)) ? 'neighbour' : undefined;
}

/** `row`, `rows[i]`, or another name of one of them. */
function isElement(stretch: Stretch, object: Node): boolean {
  const { file, body, elements } = stretch;
  const it = bare(object);
  // no veto: what is part of one, or what a call gives, may be another.
  if (it.type === 'MemberExpression') return isOne(file, it.property, elements);
  if (it.type !== 'Identifier' || isOne(file, it, elements)) return it.type === 'Identifier';
  const definition = file.variableOf(it)?.defs[0];
  if (definition?.type !== 'Variable' || definition.node.id !== definition.name) return false;
  const { init } = definition.node;
  return init !== null && contains(body, init) && isElement(stretch, init);
}

function isOne(file: FileFacts, name: Node, variables: ReadonlySet<Variable>): boolean {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  return variable !== undefined && variables.has(variable);
}

/** The variables in whose objects an object is found. */
function rootsAround(file: FileFacts, object: Node): readonly Variable[] {
  return wholesOf(file, object).flatMap((whole) => {
    const root = rootOf(whole);
    return (root.type === 'Identifier' && file.variableOf(root)) || [];
  });
}

/** Whether a question holds it, or a name that was given it: `const { id } = …`. */
function asks({ file, body, questions }: Stretch, isMeant: (it: Node) => boolean): boolean {
  const named = new Set<Variable>();
  walkOwn(body, (it) => {
    if (it.type !== 'VariableDeclarator' || it.id.type !== 'Identifier' || !it.init) return;
    const variable = file.variableOf(it.id);
    if (variable && holds(it.init, isMeant)) named.add(variable);
  });
  return questions.some((it) => holds(it, isMeant) || mentions(file, it, named));
}

function holds(node: Node, isMeant: (it: Node) => boolean): boolean {
  let found = false;
  walk(node, (it) => {
    found ||= isMeant(it);
    return !found;
  });
  return found;
}
