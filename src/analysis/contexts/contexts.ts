import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  classAround,
  dottedName,
  functionAround,
  type FunctionNode,
  isDecorated,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { callbackOf } from '../provenance/contextual.ts';
import type { FileFacts } from '../file/file.ts';
import { runsInline } from '../flow/inline-callbacks.ts';
import { loopAround } from '../flow/loops.ts';
import { isForBrowsersAlone } from './browser-packages.ts';
import { isOneShot, isUntilStopped } from './one-shot.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { makesRequestContext } from './request-contexts.ts';
import { isScript } from './scripts.ts';
import { isTest } from './tests.ts';
import { callsOf, mentionsOf } from '../provenance/function-uses.ts';
import { distantUsesOf } from '../provenance/distant-uses.ts';
import type { Place } from '../file/place.ts';
import type { Effect } from '../effects/effects.ts';
import { behaviourOf } from '../behaviour/behaviour.ts';
import { entryPaceOf } from './entries.ts';
import { importedPackages } from './imported-packages.ts';

/** How often code runs, hottest first: for ranking and wording, never a reason to report by itself. */
export type Context = HotContext | 'periodic' | 'startup' | 'unknown';
export type HotContext = 'per-item' | 'per-job' | 'per-request';

type InnerPace = Context | 'scheduled';

const HEAT: readonly InnerPace[] = [
  'per-item',
  'per-job',
  'per-request',
  'scheduled',
  'periodic',
  'startup',
  'unknown',
];

/** Whether it is run for each piece of what a program has to do. */
export function isHot(context: InnerPace): context is HotContext {
  return context === 'per-item' || context === 'per-job' || context === 'per-request';
}

/** How often the code around `node` runs, by all files of the package that lead to it. */
export function contextOf(file: FileFacts, node: Node): Context {
  const pace = paceAt(file, node, 0, 'package');
  // A cron expression starts a job.
  return pace === 'scheduled' ? 'per-job' : pace;
}

/**
 * The same as far as its own file proves it, for a rule that reports by it: a schedule starts few jobs, and an endless loop may
 * be there to connect again.
 */
export function paceOf(file: FileFacts, node: Node): InnerPace {
  return paceAt(file, node, 0, 'file');
}

/** Whose calls count. */
type Scope = 'file' | 'package';

function paceAt(file: FileFacts, node: Node, distance: number, scope: Scope): InnerPace {
  const fn = functionAround(node);
  const endless = scope === 'package' && paceOfEndlessLoop(file, node, fn);
  if (endless) return endless;
  return fn ? paceOfFunction(file, fn, distance, scope) : 'startup';
}

/** Callers further away than this say little about one place. */
const FARTHEST_CALLER = 3;

const paceOfFunction = query(
  'pace',
  (file: FileFacts, fn: FunctionNode, distance: number, scope: Scope): InnerPace => {
    const own = ownPaceOf(file, fn);
    if (own) return own;
    if (isRunInline(fn)) {
      const pace = paceAt(file, fn.parent, distance, scope);
      // What is handed to something unknown while the program starts is mostly kept, and run for each request.
      return pace === 'startup' && !runsInline(file, fn) ? 'unknown' : pace;
    }
    return distance < FARTHEST_CALLER ? paceOfUses(file, fn, distance, scope) : 'unknown';
  },
  { whileCyclic: 'unknown' },
);

/** How often a function runs by what it is itself, without its callers: a handler, a callback of a library, an entry of a framework. */
export function ownPaceOf(file: FileFacts, fn: FunctionNode): InnerPace | undefined {
  const pace = callbackOf(file, fn)?.callback.runs ?? entryPaceOf(file, fn);
  if (pace) return pace;
  const loop = loopAround(file, bodyOf(fn)!);
  if (loop?.kind === 'elements' || loop?.kind === 'series' || loop?.kind === 'reduce') {
    return 'per-item';
  }
  if (loop?.kind === 'interval' || loop?.kind === 'timer') return 'periodic';
  if (loop?.kind === 'repeated') return paceOfRounds(file, loop.body, fn);
  if (isRequestHandler(fn) || makesRequestContext(file, fn)) return 'per-request';
  if (isConsumer(fn)) return 'per-job';
  return isLifecycleHook(fn) ? 'startup' : undefined;
}

/** In `for (;;)`, which goes on after the start: once a job where an iteration takes one or waits for it, else at intervals. */
function paceOfEndlessLoop(
  file: FileFacts,
  node: Node,
  fn: FunctionNode | undefined,
): InnerPace | undefined {
  for (let loop = loopAround(file, node); loop; loop = loop.outer) {
    // no veto: how often a loop around the function runs says nothing about the function.
    if (functionAround(loop.node) !== fn) return undefined;
    if (!isUntilStopped(file, loop.node)) continue;
    return paceOfRounds(file, loop.body, fn ?? file.ast);
  }
  return undefined;
}

function paceOfRounds(file: FileFacts, body: Node, scope: Node): InnerPace {
  const { effects, sleeps } = behaviourOf(file, body, scope);
  return effects.some(takesWork) || !sleeps ? 'per-job' : 'periodic';
}

/** From a queue, or with a lock: `SELECT … FOR UPDATE`. */
function takesWork({ work, rows, env, op }: Effect): boolean {
  return work || rows?.isClaim === true || (env === 'db' && op === 'sync');
}

/** `onModuleInit()` of a class that a container makes: NestJS runs it once, when the program starts or ends. */
function isLifecycleHook(fn: FunctionNode): boolean {
  const isHook = fn.parent.type === 'MethodDefinition' && LIFECYCLE.test(nameOfFunction(fn));
  const owner = isHook ? classAround(fn)?.node : undefined;
  return owner !== undefined && isDecorated(owner);
}

const LIFECYCLE =
  /^(?:onModule(?:Init|Destroy)|onApplication(?:Bootstrap|Shutdown)|beforeApplicationShutdown)$/;

/** `(req, res) => …` and the exported handlers of route files and serverless functions. */
function isRequestHandler(fn: FunctionNode): boolean {
  const names = fn.params.map((it) => (it.type === 'Identifier' ? it.name : ''));
  if (
    /^_?req(?:uest)?$/.test(names[0] ?? '') &&
    /^(?:_?res(?:ponse)?|reply)$/.test(names[1] ?? '')
  ) {
    return true;
  }
  if (names.length === 2 && /^(?:ctx|context)$/.test(names[0]!) && names[1] === 'next') return true;
  return /^(?:GET|POST|PUT|PATCH|DELETE|handler)$/.test(exportedNameOf(fn) ?? '');
}

/** `export const handler = …`: a serverless function has one request at a time in each process. */
export function isServerless(fn: FunctionNode): boolean {
  return exportedNameOf(fn) === 'handler';
}

/** `export const handler = …`, `exports.handler = …`, `module.exports.handler = …`. */
function exportedNameOf(fn: FunctionNode): string | undefined {
  const { parent } = fn;
  if (parent.type === 'AssignmentExpression') {
    return /^(?:module\.)?exports\.(\w+)$/.exec(dottedName(parent.left) ?? '')?.[1];
  }
  const declaration = parent.type === 'VariableDeclarator' ? parent.parent.parent : parent;
  return declaration.type === 'ExportNamedDeclaration' ? nameOfFunction(fn) : undefined;
}

/** `emitter.on('data', …)`, `_transform(chunk)`: once per chunk or message. */
function isConsumer(fn: FunctionNode): boolean {
  if (/^_(?:transform|write)$/.test(nameOfFunction(fn))) return true;
  const call = fn.parent;
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  const [event] = call.arguments;
  return (
    callee.type === 'MemberExpression' &&
    propertyName(callee) === 'on' &&
    event?.type === 'Literal' &&
    (event.value === 'data' || event.value === 'message')
  );
}

function isRunInline(fn: FunctionNode): boolean {
  return fn.parent.type === 'NewExpression' || fn.parent.type === 'CallExpression';
}

/** The hottest place from which the function is called, or handed to what calls it; of other files, where they make it hot. */
function paceOfUses(file: FileFacts, fn: FunctionNode, distance: number, scope: Scope): InnerPace {
  const calls = callsOf(file, fn).map((it) => paceOfCall({ file, node: it }, distance, scope));
  const own = hottest([...calls, ...mentionsOf(file, fn).map((it) => paceAsCallback(file, it))]);
  if (scope === 'file' || isHot(own)) return own;
  const elsewhere = distantUsesOf(file, fn)
    .filter((it) => !isScript(it.file) && !isTestOrBrowser(it.file))
    .map(({ file: other, node }) => {
      const call = node.parent;
      return call?.type === 'CallExpression' && call.callee === node
        ? paceOfCall({ file: other, node: call }, distance, scope)
        : paceAsCallback(other, node);
    });
  // Other packages may call it, too: where these ones call it while they start, that is not all.
  const distant = hottest(elsewhere);
  return distant === 'startup' ? own : hottest([own, distant]);
}

function hottest(paces: readonly InnerPace[]): InnerPace {
  return HEAT.find((it) => paces.includes(it)) ?? 'unknown';
}

function paceOfCall({ file, node }: Place, distance: number, scope: Scope): InnerPace {
  return loopAround(file, node)?.over ? 'per-item' : paceAt(file, node, distance + 1, scope);
}

/** `new Worker('orders', handle)`, `app.get('/orders', list)`: how often what has this name runs there. */
export function paceAsCallback(file: FileFacts, name: Node): InnerPace {
  return callbackOf(file, name)?.callback.runs ?? 'unknown';
}

const TEST_PACKAGES =
  /^(?:node:test|vitest|@jest\/globals|mocha|ava|tap|tape|uvu|@playwright\/test|cypress|supertest|chai|sinon)$/;
const CLI_PACKAGES =
  /^(?:commander|yargs(?:\/.*)?|cac|meow|minimist|@oclif\/.*|inquirer|@inquirer\/.*|prompts|ora|clipanion|citty|arg)$/;
const BROWSER_PACKAGES = /^(?:react-dom(?:\/client)?|vue|svelte|@angular\/core|solid-js|jquery)$/;

/**
 * Whether no user waits for the file: a script by its path or its end, a test, a command-line tool, code for a browser or for a
 * site's build by its content.
 */
export function isExcluded(file: FileFacts): boolean {
  return isCommandLine(file) || isTestOrBrowser(file) || isPrerendered(file);
}

/** `export const prerender = true` (Astro, SvelteKit): it runs while the site is built, and for no request. */
function isPrerendered(file: FileFacts): boolean {
  return bodyOf(file.ast).some(
    (it) =>
      it.type === 'ExportNamedDeclaration' &&
      it.declaration?.type === 'VariableDeclaration' &&
      it.declaration.declarations.some(
        ({ id, init }) =>
          id.type === 'Identifier' &&
          id.name === 'prerender' &&
          init?.type === 'Literal' &&
          init.value === true,
      ),
  );
}

/** A script by its path, or a command-line tool by what it says or by what it does. */
const isCommandLine = queryOfFile(
  'command line',
  (file: FileFacts): boolean =>
    isScript(file) ||
    file.text.startsWith('#!') ||
    imports(file, CLI_PACKAGES) ||
    (isOneShot(file) && !serves(file)),
  { whileCyclic: false },
);

/** Whether the file is a test or code for a browser: it serves no requests in its own process. */
export const isTestOrBrowser = queryOfFile(
  'test or browser',
  (file: FileFacts): boolean =>
    isForBrowsersAlone(file.source) ||
    hasClientDirective(file) ||
    imports(file, TEST_PACKAGES) ||
    imports(file, BROWSER_PACKAGES) ||
    isTest(file),
  { whileCyclic: false },
);

const THREAD_PATH = /(?:worker|thread)s?[^\\/]*(?:[\\/][^\\/]+)?$/i;
const THREAD_NAMES = ['parentPort', 'workerData', 'isMainThread', 'onmessage'];

/**
 * Whether the file may run in a thread of its own: by the names that only such a thread uses, or by where it lies, unless it
 * takes jobs or requests itself. Workers of a queue are called so, too, and all of their jobs share one thread.
 */
export function mayBeThread(file: FileFacts): boolean {
  if (THREAD_NAMES.some((it) => file.nodes.named(it).length > 0)) return true;
  return THREAD_PATH.test(file.place) && !serves(file);
}

/** It hands a function to what calls it for each job or request, or has one that a framework finds. */
function serves(file: FileFacts): boolean {
  return (
    file.nodes
      .all('CallExpression', 'NewExpression')
      .some((it) => SERVING.has(libraryCallOf(file, it)?.signature.callback?.runs ?? '')) ||
    file.nodes
      .all('FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression')
      .some((it) => SERVING.has(entryPaceOf(file, it) ?? ''))
  );
}

const SERVING = new Set<string>(['per-job', 'per-request']);

function imports(file: FileFacts, packages: RegExp): boolean {
  return importedPackages(file).some((it) => packages.test(it));
}

function hasClientDirective(file: FileFacts): boolean {
  return bodyOf(file.ast).some(
    (it) => it.type === 'ExpressionStatement' && it.directive === 'use client',
  );
}
