import { valueOf } from '../../analysis/provenance/value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  isFunction,
  isZero,
  type Node,
  propertyName,
  shownName,
} from '../../analysis/syntax/ast.ts';
import {
  type Behaviour,
  behaviourOf,
  behaviourOfFunction,
} from '../../analysis/behaviour/behaviour.ts';
import { type Place } from '../../analysis/file/place.ts';
import { writesTo } from '../../analysis/syntax/bindings.ts';
import { type Call, calleeOf, isCall, returnedExpressions } from '../../analysis/syntax/calls.ts';
import { builderEffect } from '../../analysis/effects/effects.ts';
import { copiedBy, mappingOf } from '../../analysis/syntax/elements.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { iterationOf } from '../../analysis/loops/iteration-variables.ts';
import { isWrittenOut, lengthOf } from '../../analysis/flow/loop-bounds.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { certainNumber } from '../../analysis/values/values.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { wordsOf } from '../../analysis/syntax/words.ts';

/** One piece of work per element, all started concurrently and awaited together. */
export interface FanOut {
  /** `Promise.all(…)`. */
  readonly all: TSESTree.CallExpression;
  /** `users.map(hash)`, where the work is started by that and nothing else. */
  readonly map: TSESTree.CallExpression | undefined;
  /** The list with one piece of work per element. */
  readonly list: Node;
  /** The same, as the source names it. */
  readonly over: string | undefined;
  /** Their number, where the code contains it. */
  readonly count: number | undefined;
  /** The function or the call that does the work for one element. */
  readonly started: Place;
  readonly work: Behaviour;
  /** The list is a part of a longer one: a batch, which limits the concurrency, or what one query has asked for. */
  readonly part: 'batch' | 'page' | undefined;
}

/** Every fan-out of the file whose elements come from elsewhere, or are counted in the code; lists that are written out are none. */
export const fanOutsOf = queryOfFile(
  'fan-outs',
  (file: FileFacts): readonly FanOut[] =>
    file.nodes.all('CallExpression').flatMap((call) => fanOutAt(file, call)),
  { whileCyclic: [] },
);

function fanOutAt(file: FileFacts, all: TSESTree.CallExpression): readonly FanOut[] {
  const [argument] = all.arguments;
  if (!argument || !isTogether(file, all)) return [];
  const started = bare(argument);
  if (started.type === 'Identifier') return startedBefore(file, all, started);
  const found = started.type === 'CallExpression' ? mapped(file, all, started) : undefined;
  return found ? [found] : [];
}

/** Promise's, or that of a library that replaces it. */
function isTogether(file: FileFacts, { callee }: TSESTree.CallExpression): boolean {
  if (callee.type !== 'MemberExpression') return false;
  if (!/^all(?:Settled)?$/.test(propertyName(callee) ?? '')) return false;
  const owner = valueOf(file, callee.object);
  const library =
    owner.kind === 'module' || owner.kind === 'library' || owner.kind === 'callable'
      ? owner.library
      : undefined;
  return (owner.kind === 'global' && owner.name === 'Promise') || library?.replacesPromise === true;
}

function mapped(
  file: FileFacts,
  all: TSESTree.CallExpression,
  map: TSESTree.CallExpression,
): FanOut | undefined {
  const mapping = mappingOf(map);
  if (!mapping) return undefined;
  const over = copiedBy(mapping.over) ?? mapping.over;
  // veto: the mapped list is short: written out, or filtered by a key
  if (isFew(file, over)) return undefined;
  const value = valueOf(file, mapping.fn);
  if (value.kind !== 'function') return undefined;
  const count = countOf(file, over);
  // veto: the list is `{ length }` of an unresolved number, which is usually the intended concurrency
  if (bare(over).type === 'ObjectExpression' && count === undefined) return undefined;
  const part = partOf(file, all, over);
  return {
    all,
    map,
    list: over,
    over: nameOf(file, over),
    count,
    started: value,
    work: workOf(value),
    part,
  };
}

function workOf(fn: FunctionValue): Behaviour {
  const work = behaviourOfFunction(fn);
  // A query builder runs when somebody waits for it.
  const built = returnedExpressions(fn.node).flatMap((it) => builderEffect(fn.file, it) ?? []);
  return { ...work, effects: [...work.effects, ...built] };
}

/** `const jobs = xs.map(fn)`, or a list to which a loop adds what it starts. */
function startedBefore(
  file: FileFacts,
  all: TSESTree.CallExpression,
  name: TSESTree.Identifier,
): readonly FanOut[] {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  // veto: the list of promises is a parameter or an import, or its variable is assigned again
  if (definition?.type !== 'Variable' || (writesTo(variable!) ?? [name]).length > 0) return [];
  const init = definition.node.init && bare(definition.node.init);
  if (init?.type === 'CallExpression') {
    const found = mapped(file, all, init);
    return found ? [found] : [];
  }
  return variable!.references.flatMap(({ identifier }) => {
    const push = pushOf(identifier as Node);
    const found = push && pushed(file, all, push);
    return found ? [found] : [];
  });
}

/** `list.push(promise)` of `list`. */
export function pushOf(use: Node): TSESTree.CallExpression | undefined {
  const { parent } = use;
  if (parent?.type !== 'MemberExpression' || propertyName(parent) !== 'push') return undefined;
  return parent.parent.type === 'CallExpression' && parent.parent.callee === parent
    ? parent.parent
    : undefined;
}

/** `jobs.push(work(x))` in a loop that waits for nothing, whose `Promise.all` stands behind it. */
function pushed(
  file: FileFacts,
  all: TSESTree.CallExpression,
  push: TSESTree.CallExpression,
): FanOut | undefined {
  const loop = loopAround(file, push);
  const [started] = push.arguments;
  // veto: the promise is not from a call in a loop over a list, so other code starts the work
  if (!loop?.over || !started || !isCall(bare(started))) return undefined;
  // veto: the loop that fills the list of promises also awaits in its iterations
  if (loop.awaits.length > 0 || loopAround(file, all) === loop) return undefined;
  // veto: the loop that starts the work goes over a short list: written out, or filtered by a key
  if (isFew(file, loop.over)) return undefined;
  const callee = valueOf(file, calleeOf(bare(started) as Call));
  // A call of the project's that only a list waits for would do its work beside this code.
  const work =
    callee.kind === 'function'
      ? behaviourOfFunction(callee)
      : behaviourOf(file, started, scopeAround(file, push));
  return {
    all,
    map: undefined,
    list: loop.over,
    over: nameOf(file, loop.over),
    count: loop.bound,
    started: { file, node: started },
    work,
    part: partOf(file, all, loop.over),
  };
}

/** A list that is written out, or of what one name leads to: `files.filter((it) => it.name === 'a')`. */
function isFew(file: FileFacts, over: Node): boolean {
  return isWrittenOut(file, over) || isFilteredToOne(over) || isWrittenOutByDefault(file, over);
}

/** A parameter that stands for a list that is written out where nobody gives another: `names = names ?? Object.keys(jobs)`. */
function isWrittenOutByDefault(file: FileFacts, over: Node): boolean {
  const variable = over.type === 'Identifier' ? file.variableOf(over) : undefined;
  const [definition] = variable?.defs ?? [];
  if (definition?.type !== 'Parameter') return false;
  const { parent } = definition.name as Node;
  const isDefault = parent?.type === 'AssignmentPattern' && parent.left === definition.name;
  const values = [...(isDefault ? [parent.right] : []), ...(writesTo(variable!) ?? [])];
  return values.flatMap((it) => sidesOf(it)).some((it) => isWrittenOut(file, it));
}

function sidesOf(node: Node): readonly Node[] {
  const it = bare(node);
  if (it.type === 'ConditionalExpression') return [it.consequent, it.alternate];
  return it.type === 'LogicalExpression' ? [it.left, it.right] : [it];
}

function isFilteredToOne(over: Node): boolean {
  const it = bare(over);
  if (it.type !== 'CallExpression' || it.callee.type !== 'MemberExpression') return false;
  const [test] = it.arguments;
  // no veto: the shape of a call
  if (propertyName(it.callee) !== 'filter' || !isFunction(test)) return false;
  const kept = bodyOf(test);
  // no veto: the shape of a comparison.
  if (kept.type !== 'BinaryExpression' || kept.operator !== '===') return false;
  return [kept.left, kept.right].some((it) => KEY.test(wordsOf(shownName(it) ?? '')));
}

/** Elements have them of their own. */
const KEY = /\b(?:id|uuid|key|name|slug|email|path|url|code)$/;

/** Part of a whole that is gone through bit by bit, or the first elements of one. */
function partOf(file: FileFacts, all: Node, over: Node): FanOut['part'] {
  const from = sliceOf(file, over);
  if (from) return isZero(from) ? 'page' : 'batch';
  const words = wordsOf(nameOf(file, over) ?? '');
  if (BATCH.test(words)) return 'batch';
  return /\bpages?\b/.test(words) || isPage(file, all, over) ? 'page' : undefined;
}

const BATCH = /\b(?:batch(?:es)?|chunks?|chunked|groups?|slices?|windows?)\b/;

/** The start of `xs.slice(from, to)`, or of the variable with it. */
function sliceOf(file: FileFacts, over: Node): Node | undefined {
  const it = bare(over);
  const init = it.type === 'Identifier' ? initOf(file, it) : it;
  if (init?.type !== 'CallExpression' || init.callee.type !== 'MemberExpression') return undefined;
  return /^(?:splice|slice)$/.test(propertyName(init.callee) ?? '') ? init.arguments[0] : undefined;
}

/** In each round of a loop, what comes after where the rounds before have come to: `find(filter, skip, limit)`. */
function isPage(file: FileFacts, all: Node, over: Node): boolean {
  const loop = loopAround(file, all);
  const init = over.type === 'Identifier' ? initOf(file, over) : undefined;
  return !!loop && !!init && mentions(file, init, iterationOf(file, loop).assigned);
}

function initOf(file: FileFacts, name: TSESTree.Identifier): Node | undefined {
  const [definition] = file.variableOf(name)?.defs ?? [];
  return definition?.type === 'Variable' && definition.node.init
    ? bare(definition.node.init)
    : undefined;
}

/** `{ length: 100 }` of `Array.from`, or what the list is proved to have. */
function countOf(file: FileFacts, over: Node): number | undefined {
  const it = bare(over);
  if (it.type !== 'ObjectExpression') return lengthOf(file, it);
  const [property] = it.properties;
  return property?.type === 'Property' && propertyName(property) === 'length'
    ? certainNumber(file, property.value)
    : undefined;
}

const LONGEST_NAME = 40;

/** `super` is the list that the code stands in: it names nothing to its reader. */
function nameOf(file: FileFacts, over: Node): string | undefined {
  if (over.type === 'Super') return undefined;
  const text = file.textOf(over).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}
