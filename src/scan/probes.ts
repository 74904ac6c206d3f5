import { crc32 } from 'node:zlib';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  type MeasuredAwait,
  measuredAwaitsOf,
  measuredReturnsOf,
} from '../analysis/coverage/measured-awaits.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import {
  bare,
  calledName,
  dottedName,
  functionAround,
  type FunctionNode,
  hasPause,
  isFunction,
  type Node,
} from '../analysis/syntax/ast.ts';
import { calleeOf, isCall } from '../analysis/syntax/calls.ts';
import { functionNames } from '../analysis/syntax/function-names.ts';
import { endsAt, startsAt } from '../analysis/syntax/places.ts';
import { independentRunsOf } from '../patterns/independence/independence.ts';
import { madePoolsOf } from '../patterns/pools/made-pools.ts';
import type { Finding } from '../../rules/define-rule.ts';
import {
  type FileProbes,
  keyOfText,
  type PlannedFrame,
  type PlannedSite,
} from '../runtime/plan.ts';
import { placesOf, plannedFindingsOf } from './planned-findings.ts';
import { handlersOf, loopsOfWork, type LoopOfWork, sourcesOf } from './planned-sources.ts';
import type { Positions } from './positions.ts';

/** Where a running program is measured; `findings` are those of the file, and `blocking` the ranges of synchronous calls that they are about. */
export function probesOf(
  file: FileFacts,
  positions: Positions,
  findings: readonly Finding[],
  blocking = blockingRangesOf(findings),
): FileProbes {
  const canHave = (scope: FunctionNode | undefined) => !scope || isWrappable(file, scope);
  const handlers = handlersOf(file).filter(({ fn }) => canHave(fn));
  const returned = handlers.flatMap(({ fn }) => measuredReturnsOf(file, fn));
  const calls = blockingCallsIn(file, blocking);
  // A call that is returned needs no await besides.
  const others = returned.filter(({ node }) => !calls.some((it) => it.node === node));
  const awaits = [...measuredAwaitsOf(file), ...others, ...calls]
    .filter(({ scope }) => canHave(scope))
    .toSorted((a, b) => startsAt(a.node) - startsAt(b.node));
  const waiting = new Set(awaits.map((it) => it.scope));
  const loops = loopsOfWork(file).filter(({ node, kind }) => {
    const scope = functionAround(node);
    return kind === 'worker' ? waiting.has(scope) : canHave(scope);
  });
  const own = [...handlers.map((it) => it.fn), ...loops.map((it) => functionAround(it.node))];
  const scopes = new Set([...waiting, ...own]);
  const lineOf = (node: Node) => positions.at(startsAt(node)).line;
  const rules = rulesByLine(file, findings, positions);
  const runs = runsOf(file, findings);
  const inLoops = findings.filter((it) => LOOP_RULES.has(it.ruleId));
  const repeated = placesOf(file, inLoops, awaits);
  const nodes = new Set<Node>(awaits.map((it) => it.node));
  const sites = awaits.map((it, i): PlannedSite => {
    const { node, awaited, kind, sleepMs } = it;
    const { depth, loop } = aroundOf(it, nodes, loops);
    const [name] = functionNames(node);
    const run = runs.get(node);
    const line = lineOf(node);
    return {
      ...{ start: startsAt(node), end: endsAt(node), line, kind, depth },
      ...(name && { function: name }),
      code: codeOf(file, awaited),
      ...(node === awaited && kind !== 'blocking' && { isReturned: true }),
      ...(loop !== -1 && { loop }),
      ...(sleepMs !== undefined && { sleepMs }),
      ...(rules.has(line) && { rules: [...rules.get(line)!] }),
      ...(run && { run }),
      ...(repeated.has(i) && { isRepeated: true }),
    };
  });
  const pools = madePoolsOf(file).map(({ call }) => ({
    ...{ start: startsAt(call), end: endsAt(call), line: lineOf(call) },
  }));
  return {
    text: keyOfText(file.text, crc32),
    ...{ sites, pools },
    frames: [...scopes].map((it) => {
      const handler = handlers.findIndex(({ fn }) => fn === it);
      const frame = it ? frameOf(file, it) : moduleFrame(file);
      return handler === -1 ? frame : { ...frame, source: loops.length + handler };
    }),
    sources: sourcesOf(file, { loops, handlers, lineOf }),
    findings: plannedFindingsOf(file, findings, { awaits, sites, pools }),
  };
}

function blockingRangesOf(findings: readonly Finding[]): readonly Finding['range'][] {
  return findings
    .filter((it) => it.ruleId === 'no-blocking-call')
    .flatMap(({ range, related }) => [range, ...related.map((it) => it.range)]);
}

/**
 * Synchronous calls that findings are about: not in a chain with `?.`, nor in a default of a parameter, where the run has no name yet, nor
 * with arguments that wait, whose time is not theirs.
 */
function blockingCallsIn(
  file: FileFacts,
  ranges: readonly Finding['range'][],
): readonly MeasuredAwait[] {
  if (ranges.length === 0) return [];
  const places = new Set(ranges.map(([start, end]) => `${start} ${end}`));
  return file.nodes
    .all('CallExpression')
    .filter(
      (it) => places.has(`${startsAt(it)} ${endsAt(it)}`) && isWithinBody(it) && !hasPause(it),
    )
    .map((node) => ({
      ...{ node, awaited: node, scope: functionAround(node), kind: 'blocking' as const },
    }));
}

function isWithinBody(node: Node): boolean {
  let it = node;
  while (it.parent && !isFunction(it.parent)) {
    if (it.parent.type === 'ChainExpression') return false;
    it = it.parent;
  }
  return !it.parent || it.parent.body === it;
}

function aroundOf(
  { node, scope }: MeasuredAwait,
  nodes: ReadonlySet<Node>,
  loops: readonly LoopOfWork[],
): { readonly depth: number; readonly loop: number } {
  let depth = 0;
  let loop = -1;
  for (let it = node as Node; it !== scope && it.parent; it = it.parent) {
    const { parent } = it;
    if (parent === scope) break;
    if (nodes.has(parent)) depth++;
    // What a loop is over is evaluated before it.
    if (loop === -1)
      loop = loops.findIndex((own) => own.node === parent && isIteratedIn(own.node, it));
  }
  return { depth, loop };
}

function isIteratedIn(loop: LoopOfWork['node'], part: Node): boolean {
  return !('right' in loop) || loop.right !== part;
}

/** The body becomes a block, in which a function's name can be declared once: there, two declarations are an error. */
function isWrappable(file: FileFacts, scope: FunctionNode): boolean {
  const { body } = scope;
  if (body?.type !== 'BlockStatement') return true;
  return body.body.every(
    (it) =>
      it.type !== 'FunctionDeclaration' ||
      !it.id ||
      (file.variableOf(it.id)?.defs.length ?? 2) === 1,
  );
}

function frameOf(file: FileFacts, scope: FunctionNode): PlannedFrame {
  const { body } = scope;
  if (body?.type === 'BlockStatement') {
    const directive = directivesIn(body.body).at(-1);
    const start = directive ? endsAt(directive) : startsAt(body) + 1;
    const isAfterDirective = directive !== undefined;
    return { kind: 'block', start, end: endsAt(body) - 1, isAfterDirective };
  }
  const start = afterArrow(file, scope, body!);
  return { kind: 'expression', start, end: endsAt(scope), isAfterDirective: false };
}

/** Behind the `=>`, in front of parentheses and comments. */
function afterArrow({ text }: FileFacts, arrow: Node, body: Node): number {
  const before = text.slice(startsAt(arrow), startsAt(body));
  // A comment in between may have an arrow: what follows the true one is space, parentheses and comments.
  const match = /=>(?:[\s(]|\/\/[^\n]*\n|\/\*[^]*?\*\/)*$/.exec(before);
  return match ? startsAt(arrow) + match.index + 2 : startsAt(body);
}

function moduleFrame({ ast }: FileFacts): PlannedFrame {
  const directive = directivesIn(ast.body).at(-1);
  const first = ast.body[0];
  const start = directive ? endsAt(directive) : first ? startsAt(first) : 0;
  return { kind: 'module', start, end: start, isAfterDirective: directive !== undefined };
}

function directivesIn(statements: readonly TSESTree.Statement[]): readonly Node[] {
  const end = statements.findIndex((it) => !('directive' in it) || !it.directive);
  return end === -1 ? statements : statements.slice(0, end);
}

/** The awaited call, without its arguments: a user recognises the line by it. */
function codeOf(file: FileFacts, awaited: Node): string {
  const node = bare(awaited);
  const callee = isCall(node) ? bare(calleeOf(node)) : node;
  const name = isFunction(callee) ? undefined : (dottedName(callee) ?? calledName(callee));
  return (name ?? file.textOf(node).replace(/\s+/g, ' ')).slice(0, 60);
}

function rulesByLine(
  file: FileFacts,
  findings: readonly Finding[],
  positions: Positions,
): ReadonlyMap<number, ReadonlySet<string>> {
  const rules = new Map<number, Set<string>>();
  for (const { ruleId, range, related } of findings) {
    const waits = related.filter((it) => it.isWait && it.path === file.path);
    for (const [start] of [range, ...waits.map((it) => it.range)]) {
      const { line } = positions.at(start);
      rules.set(line, (rules.get(line) ?? new Set()).add(ruleId));
    }
  }
  return rules;
}

/** Their findings state that one statement, or calls that run together, may do the work of all passes. */
const LOOP_RULES = new Set(['no-independent-await-in-loop', 'no-autocommit-in-loop']);

const TERMS = {
  declared: { reads: [], writes: [] },
  guardVerbs: [],
  isPoolAware: true,
} as const;

/** The reads of which a finding states that none needs another. */
function runsOf(
  file: FileFacts,
  findings: readonly Finding[],
): ReadonlyMap<Node, NonNullable<PlannedSite['run']>> {
  const found = findings.filter((it) => it.ruleId === 'no-sequential-independent-awaits');
  const runs = found.length > 0 ? independentRunsOf(file, TERMS) : [];
  const places = new Map<Node, NonNullable<PlannedSite['run']>>();
  for (const [id, { reads }] of runs.entries()) {
    const second = reads[1]?.shape.node;
    if (!second || !found.some((it) => it.range[0] === startsAt(second))) continue;
    for (const [at, { shape }] of reads.entries()) {
      places.set(shape.node, { id, at, of: reads.length });
    }
  }
  return places;
}
