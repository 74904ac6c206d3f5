import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import { type CacheEntry, entryOf, isEntryRead, isKept } from '../effects/cache-fills.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { runsInline } from '../flow/inline-callbacks.ts';
import { loopAround } from '../flow/loops.ts';
import { distantUsesOf } from '../provenance/distant-uses.ts';
import { callsOf, mentionsOf } from '../provenance/function-uses.ts';
import {
  bare,
  calledName,
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import { type Condition, conditionsOn, isAfterFailure } from '../syntax/conditions.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import type { Variable } from '../syntax/names.ts';
import {
  isServerless,
  isTestOrBrowser,
  mayBeThread,
  ownPaceOf,
  paceAsCallback,
} from './contexts.ts';
import { isScript } from './scripts.ts';

/** What waits for code: a request, or a job of a queue. */
export type Served = 'per-request' | 'per-job';

/** Callers further away than this say little about one place. */
const FARTHEST_CALLER = 3;

/**
 * Whether each request or job runs this code, itself or through calls, in this file or a different one: not where a cache has the answer after the
 * first time, after a failure, or while something is developed (docs/internals/rules.md, "no-blocking-call").
 */
export function servedBy(file: FileFacts, node: Node, distance = 0): Served | undefined {
  const fn = functionAround(node);
  // veto: the module runs it once, while the program starts
  if (!fn) return undefined;
  if (isSpared(file, node, fn)) return undefined;
  return servedAs(file, fn, distance);
}

const servedAs = query(
  'served',
  (file: FileFacts, fn: FunctionNode, distance: number): Served | undefined => {
    const own = ownPaceOf(file, fn);
    // veto: an endless loop runs it, which has one iteration at a time
    if (own === 'per-job' && loopAround(file, bodyOf(fn)!)) return undefined;
    // What a handler listens to, and what it does for each element, is a part of its work.
    if (own === 'per-item' || runsInline(file, fn) || isListener(fn)) {
      const outer = servedBy(file, fn, distance);
      if (outer) return outer;
    }
    if (own === 'scheduled') return 'per-job';
    if (own === 'per-request' || own === 'per-job')
      return isServedAlone(file, fn) ? undefined : own;
    // no veto: further callers say little.
    if (distance >= FARTHEST_CALLER) return undefined;
    const served = new Set<Served | undefined>();
    for (const it of usesOf(file, fn, distance)) {
      served.add(it());
      if (served.has('per-request')) return 'per-request';
    }
    return served.has('per-job') ? 'per-job' : undefined;
  },
  { whileCyclic: undefined },
);

/** Who runs the function; each is asked only while no request is found. */
function usesOf(
  file: FileFacts,
  fn: FunctionNode,
  distance: number,
): readonly (() => Served | undefined)[] {
  const atCall = (it: Place) => servedBy(it.file, it.node, distance + 1);
  const asCallback = (it: Place) => ofPace(paceAsCallback(it.file, it.node));
  const elsewhere = distantUsesOf(file, fn).filter(
    (it) => !isScript(it.file) && !isTestOrBrowser(it.file) && !mayBeThread(it.file),
  );
  return [
    ...mentionsOf(file, fn).map((node) => () => asCallback({ file, node })),
    ...callsOf(file, fn).map((node) => () => atCall({ file, node })),
    ...elsewhere.map((it) => () => {
      const call = it.node.parent;
      const isCalled = call?.type === 'CallExpression' && call.callee === it.node;
      return isCalled ? atCall({ file: it.file, node: call }) : asCallback(it);
    }),
  ];
}

/** `output.on('close', () => …)`; a failure is not a part of the work. */
function isListener({ parent }: FunctionNode): boolean {
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  const [event] = parent.arguments;
  if (callee.type !== 'MemberExpression' || event?.type !== 'Literal') return false;
  return /^(?:on|once|addListener)$/.test(propertyName(callee) ?? '') && event.value !== 'error';
}

function ofPace(pace: string): Served | undefined {
  return pace === 'per-request' || pace === 'per-job' ? pace : undefined;
}

/** Whether nothing else waits in its process. */
function isServedAlone(file: FileFacts, fn: FunctionNode): boolean {
  // veto: a serverless function has one request at a time in each process
  if (isServerless(fn)) return true;
  // veto: a page may be drawn while the site is built, and for no request
  if (/\.[jt]sx$/.test(file.path) && nameOfFunction(fn) !== 'getServerSideProps') return true;
  return false;
}

/** Code that few runs of its function reach. */
function isSpared(file: FileFacts, node: Node, fn: FunctionNode): boolean {
  const body = bodyOf(fn)!;
  // veto: it runs after a failure only
  if (isAfterFailure(node, body)) return true;
  // veto: it runs while something is developed, or where a file is not there yet
  if (conditionsOn(node, body).some((it) => isRareCase(file, it, node))) return true;
  // veto: a cache has the answer after the first time
  if (isKeptIn(file, node, fn)) return true;
  return false;
}

function isRareCase(file: FileFacts, { test, holds }: Condition, node: Node): boolean {
  if (!test) return false;
  return (
    truthOf(test, (it) => isDevelopment(file, it)) === holds ||
    truthOf(test, (it) => isThere(file, it, node)) === !holds
  );
}

/** What a test says of what `saysOf` knows: the same, or the opposite behind a `!`; undefined where no part of it asks that. */
function truthOf(test: Node, saysOf: (part: Node) => boolean | undefined): boolean | undefined {
  const it = bare(test);
  if (it.type === 'UnaryExpression' && it.operator === '!') {
    const inner = truthOf(it.argument, saysOf);
    return inner === undefined ? undefined : !inner;
  }
  if (it.type === 'LogicalExpression') return truthOf(it.left, saysOf) ?? truthOf(it.right, saysOf);
  return saysOf(it);
}

const DEVELOPMENT = /\bdev(?:elopment)?\b|\bis_?dev/i;
const PRODUCTION = /\bprod(?:uction)?\b|\bis_?prod/i;

/** Whether a comparison or a name is true while something is developed, or while it is not. */
function isDevelopment(file: FileFacts, it: Node): boolean | undefined {
  const words = file.textOf(it).replace(/([a-z])([A-Z])/g, '$1_$2');
  const names = words.replaceAll('_', ' ').replace(/\bis (?=dev|prod)/gi, 'is_');
  const isOf = (wanted: RegExp) => wanted.test(words) || wanted.test(names);
  const isNegated = it.type === 'BinaryExpression' && it.operator.startsWith('!');
  if (isOf(DEVELOPMENT)) return !isNegated;
  return isOf(PRODUCTION) ? isNegated : undefined;
}

/** Whether it is true where a file exists that the call is given: `existsSync(path)`, or a variable with its answer. */
function isThere(file: FileFacts, it: Node, call: Node): boolean | undefined {
  if (it.type === 'Identifier') {
    const definition = file.variableOf(it)?.defs[0];
    const init = definition?.type === 'Variable' ? definition.node.init : undefined;
    return init?.type === 'CallExpression' ? isThere(file, init, call) : undefined;
  }
  if (it.type !== 'CallExpression' || call.type !== 'CallExpression') return undefined;
  const [path] = it.arguments;
  if (calledName(it.callee) !== 'existsSync' || !path) return undefined;
  const asked = file.textOf(path);
  return call.arguments.some((own) => file.textOf(own) === asked) ? true : undefined;
}

/** `template ??= readFileSync(path)`, `if (!cache.has(id)) cache.set(id, …)`: what the call returns is kept, and asked for first. */
function isKeptIn(file: FileFacts, node: Node, fn: FunctionNode): boolean {
  const body = bodyOf(fn)!;
  const variables = variablesWith(file, node, body);
  const hasIt = (value: Node) => contains(value, node) || mentions(file, value, variables);
  let isKeptHere = false;
  walk(body, (it) => {
    if (it.type === 'AssignmentExpression')
      isKeptHere ||= hasIt(it.right) && (isKept(file, it) || isFallback(file, it));
    const entry = entryOf(it);
    isKeptHere ||= entry !== undefined && hasIt(entry.value) && isAskedFor(file, it, entry, body);
    return !isKeptHere;
  });
  return isKeptHere;
}

/** `cache || (cache = read())` */
function isFallback(file: FileFacts, { parent, left }: TSESTree.AssignmentExpression): boolean {
  return parent.type === 'LogicalExpression' && file.textOf(parent.left) === file.textOf(left);
}

/** `const hit = pages[name]; if (hit) return hit; return (pages[name] = read(name));` */
function isAskedFor(file: FileFacts, fill: Node, entry: CacheEntry, body: Node): boolean {
  let isAsked = false;
  walk(body, (it) => {
    // What it puts there is no question.
    if (it === fill) return false;
    isAsked ||= isEntryRead(file, it, entry, /^(?:get|has)$/);
    return !isAsked;
  });
  return isAsked;
}

/** The variables that what the call returns goes into. */
function variablesWith(file: FileFacts, node: Node, body: Node): ReadonlySet<Variable> {
  const found = new Set<Variable>();
  const add = (target: Node, value: Node) => {
    if (contains(value, node) || mentions(file, value, found))
      for (const it of variablesIn(file, target)) found.add(it);
  };
  walk(body, (it) => {
    if (it.type === 'VariableDeclarator' && it.init) add(it.id, it.init);
    if (it.type === 'AssignmentExpression' && it.left.type === 'Identifier') add(it.left, it.right);
  });
  return found;
}
