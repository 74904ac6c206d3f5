import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  classAround,
  dottedName,
  functionAround,
  type FunctionNode,
  isDecorated,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { callbackOf } from '../provenance/contextual.ts';
import type { FileFacts } from '../file/file.ts';
import { runsInline } from '../flow/inline-callbacks.ts';
import { loopAround } from '../flow/loops.ts';
import { isForBrowsersAlone } from './browser-packages.ts';
import { isOneShot } from './one-shot.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { makesRequestContext } from './request-contexts.ts';
import { isScript } from './scripts.ts';
import { isTest } from './tests.ts';
import { callsOf } from '../provenance/function-uses.ts';

/** How often code runs, hottest first: for ranking and wording, never a reason to report by itself. */
export type Context = HotContext | 'periodic' | 'startup' | 'unknown';
export type HotContext = 'per-item' | 'per-job' | 'per-request';

const HEAT: readonly Context[] = [
  'per-item',
  'per-job',
  'per-request',
  'periodic',
  'startup',
  'unknown',
];

/** Whether it is run for each piece of what a program has to do. */
export function isHot(context: Context): context is HotContext {
  return context === 'per-item' || context === 'per-job' || context === 'per-request';
}

/** The hottest context in which the function around `node` runs, as far as this file shows it. */
export function contextOf(file: FileFacts, node: Node): Context {
  const fn = functionAround(node);
  return fn ? contextOfFunction(file, fn, 0) : 'startup';
}

/** Callers further away than this say little about one place. */
const FARTHEST_CALLER = 3;

const contextOfFunction = query(
  'context',
  (file: FileFacts, fn: FunctionNode, distance: number): Context => {
    const own = ownContext(file, fn);
    if (own) return own;
    if (isRunInline(fn)) {
      const around = functionAround(fn);
      const context = around ? contextOfFunction(file, around, distance) : 'startup';
      // What is handed to something unknown while the program starts is mostly kept, and run for each request.
      return context === 'startup' && !runsInline(file, fn) ? 'unknown' : context;
    }
    return distance < FARTHEST_CALLER ? contextOfCallers(file, fn, distance) : 'unknown';
  },
  { whileCyclic: 'unknown', keyOf: () => '' },
);

function ownContext(file: FileFacts, fn: FunctionNode): Context | undefined {
  const runs = callbackOf(file, fn)?.callback.runs;
  if (runs) return runs;
  const loop = loopAround(file, bodyOf(fn)!);
  if (loop?.kind === 'elements' || loop?.kind === 'series' || loop?.kind === 'reduce') {
    return 'per-item';
  }
  if (loop?.kind === 'interval' || loop?.kind === 'timer') return 'periodic';
  if (isRequestHandler(fn) || makesRequestContext(file, fn)) return 'per-request';
  if (isConsumer(fn)) return 'per-job';
  return isLifecycleHook(fn) ? 'startup' : undefined;
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

/** The hottest place of the file from which the function is called. */
function contextOfCallers(file: FileFacts, fn: FunctionNode, distance: number): Context {
  const contexts = callsOf(file, fn).map((call): Context => {
    const around = functionAround(call);
    if (loopAround(file, call)?.over) return 'per-item';
    return around ? contextOfFunction(file, around, distance + 1) : 'startup';
  });
  return HEAT.find((it) => contexts.includes(it)) ?? 'unknown';
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

/** It hands a function to what calls it for each job or request. */
function serves(file: FileFacts): boolean {
  return file.nodes
    .all('CallExpression', 'NewExpression')
    .some((it) => SERVING.has(libraryCallOf(file, it)?.signature.callback?.runs ?? ''));
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

export const importedPackages = queryOfFile(
  'imported packages',
  (file: FileFacts): readonly string[] => packagesImportedIn(file),
  { whileCyclic: [] },
);

function packagesImportedIn(file: FileFacts): readonly string[] {
  const imported = file.nodes.all('ImportDeclaration').map((it) => it.source.value);
  const required = file.nodes.named('require').flatMap(({ parent }) => {
    const isCallee = parent.type === 'CallExpression' && isNamed(parent.callee, 'require');
    const [source] = isCallee ? parent.arguments : [];
    return source?.type === 'Literal' ? [String(source.value)] : [];
  });
  return [...imported, ...required];
}
