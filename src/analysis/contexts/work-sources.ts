import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import { isRescheduled } from '../flow/rounds.ts';
import type { Pace } from '../model/schema.ts';
import { messageEvent, testRunners } from '../model/work-sources.ts';
import { callbackOf } from '../provenance/contextual.ts';
import { distantUsesOf } from '../provenance/distant-uses.ts';
import { mentionsOf } from '../provenance/function-uses.ts';
import { importNameOf } from '../provenance/import-names.ts';
import {
  bare,
  calledName,
  functionAround,
  type FunctionNode,
  isFunction,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { entryPaceOf } from './entries.ts';

// Conditions here decide what is measured and not what is reported: test/runtime/work-sources.test.ts has them.

/** Work that starts a function, and for which no request waits. */
export interface WorkSource {
  /** `job`: a message or a job of a queue; `schedule`: a timer or a time of day; `test`: a test runner. */
  readonly kind: 'job' | 'schedule' | 'test';
  /** The title of a test, the name of the function, the queue, or the time; undefined where nothing names it. */
  readonly name: string | undefined;
}

/**
 * What starts each run of a function: it is given to a library, a test runner or a timer as their callback, or is all that such a
 * callback calls, or a framework finds it. Undefined where nothing does, or a request.
 */
export function workSourceOf(file: FileFacts, fn: FunctionNode): WorkSource | undefined {
  const name = nameOfFunction(fn) || undefined;
  const own = sourceAt(file, fn, name) ?? frameworkSource(file, fn, name);
  // no veto: a measurement is no report.
  if (own) return own;
  // no veto: a measurement is no report.
  if (name === undefined) return undefined;
  // no veto: a measurement is no report.
  if (isRescheduled(file, fn)) return { kind: 'schedule', name };
  const elsewhere = functionAround(fn) ? [] : distantUsesOf(file, fn);
  const uses = [...mentionsOf(file, fn).map((node) => ({ file, node })), ...elsewhere];
  for (const use of uses) {
    const source = sourceAt(use.file, handedOver(use.node), name);
    if (source) return source;
  }
  return undefined;
}

/** That of a function, or the name of one, which is an argument of a call. */
function sourceAt(file: FileFacts, node: Node, name: string | undefined): WorkSource | undefined {
  const title = titleOfTest(file, node);
  // no veto: a measurement is no report.
  if (title !== undefined) return { kind: 'test', name: title };
  const found = callbackOf(file, node);
  const kind = found?.callback.runs && KINDS[found.callback.runs];
  // no veto: a measurement is no report.
  if (kind) return { kind, name: name ?? firstText(found.call) };
  const call = callWith(node);
  // no veto: a measurement is no report.
  if (!call) return undefined;
  // no veto: a measurement is no report.
  if (isInterval(file, call, node)) return { kind: 'schedule', name };
  return isMessageListener(call, node) ? { kind: 'job', name } : undefined;
}

const KINDS: Readonly<Partial<Record<Pace, WorkSource['kind']>>> = {
  'per-job': 'job',
  scheduled: 'schedule',
  periodic: 'schedule',
};

function frameworkSource(
  file: FileFacts,
  fn: FunctionNode,
  name: string | undefined,
): WorkSource | undefined {
  const pace = entryPaceOf(file, fn);
  const kind = pace && KINDS[pace];
  return kind && { kind, name };
}

/** `orders` of `new Worker('orders', …)`. */
function firstText({ arguments: [first] }: TSESTree.CallExpression): string | undefined {
  return first && textOf(first);
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  // no veto: a measurement is no report.
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map((it) => it.value.cooked ?? it.value.raw).join('…');
}

function callWith(node: Node): TSESTree.CallExpression | undefined {
  const { parent } = node;
  const isArgument =
    parent?.type === 'CallExpression' && parent.arguments.includes(node as TSESTree.Expression);
  return isArgument ? parent : undefined;
}

function isInterval(
  file: FileFacts,
  { callee, arguments: [first] }: TSESTree.CallExpression,
  node: Node,
) {
  return (
    first === node &&
    isNamed(callee, 'setInterval') &&
    !file.variableOf(bare(callee) as TSESTree.Identifier)
  );
}

function isMessageListener({ callee, arguments: [event] }: TSESTree.CallExpression, node: Node) {
  const method = bare(callee);
  return (
    method.type === 'MemberExpression' &&
    /^(?:on|addListener)$/.test(propertyName(method) ?? '') &&
    event !== node &&
    event?.type === 'Literal' &&
    event.value === messageEvent
  );
}

/** `lists orders` of `it('lists orders', async () => …)`. */
function titleOfTest(file: FileFacts, node: Node): string | undefined {
  const call = callWith(node);
  const [title] = call?.arguments ?? [];
  // no veto: a measurement is no report.
  if (!call || !title || title === node || !isTestFunction(file, call.callee)) return undefined;
  return textOf(title) ?? file.textOf(title).slice(0, LONGEST_TITLE);
}

/** A title that is computed is shown as its code. */
const LONGEST_TITLE = 60;

function isTestFunction(file: FileFacts, callee: Node): boolean {
  const { packages, functions, variants, makers } = testRunners;
  let it = bare(callee);
  let exported: string | undefined;
  if (it.type === 'CallExpression' || it.type === 'TaggedTemplateExpression') {
    it = bare(it.type === 'CallExpression' ? it.callee : it.tag);
    // no veto: a measurement is no report.
    if (it.type !== 'MemberExpression' || !makers.test(propertyName(it) ?? '')) return false;
    it = bare(it.object);
  }
  while (it.type === 'MemberExpression' && variants.test(propertyName(it) ?? ''))
    it = bare(it.object);
  // `import * as runner from 'vitest'`
  if (it.type === 'MemberExpression') {
    exported = propertyName(it);
    it = bare(it.object);
  }
  // no veto: a measurement is no report.
  if (it.type !== 'Identifier') return false;
  const imported = importNameOf(file, it);
  // no veto: a measurement is no report.
  if (!imported) return false;
  if (imported.from === undefined) return exported === undefined && functions.test(it.name);
  // no veto: a measurement is no report.
  if (!packages.includes(imported.from)) return false;
  const name = exported ?? imported.name ?? 'default';
  // no veto: a measurement is no report. The whole of `node:test` is its function.
  return functions.test(name) || name === 'default';
}

/**
 * For the mention of a function, the callback that stands for it: `tick` in `setInterval(tick, 100)`, `tick.bind(this)`, and
 * `() => { void tick().catch(log); }`, which does nothing but call it.
 */
function handedOver(mention: Node): Node {
  const { parent } = mention;
  if (parent?.type === 'MemberExpression' && parent.object === mention)
    return propertyName(parent) === 'bind' && parent.parent.type === 'CallExpression'
      ? parent.parent
      : mention;
  // no veto: a measurement is no report.
  if (parent?.type !== 'CallExpression' || parent.callee !== mention) return mention;
  const whole = wholeOf(parent);
  const fn = isFunction(whole.parent) ? whole.parent : undefined;
  return fn && !fn.async && !fn.generator && bodyOf(fn) === whole ? fn : mention;
}

/** The body that consists of a call: with its `catch`, as a statement, in a block of its own. */
function wholeOf(call: Node): Node {
  let it = call;
  for (let { parent } = it; parent; { parent } = it) {
    const isSettled =
      (parent.type === 'MemberExpression' &&
        parent.object === it &&
        /^(?:then|catch|finally)$/.test(propertyName(parent) ?? '')) ||
      (parent.type === 'CallExpression' && parent.callee === it && calledName(it) !== undefined);
    const isAlone =
      (parent.type === 'UnaryExpression' && parent.operator === 'void') ||
      parent.type === 'ExpressionStatement' ||
      parent.type === 'ReturnStatement' ||
      (parent.type === 'BlockStatement' && parent.body.length === 1);
    // no veto: a measurement is no report.
    if (!isSettled && !isAlone && bare(parent) === parent) break;
    it = parent;
  }
  return it;
}
