import type { TSESTree } from '@typescript-eslint/utils';
import { isKept } from '../effects/cache-fills.ts';
import {
  isServerless,
  isTestOrBrowser,
  mayBeThread,
  ownPaceOf,
  paceAsCallback,
} from './contexts.ts';
import { isScript } from './scripts.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
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
  walkStatements,
} from '../syntax/ast.ts';
import { nameOfFunction } from '../syntax/function-names.ts';

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
  const own = ownPaceOf(file, fn);
  // veto: an endless loop runs it, which has one iteration at a time
  if (own === 'per-job' && loopAround(file, bodyOf(fn)!)) return undefined;
  if (own === 'per-request' || own === 'per-job') return isServedAlone(file, fn) ? undefined : own;
  if (own === 'per-item' || runsInline(file, fn) || isListener(fn)) {
    const outer = servedBy(file, fn, distance);
    if (outer) return outer;
  }
  // no veto: further callers say little.
  if (distance >= FARTHEST_CALLER) return undefined;
  return usesOf(file, fn, distance).reduce<Served | undefined>(
    (all, it) => (all === 'per-request' ? all : (it() ?? all)),
    undefined,
  );
}

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

/** `output.on('close', () => …)`: what a handler listens to is a part of its work, apart from failures. */
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
  for (let it: Node | undefined = node; it && it !== fn; it = it.parent) {
    const { parent } = it as { readonly parent: Node | undefined };
    // veto: it runs after a failure only
    if (parent?.type === 'CatchClause') return true;
    // veto: it runs while something is developed, or where nothing was written before
    if (parent && isUnderCondition(file, parent, it)) return true;
    // veto: the function returns before, where the file exists
    if (parent?.type === 'BlockStatement' && isBehindFile(file, parent.body, it, node)) return true;
  }
  // veto: a cache has the answer after the first time
  if (isKeptIn(file, node, fn)) return true;
  return false;
}

const DEVELOPMENT = /NODE_ENV|\bis_?dev|\b_*dev(?:elopment)?(?:_?mode)?_*\b|\bdebug/i;
const PRODUCTION = /\bis_?prod|\bprod(?:uction)?\b/i;
const ABSENT = /!\s*(?:await\s+)?(?:[\w$]+\.)*(?:existsSync|pathExists\w*|exists)\(/;

function isUnderCondition(file: FileFacts, parent: Node, part: Node): boolean {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = file.textOf(parent.test);
      if (parent.consequent === part) return DEVELOPMENT.test(test) || ABSENT.test(test);
      return parent.alternate === part && PRODUCTION.test(test);
    }
    case 'LogicalExpression':
      return parent.right === part && DEVELOPMENT.test(file.textOf(parent.left));
    default:
      return false;
  }
}

/** `if (existsSync(path)) return path;` in front of what writes that path, also by a variable with the answer. */
function isBehindFile(
  file: FileFacts,
  statements: readonly Node[],
  part: Node,
  node: Node,
): boolean {
  if (node.type !== 'CallExpression') return false;
  const paths = node.arguments.map((it) => file.textOf(it));
  return statements.slice(0, statements.indexOf(part)).some((it) => {
    if (it.type !== 'IfStatement' || !leaves(it.consequent)) return false;
    let isAsked = false;
    walk(it.test, (asked) => {
      // no veto: where it does not exist, the function goes on.
      if (asked.type === 'UnaryExpression') return false;
      isAsked ||= isExistence(file, asked, paths);
      return true;
    });
    return isAsked;
  });
}

function isExistence(file: FileFacts, node: Node, paths: readonly string[]): boolean {
  if (node.type === 'Identifier') {
    const definition = file.variableOf(node)?.defs[0];
    const init = definition?.type === 'Variable' ? definition.node.init : undefined;
    return init?.type === 'CallExpression' && isExistence(file, init, paths);
  }
  if (node.type !== 'CallExpression') return false;
  const [path] = node.arguments;
  return (
    calledName(node.callee) === 'existsSync' &&
    path !== undefined &&
    paths.includes(file.textOf(path))
  );
}

function leaves(consequent: Node): boolean {
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ReturnStatement' || last?.type === 'ContinueStatement';
}

/** `template ??= readFileSync(path)`, `if (!cache.has(id)) cache.set(id, …)`: what the call returns is kept, and asked for first. */
function isKeptIn(file: FileFacts, node: Node, fn: FunctionNode): boolean {
  const body = bodyOf(fn)!;
  const names = namesWith(node, body);
  const hasIt = (value: Node) => contains(value, node) || mentionsAny(value, names);
  let isKeptHere = false;
  walk(body, (it) => {
    if (it.type === 'AssignmentExpression')
      isKeptHere ||= hasIt(it.right) && (isKept(file, it) || isFallback(file, it));
    if (it.type === 'CallExpression') isKeptHere ||= isStored(file, it, fn, hasIt);
    return !isKeptHere;
  });
  return isKeptHere;
}

/** `cache || (cache = read())` */
function isFallback(file: FileFacts, { parent, left }: TSESTree.AssignmentExpression): boolean {
  return parent.type === 'LogicalExpression' && file.textOf(parent.left) === file.textOf(left);
}

/** `cache.set(key, value)` of a cache that the function also asks. */
function isStored(
  file: FileFacts,
  { callee, arguments: [, value] }: TSESTree.CallExpression,
  fn: FunctionNode,
  hasIt: (value: Node) => boolean,
): boolean {
  const method = bare(callee);
  if (method.type !== 'MemberExpression' || propertyName(method) !== 'set') return false;
  if (!value || !hasIt(value)) return false;
  const cache = file.textOf(method.object);
  return [`${cache}.get(`, `${cache}.has(`].some((it) => file.textOf(fn).includes(it));
}

/** The variables that what the call returns goes into. */
function namesWith(node: Node, body: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walkStatements(body, (it) => {
    if (it.type !== 'VariableDeclaration') return;
    for (const { id, init } of it.declarations)
      if (init && (contains(init, node) || mentionsAny(init, names))) addNames(id, names);
  });
  return names;
}

function addNames(pattern: Node, names: Set<string>): void {
  walk(pattern, (it) => {
    if (it.type === 'Identifier') names.add(it.name);
  });
}

function mentionsAny(root: Node, names: ReadonlySet<string>): boolean {
  let has = false;
  walk(root, (it) => {
    has ||= it.type === 'Identifier' && names.has(it.name);
    return !has;
  });
  return has;
}
