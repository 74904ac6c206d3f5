import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  calledName,
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  propertyName,
  walkOwn,
} from '../syntax/ast.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { importedPackages } from './imported-packages.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import type { Effect } from '../effects/effects.ts';
import type { FileFacts } from '../file/file.ts';
import { callsOf } from '../provenance/function-uses.ts';

const HOOK = /^use(?:State|Reducer|Effect|LayoutEffect|Callback|Memo|Ref)$/;

/** Folders of what runs in browsers, unless more of the path says that it serves them; a whole project may be called `shop-frontend`. */
const FOR_BROWSERS =
  /[\\/](?:front-?end[\\/]|[\w-]+[-_]front-?end[\\/](?=[^\\/]+$))(?!.*(?:api|server|app[\\/]routes[\\/]))/i;

/** Whether the file lies in the part of a project for browsers, as its folder says; what asks a database there runs on a server. */
function isForBrowsers(file: FileFacts): boolean {
  return FOR_BROWSERS.test(file.place);
}

/** Whether a page waits, and no server: within its component, or where the part for browsers only sends requests. */
export function isWaitOfPage(
  file: FileFacts,
  node: Node,
  effects: readonly Pick<Effect, 'env' | 'at'>[],
): boolean {
  // no veto: a page waits for it, whatever it asks.
  if (isInComponent(file, node)) return true;
  // What a browser waits for beyond its page comes over HTTP, or by its clock.
  // veto of an exclusion: the code waits for more than requests and timers, so a server runs it
  if (!effects.every((it) => /^(?:http|timer|console)$/.test(it.env))) return false;
  if (isOfPages(file, node)) return true;
  return effects.some(
    ({ at }) =>
      asksOwnOrigin(at.file, at.node) || asksBrowser(at.file, at.node) || isOfExtension(at.file),
  );
}

/** Whether the code is a page's by its place, as long as it asks for nothing that only servers have. */
export function isOfPages(file: FileFacts, node: Node): boolean {
  // no veto: what a page waits for is no await of a server: test/coverage.test.ts.
  if (isInComponent(file, node)) return true;
  return (
    isForBrowsers(file) ||
    isScriptOfPage(file) ||
    isUnderHook(file, node) ||
    importedPackages(file).some((it) => STORE.test(it))
  );
}

/** What keeps the state of pages. */
const STORE =
  /^(?:@ngrx\/\w+|@reduxjs\/toolkit|(?:react-)?redux|redux-(?:saga|thunk)|jotai|mobx(?:-react(?:-lite)?)?|pinia|recoil|vuex|zustand)$/;

/** `fetch('/orders')`: only a page has an address that the rest of this one can be taken from. */
function asksOwnOrigin(file: FileFacts, node: Node): boolean {
  if (node.type !== 'CallExpression' || calledName(node.callee) !== 'fetch') return false;
  const [address] = node.arguments;
  return address !== undefined && /^['"`]\/(?!\/)/.test(file.textOf(address));
}

/** A plain script, which imports and exports nothing, and takes its page for granted; or a module that does so as soon as it is loaded. */
function isScriptOfPage(file: FileFacts): boolean {
  // veto of an exclusion: the file tests whether it runs in a browser, so a server may run it as well
  if (isForBoth(file)) return false;
  const isModule =
    importedPackages(file).length > 0 || bodyOf(file.ast).some((it) => /^Export/.test(it.type));
  return file.nodes.named('document').some((it) => {
    if (file.variableOf(it)) return false;
    return isModule ? runsOnLoad(file, it) : it.parent.type === 'MemberExpression';
  });
}

/** `$(document).on('click', …)` of a module itself: without a page, that fails. */
function runsOnLoad(file: FileFacts, name: Node): boolean {
  const { parent } = name;
  const isAsked = parent?.type === 'MemberExpression' && parent.object === name;
  const isGiven = parent?.type === 'CallExpression';
  return (isAsked || isGiven) && !functionAround(name) && conditionsOn(name, file.ast).length === 0;
}

const FOR_BOTH = /\btypeof\s+(?:window|document|FileReader|\w+Storage)\b/;

function isForBoth(file: FileFacts): boolean {
  return file.says(FOR_BOTH);
}

const OF_BROWSERS = ['FileReader', 'localStorage', 'sessionStorage', 'indexedDB'];

/**
 * A function around it, or one of the file that such a function calls, takes for granted what only browsers have; where code
 * asks first what it runs in, both may run it.
 */
function asksBrowser(file: FileFacts, node: Node): boolean {
  // veto of an exclusion: the file tests whether it runs in a browser, so a server may run it as well
  if (isForBoth(file)) return false;
  const around = functionsAround(node);
  return OF_BROWSERS.flatMap((it) => file.nodes.named(it)).some((it) => {
    // veto of an exclusion: the file declares localStorage or a similar name itself, so it is no global of the browser
    if (file.variableOf(it)) return false;
    if (it.parent.type !== 'NewExpression' && it.parent.type !== 'MemberExpression') return false;
    if (around.some((fn) => contains(fn, it))) return true;
    const helper = functionAround(it);
    return helper !== undefined && around.some((fn) => calls(file, fn, helper));
  });
}

function calls(file: FileFacts, fn: FunctionNode, called: FunctionNode): boolean {
  return callsOf(file, called).some((it) => contains(fn, it));
}

/** `chrome.tabs.query(…)`, `browser.runtime.onMessage`: only extensions of browsers have that. */
function isOfExtension(file: FileFacts): boolean {
  return ['chrome', 'browser'].some((name) =>
    file.nodes
      .named(name)
      .some(
        (it) =>
          !file.variableOf(it) &&
          it.parent.type === 'MemberExpression' &&
          it.parent.object === it &&
          /^(?:runtime|tabs|storage|scripting|action|contextMenus)$/.test(
            propertyName(it.parent) ?? '',
          ),
      ),
  );
}

/**
 * A function around it is a hook, or calls one of whichever library in a file with elements of pages; an async component runs on
 * a server.
 */
function isUnderHook(file: FileFacts, node: Node): boolean {
  const hasElements = file.nodes.all('JSXElement', 'JSXFragment').length > 0;
  return functionsAround(node).some((fn) => {
    // veto of an exclusion: the function around the code is async, so it may be a component that a server renders
    if (fn.async) return false;
    // veto: the file has no elements of a page, and a server may have functions with the names of hooks
    return (hasElements || HOOK_NAME.test(nameOfFunction(fn))) && callsOwn(file, fn, HOOK_NAME);
  });
}

const HOOK_NAME = /^use[A-Z]/;

function functionsAround(node: Node): readonly FunctionNode[] {
  const fn = functionAround(node);
  return fn ? [fn, ...functionsAround(fn)] : [];
}

/** A function around it calls a hook of React's; its file may hold a server's part, too. */
function isInComponent(file: FileFacts, node: Node): boolean {
  for (let fn = functionAround(node); fn; fn = functionAround(fn))
    if (callsOwn(file, fn, HOOK)) return true;
  return false;
}

/** Whether a function itself, and no other in it, calls something of such a name. */
const callsOwn = query(
  'calls by itself',
  (_: FileFacts, fn: FunctionNode, called: RegExp): boolean => {
    let calls = false;
    walkOwn(bodyOf(fn)!, (it) => {
      calls ||= it.type === 'CallExpression' && called.test(calledName(it.callee) ?? '');
    });
    return calls;
  },
  { whileCyclic: false },
);
