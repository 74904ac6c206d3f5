import { crc32 } from 'node:zlib';
import type { TSESTree } from '@typescript-eslint/utils';
import { type MeasuredAwait, measuredAwaitsOf } from '../analysis/coverage/measured-awaits.ts';
import { isUntilStopped } from '../analysis/contexts/one-shot.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import {
  bare,
  calledName,
  dottedName,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
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
  type PlannedLoop,
  type PlannedSite,
} from '../runtime/plan.ts';
import type { Positions } from './positions.ts';

/** Where a running program is measured; `findings` are those of the file. */
export function probesOf(
  file: FileFacts,
  positions: Positions,
  findings: readonly Finding[],
): FileProbes {
  const awaits = measuredAwaitsOf(file).filter(({ scope }) => !scope || isWrappable(file, scope));
  const scopes = new Set(awaits.map((it) => it.scope));
  const loops = workerLoopsOf(file).filter((it) => scopes.has(functionAround(it)));
  const lineOf = (node: Node) => positions.at(startsAt(node)).line;
  const rules = rulesByLine(findings, positions);
  const runs = runsOf(file, findings);
  const nodes = new Set<Node>(awaits.map((it) => it.node));
  const sites = awaits.map((it): PlannedSite => {
    const { node, kind, sleepMs } = it;
    const { depth, loop } = aroundOf(it, nodes, loops);
    const [name] = functionNames(node);
    const run = runs.get(node);
    const line = lineOf(node);
    return {
      ...{ start: startsAt(node), end: endsAt(node), line, kind, depth },
      ...(name && { function: name }),
      code: codeOf(file, node),
      ...(loop !== -1 && { loop }),
      ...(sleepMs !== undefined && { sleepMs }),
      ...(rules.has(line) && { rules: [...rules.get(line)!] }),
      ...(run && { run }),
    };
  });
  return {
    text: keyOfText(file.text, crc32),
    sites,
    frames: [...scopes].map((it) => (it ? frameOf(file, it) : moduleFrame(file))),
    loops: loops.map((it) => loopOf(file, it, lineOf(it))),
    pools: madePoolsOf(file).map(({ call }) => ({
      ...{ start: startsAt(call), end: endsAt(call), line: lineOf(call) },
    })),
  };
}

type LoopStatement = Extract<
  Node,
  { type: 'WhileStatement' | 'DoWhileStatement' | 'ForStatement' }
>;

/** Only the function itself says when an iteration of it ends. */
function workerLoopsOf(file: FileFacts): readonly LoopStatement[] {
  return file.nodes
    .all('WhileStatement', 'DoWhileStatement', 'ForStatement')
    .filter((it): it is LoopStatement => isLoop(it) && isUntilStopped(file, it));
}

function aroundOf(
  { node, scope }: MeasuredAwait,
  nodes: ReadonlySet<Node>,
  loops: readonly LoopStatement[],
): { readonly depth: number; readonly loop: number } {
  let depth = 0;
  let loop = -1;
  for (let it = node.parent as Node | undefined; it && it !== scope; it = it.parent) {
    if (nodes.has(it)) depth++;
    if (loop === -1) loop = loops.indexOf(it as LoopStatement);
  }
  return { depth, loop };
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

function loopOf(file: FileFacts, loop: LoopStatement, line: number): PlannedLoop {
  const { body } = loop;
  const hasBraces = body.type === 'BlockStatement';
  const edge = hasBraces ? 1 : 0;
  return {
    line,
    name: functionNames(loop)[0] ?? fileNameOf(file.path),
    ...{ start: startsAt(body) + edge, end: endsAt(body) - edge, hasBraces },
  };
}

function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The awaited call, without its arguments: a user recognises the line by it. */
function codeOf(file: FileFacts, { argument }: TSESTree.AwaitExpression): string {
  const node = bare(argument);
  const callee = isCall(node) ? bare(calleeOf(node)) : node;
  const name = isFunction(callee) ? undefined : (dottedName(callee) ?? calledName(callee));
  return (name ?? file.textOf(node).replace(/\s+/g, ' ')).slice(0, 60);
}

function rulesByLine(
  findings: readonly Finding[],
  positions: Positions,
): ReadonlyMap<number, ReadonlySet<string>> {
  const rules = new Map<number, Set<string>>();
  for (const { ruleId, range } of findings) {
    const { line } = positions.at(range[0]);
    rules.set(line, (rules.get(line) ?? new Set()).add(ruleId));
  }
  return rules;
}

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
