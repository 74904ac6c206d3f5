import type { TSESTree } from '@typescript-eslint/utils';
import { collect, collectFrom } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { knownBehaviourOf, knownBehaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import {
  areOneAnother,
  type Location,
  locationOf,
  writtenTarget,
} from '../../analysis/effects/memory.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type FunctionValue, UNKNOWN } from '../../analysis/file/value.ts';
import { pauseInCall } from '../../analysis/flow/turns.ts';
import { parameterAt } from '../../analysis/provenance/given-parts.ts';
import { returnedExpressions } from '../../analysis/syntax/calls.ts';
import { type Loop, loopsOf, loopsWithin } from '../../analysis/flow/loops.ts';
import { type LoopPause, pausesOf } from '../../analysis/loops/pauses.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  calledName,
  contains,
  functionAround,
  type FunctionNode,
  isConstructor,
  isFunction,
  isLoop,
  type Node,
  propertyName,
  shownName,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { exitsOf } from '../../analysis/syntax/conditions.ts';
import { functionNames } from '../../analysis/syntax/function-names.ts';
import { variablesIn } from '../../analysis/syntax/mentions.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/**
 * `while (this.refreshing) await sleep(250)`: a loop that only checks whether the memory of its own process has changed. The code
 * that changes it could wake the loop.
 */
export interface StatePoll extends Pick<LoopPause, 'loop' | 'pause' | 'node'> {
  /** What it checks, as the code writes it: `this.refreshing`, `letters.status()`. */
  readonly state: string;
  /** The file of the loop. */
  readonly of: FileFacts;
}

export function statePollsOf(file: FileFacts): readonly StatePoll[] {
  return [...statePollsOfLoops(file), ...statePollsOfCalls(file)];
}

const statePollsOfLoops = collectFrom('state polls', loopsOf, (file: FileFacts, loop: Loop) =>
  statePollsIn(file, loop),
);

const statePollsOfCalls: (file: FileFacts) => readonly StatePoll[] = collect(
  'state polls of calls',
  (file: FileFacts, { all }) => all('CallExpression').flatMap((it) => pollOfCall(file, it) ?? []),
);

function statePollsIn(file: FileFacts, loop: Loop): readonly StatePoll[] {
  const { node } = loop;
  // no veto: a function that runs again has no test of its own.
  if (!isLoop(node)) return [];
  // veto: the loop goes over elements, so it does not wait for a state
  if (loop.over) return [];
  const [pause, ...others] = pausesOf(file, loop).filter((it) => it.pause.kind === 'sleep');
  if (!pause || others.length > 0) return [];
  const behaviour = knownBehaviourOf(file, node, scopeAround(file, loop.body));
  // veto: the loop does more than sleep and check memory, or contains an unresolved call
  if (!behaviour?.effects.every((it) => it.env === 'timer')) return [];
  const state =
    endingTests(loop)
      .map((it) => stateIn(file, loop, it))
      .find((it) => it !== undefined) ??
    (node.type === 'WhileStatement' && !isAtEnd(node) ? roomIn(file, node, node.test) : undefined);
  return state === undefined ? [] : [{ ...pause, state, of: file }];
}

/** `await until(() => !this.refreshing, 50)`: what is asked, and mostly how often, the call says, and the loop is in the function. */
function pollOfCall(file: FileFacts, call: TSESTree.CallExpression): StatePoll | undefined {
  const index = call.arguments.findIndex((it) => isFunction(it) && !it.async);
  const given = call.arguments[index];
  // no veto: spares the question what is called.
  if (!given || !isFunction(given) || given.params.length > 0) return undefined;
  const [asked, ...others] = returnedExpressions(given);
  // no veto: several answers are not followed.
  if (!asked || others.length > 0) return undefined;
  const callee = valueOf(file, call.callee);
  const poller = callee.kind === 'function' ? pollerOf(callee.file, callee.node) : undefined;
  if (callee.kind !== 'function' || poller?.index !== index) return undefined;
  const behaviour = knownBehaviourOf(file, asked, scopeAround(file, call));
  // veto: the polled function has an effect outside the process, or is unresolved
  if (!behaviour || behaviour.effects.length > 0) return undefined;
  const pause = pauseInCall(file, call, callee, poller.wait);
  const place = { node: call, body: call };
  const state =
    partsOf(asked)
      .map((it) => stateIn(file, place, it))
      .find((it) => it !== undefined) ?? (isAtEnd(call) ? undefined : roomIn(file, call, asked));
  if (!pause || state === undefined) return undefined;
  return { loop: poller.loop, pause, node: call, state, of: callee.file };
}

/** A function that asks one that it is given, and waits, until that answers. */
interface Poller {
  /** Of the parameter that it asks. */
  readonly index: number;
  readonly loop: Loop;
  readonly wait: Node;
}

const pollerOf = query(
  'poller',
  (file: FileFacts, fn: FunctionNode): Poller | undefined => {
    const loop = loopsWithin(file, fn).find((it) => functionAround(it.node) === fn);
    const index = (loop ? endingTests(loop) : [])
      .map((it) => parameterAsked(file, fn, it))
      .find((it) => it !== undefined);
    const pause = loop && pausesOf(file, loop).find((it) => it.pause.kind === 'sleep');
    // no veto: it asks nothing that it is given, or does not wait.
    if (index === undefined || !pause) return undefined;
    const behaviour = knownBehaviourOf(file, loop.body, fn);
    // veto: the loop of the helper does more than sleep and call the function that it gets
    if (!behaviour?.effects.every((it) => it.env === 'timer')) return undefined;
    return { index, loop, wait: pause.pause.node };
  },
  { whileCyclic: undefined, isCompared: false },
);

/** The index of the parameter that a part of a test calls. */
function parameterAsked(file: FileFacts, fn: FunctionNode, asked: Node): number | undefined {
  const name = asked.type === 'CallExpression' ? bare(asked.callee) : undefined;
  const part = name && parameterAt(file, name);
  return part?.fn === fn ? part.index : undefined;
}

/** What ends a program, or keeps it from working: whoever waits for that is in no hurry. */
const ENDING =
  /\b(?:stop\w*|abort\w*|shut\w*|clos\w*|cancel\w*|running|alive|exit\w*|quit\w*|kill\w*|terminat\w*|drain\w*|paus\w*|suspend\w*|destroy\w*|dispos\w*|ending|ended|flush\w*|teardown)\b/;

function isAtEnd(place: Node): boolean {
  return functionNames(place).some((it) => ENDING.test(wordsOf(it)));
}

/** The test of the loop, and those of its branches that leave it. */
function endingTests({ node, body }: Loop): readonly Node[] {
  const tests: Node[] = 'test' in node && node.test ? [node.test] : [];
  walkOwn(body, (it) => {
    if (it.type === 'IfStatement' && exitsOf(it.consequent).some((exit) => exit !== 'continue'))
      tests.push(it.test);
  });
  return tests.flatMap(partsOf);
}

/** What a test is put together from; a comparison of sizes is none: to wait for room, or until all is done, is another question. */
function partsOf(test: Node): readonly Node[] {
  const it = bare(test);
  switch (it.type) {
    case 'LogicalExpression':
      return [...partsOf(it.left), ...partsOf(it.right)];
    case 'UnaryExpression':
    case 'AwaitExpression':
      return partsOf(it.argument);
    case 'BinaryExpression':
      return /^[!=]==?$/.test(it.operator) ? [...partsOf(it.left), ...partsOf(it.right)] : [];
    default:
      return [it];
  }
}

/**
 * `while (this.active >= limit) await sleep(50); this.active++;`, or a set that is asked for its size and then added to: it waits for
 * room, which it then takes, and the code that gives room back could wake it.
 */
function roomIn(file: FileFacts, place: Node, asked: Node): string | undefined {
  const test = bare(asked);
  // no veto: the shape of a comparison.
  if (test.type !== 'BinaryExpression' || !/^[<>]=?$/.test(test.operator)) return undefined;
  const scope = scopeAround(file, place);
  const fn = functionAround(place);
  const counted = [bare(test.left), bare(test.right)].find((it) => {
    const states = statesRead(file, countedIn(it), scope);
    const changes = changesIn(file).filter((change) =>
      states.some((state) => state.file === file && isOf(state, change)),
    );
    // veto: the function changes the counter before the wait, not after it, so it waits until all work is done
    const own = changes.filter(
      ({ node }) => functionAround(node) === fn && startsAt(node) > endsAt(place),
    );
    // veto: the function does not raise the counter after the wait, or no code lowers the counter
    return own.some((one) => changes.some((other) => areOpposite(one.node, other.node)));
  });
  return counted && shownName(counted);
}

/** The set in `this.active.size`. */
function countedIn(node: Node): Node {
  return node.type === 'MemberExpression' && propertyName(node) === 'size'
    ? bare(node.object)
    : node;
}

/** `active++` and `active -= 1`, `active.add(id)` and `active.delete(id)`. */
function areOpposite(one: Node, other: Node): boolean {
  return [one, other].map(directionOf).sort().join('') === '+-';
}

function directionOf(change: Node): string {
  if (change.type === 'UpdateExpression' || change.type === 'AssignmentExpression')
    return change.operator[0] ?? '';
  const name = change.type === 'CallExpression' ? calledName(change.callee) : undefined;
  return name === 'add' || name === 'set' ? '+' : name === 'delete' ? '-' : '';
}

/** The code that asks again and again. */
type Asking = Pick<Loop, 'node' | 'body'>;

/** What of the process's memory the part of a test reads, if other code than the loop changes it. */
function stateIn(file: FileFacts, loop: Asking, asked: Node): string | undefined {
  const scope = scopeAround(file, loop.body);
  for (const it of [asked, ...valuesOf(file, loop, asked)]) {
    const name = shownName(it);
    if (name === undefined) continue;
    const states = statesRead(file, it, scope).filter((state) => isChanged(state, loop));
    const isOfEnd = ENDING.test(wordsOf(name)) || isAtEnd(loop.node);
    // veto: the wait is about stopping, closing or pausing the loop or the program
    if (isOfEnd && !states.some((state) => isTakenAfter(state, loop))) continue;
    if (states.length > 0) return name;
  }
  return undefined;
}

/** `while (this.running) await sleep(50); this.running = true;`: a lock of this process under any name. */
function isTakenAfter(state: State, { node: loop }: Asking): boolean {
  return changesIn(state.file).some(({ node, ...change }) => {
    const isAfter = functionAround(node) === functionAround(loop) && startsAt(node) > endsAt(loop);
    const value = node.type === 'AssignmentExpression' ? bare(node.right) : undefined;
    const isOn = value?.type === 'Literal' && value.value === true;
    return isAfter && isOn && isOf(state, { node, ...change });
  });
}

/** What the loop sets the variables to that are asked about: `const settled = results.get(id)`. */
function valuesOf(file: FileFacts, { node }: Asking, asked: Node): readonly Node[] {
  const variables = variablesIn(file, asked);
  const found: Node[] = [];
  walkOwn(node, (it) => {
    const [target, value] =
      it.type === 'VariableDeclarator'
        ? [it.id, it.init]
        : it.type === 'AssignmentExpression'
          ? [it.left, it.right]
          : [];
    const variable = target?.type === 'Identifier' ? file.variableOf(target) : undefined;
    if (value && variable && variables.includes(variable)) found.push(bare(value));
  });
  return found;
}

/** The place of what is found by its field, in the file of its class. */
const ELSEWHERE: Location = 'elsewhere';

/** A place in memory, and the file whose code changes it. */
interface State {
  readonly file: FileFacts;
  readonly location: Location;
  /** The last name of a longer path, whose owner nobody knows: `status` of `job.status`. */
  readonly field: string | undefined;
}

function statesRead(file: FileFacts, asked: Node, scope: Node): readonly State[] {
  if (asked.type === 'CallExpression') {
    const called = parameterAt(file, bare(asked.callee)) ? UNKNOWN : valueOf(file, asked.callee);
    if (called.kind === 'function') return statesOfFunction(called);
    const callee = bare(asked.callee);
    const isLookup =
      callee.type === 'MemberExpression' && /^(?:get|has)$/.test(propertyName(callee) ?? '');
    return isLookup ? stateAt(file, callee.object, scope) : [];
  }
  return asked.type === 'MemberExpression' || asked.type === 'Identifier'
    ? stateAt(file, asked, scope)
    : [];
}

/** What a function answers with is in the memory of its own file. */
function statesOfFunction(called: FunctionValue): readonly State[] {
  const { file } = called;
  const behaviour = knownBehaviourOfFunction(called);
  return [...(behaviour?.memoryReads ?? [])].map((location) => ({
    file,
    location,
    field: undefined,
  }));
}

function stateAt(file: FileFacts, node: Node, scope: Node): readonly State[] {
  const it = bare(node);
  const location = locationOf(file, it, scope);
  const whole = it.type === 'MemberExpression' ? valueOf(file, it.object) : UNKNOWN;
  // `catalogue.refreshing`: the class of another file changes it.
  if (whole.kind === 'instance' && whole.file !== file && it.type === 'MemberExpression')
    return [{ file: whole.file, location: ELSEWHERE, field: propertyName(it) }];
  const exporter = it.type === 'MemberExpression' ? exporterOf(file, bare(it.object)) : undefined;
  if (exporter && it.type === 'MemberExpression')
    return [{ file: exporter, location: ELSEWHERE, field: propertyName(it) }];
  if (location === undefined) return [];
  const owner = it.type === 'MemberExpression' ? bare(it.object) : undefined;
  const isWhole = owner === undefined || owner.type === 'ThisExpression';
  const field = isWhole || it.type !== 'MemberExpression' ? undefined : propertyName(it);
  return isWhole || field !== undefined ? [{ file, location, field }] : [];
}

/** The file that exports the object of that name: its functions change what it holds. */
function exporterOf(file: FileFacts, name: Node): FileFacts | undefined {
  const definition = name.type === 'Identifier' ? file.variableOf(name)?.defs[0] : undefined;
  if (definition?.type !== 'ImportBinding' || !definition.parent) return undefined;
  return file.modules?.resolve(definition.parent.source.value, file.path);
}

/** Whether code outside of the loop changes it while the program runs. */
function isChanged({ file, location, field }: State, { node: loop }: Asking): boolean {
  const state = { file, location, field };
  return changesIn(file).some((it) => !contains(loop, it.node) && isOf(state, it));
}

function isOf({ location, field }: State, change: Change): boolean {
  if (field !== undefined) return change.field === field;
  return areOneAnother(change.location, location);
}

interface Change {
  readonly node: Node;
  readonly location: Location;
  readonly field: string | undefined;
}

/** What the functions of a file change in its memory; what a constructor or the module itself sets is how it begins. */
const changesIn = queryOfFile(
  'changes of memory',
  (file: FileFacts): readonly Change[] =>
    file.nodes
      .all('AssignmentExpression', 'UpdateExpression', 'UnaryExpression', 'CallExpression')
      .flatMap((node) => changeAt(file, node)),
  { whileCyclic: [], isCompared: false },
);

function changeAt(file: FileFacts, node: Node): readonly Change[] {
  const target = writtenTarget(node);
  const fn = functionAround(node);
  if (!target || !fn || isConstructor(fn)) return [];
  const it = bare(target);
  const location = locationOf(file, it, fn) ?? 'local';
  const field = it.type === 'MemberExpression' ? propertyName(it) : undefined;
  return [{ node, location, field }];
}
