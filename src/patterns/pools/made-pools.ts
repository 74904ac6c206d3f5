import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  classAround,
  functionAround,
  type FunctionNode,
  type Node,
  propertyName,
  walk,
} from '../../analysis/syntax/ast.ts';
import { writesTo } from '../../analysis/syntax/bindings.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { type Call, isCall } from '../../analysis/syntax/calls.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import { callsNamedLikeConnectionsIn } from '../../analysis/provenance/connection-names.ts';
import { paceOf } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { PoolFacts } from '../../analysis/model/pool-facts.ts';
import { limitOf } from '../../analysis/values/pool-limits.ts';
import { awaited, type LibraryValue } from '../../analysis/file/value.ts';
import { inlineCallOf } from '../../analysis/flow/waits.ts';
import { nameNodeOf } from '../../analysis/syntax/function-names.ts';
import { groupsOf } from '../../analysis/syntax/grouped.ts';

/** A pool that a file makes and that goes on after the code that makes it. */
export interface MadePool {
  readonly call: Call;
  readonly handle: LibraryValue;
  readonly pool: PoolFacts;
}

/** Those of drivers whose defaults are verified for the version of the project. */
export const madePoolsOf: (file: FileFacts) => readonly MadePool[] = collect(
  'made pools',
  (file: FileFacts, region) =>
    callsNamedLikeConnectionsIn(file, region).flatMap((call) => madePool(file, call)),
);

function madePool(file: FileFacts, call: Call): readonly MadePool[] {
  const handle = awaited(valueOf(file, call));
  if (handle.kind !== 'library' || !handle.type.pool) return [];
  const made = libraryCallOf(file, call);
  // veto: the call creates no pool of its own: it returns an existing pool or the driver's shared pool
  if (!made || made.callee.receiver?.origin || made.signature.isShared) return [];
  // veto: Deadtime has not verified the pool defaults of the driver version in this project
  if (!hasKnownDefaults(file, handle)) return [];
  // veto: the run that creates the pool also closes it
  if (endsOf(file, handle).some((it) => isSameRun(file, it, call))) return [];
  // veto: all uses of the pool run while the program starts
  if (servesStartOnly(file, call)) return [];
  // veto: the code creates the pool only under a condition that is about tests
  if (isForTests(file, call)) return [];
  // veto: the pool has one connection, which its class keeps in a field, so no call waits for it
  if (isOneKeptClient(call, handle)) return [];
  // veto: the code later assigns a different pool to the same variable
  if (isReplaced(file, call)) return [];
  return [{ call, handle, pool: handle.type.pool }];
}

/** What nobody has looked at may wait differently; a project that does not say its version has the one that was looked at. */
function hasKnownDefaults(file: FileFacts, { library, type }: LibraryValue): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(library.name)![0];
  const version = file.source.modules?.versionOf(name, file.path);
  if (version === undefined) return true;
  const newest = majorOf(library.verifiedWith);
  const oldest = type.pool?.since ?? newest;
  return majorOf(version) >= oldest && majorOf(version) <= newest;
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** `this.client ??= this.pool.connect()` of a pool of one, in a field: whoever wants the client gets that one. */
function isOneKeptClient(call: Call, handle: LibraryValue): boolean {
  if (limitOf(handle) !== 1) return false;
  const field = fieldOf(call);
  const home = field && classAround(call)?.node;
  if (!home) return false;
  const asking: Node[] = [];
  walk(home, (it) => {
    const { callee = undefined } = it.type === 'CallExpression' ? it : {};
    if (callee?.type !== 'MemberExpression') return;
    if (ASKS.test(propertyName(callee) ?? '') && isFieldNamed(bare(callee.object), field))
      asking.push(it);
  });
  return asking.length > 0 && asking.every(isKept);
}

const ASKS = /^(?:connect|query|getConnection|execute)$/;

/** The field that gets what the call makes. */
function fieldOf({ parent }: Call): string | undefined {
  if (parent.type === 'PropertyDefinition') return propertyName(parent);
  if (parent.type !== 'AssignmentExpression') return undefined;
  const { left } = parent;
  return left.type === 'MemberExpression' && left.object.type === 'ThisExpression'
    ? propertyName(left)
    : undefined;
}

function isFieldNamed(node: Node, field: string): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'ThisExpression' &&
    propertyName(node) === field
  );
}

/** In a field, at once or when it has come. */
function isKept(call: Node): boolean {
  const { parent } = call;
  if (parent?.type === 'AwaitExpression') return isKept(parent);
  return (
    parent?.type === 'AssignmentExpression' &&
    parent.right === call &&
    parent.left.type === 'MemberExpression'
  );
}

const ENDS = /^(?:end|close|destroy|drain|\$disconnect)$/;

/** The calls of the file that close the pool. */
function endsOf(file: FileFacts, { origin }: LibraryValue): readonly Node[] {
  return endsOfPools(file).get(origin?.node ?? NOWHERE) ?? [];
}

const endsOfPools = groupsOf(
  'ends of pools',
  (file: FileFacts) => file.nodes.all('CallExpression'),
  (it, file) => endedBy(file, it),
);

/** For pools of which it is not known where they are made. */
const NOWHERE = 'nowhere';

function endedBy(file: FileFacts, { callee }: TSESTree.CallExpression) {
  if (callee.type !== 'MemberExpression' || !ENDS.test(propertyName(callee) ?? ''))
    return undefined;
  const ended = valueOf(file, callee.object);
  return ended.kind === 'library' ? (ended.origin?.node ?? NOWHERE) : undefined;
}

/** Whether the run that makes the pool also comes to `node`: in the same function, or while the program starts. */
function isSameRun(file: FileFacts, node: Node, made: Node): boolean {
  const run = runOf(node);
  const madeIn = runOf(made);
  if (run === madeIn) return true;
  return madeIn === undefined && !!run && isStart(file, run);
}

/** The function whose run comes to the node, through what it runs inline; undefined for the program's start. */
function runOf(node: Node): FunctionNode | undefined {
  let fn = functionAround(node);
  while (fn && inlineCallOf(fn)) fn = functionAround(fn);
  return fn;
}

/** `main()`: the file calls it when it is loaded. What is passed on, to `process.on('exit', …)`, runs later. */
function isStart(file: FileFacts, fn: FunctionNode): boolean {
  return fn.parent.type !== 'CallExpression' && paceOf(file, bodyOf(fn)!) === 'startup';
}

/** All that is asked of it is asked while the program starts: a program that runs through once. */
function servesStartOnly(file: FileFacts, call: Call): boolean {
  const { parent } = call;
  if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return false;
  const uses = (file.variableOf(parent.id)?.references ?? []).filter((it) => it.isRead());
  return (
    uses.length > 0 &&
    uses.every(({ identifier }) => {
      const use = identifier as Node;
      return use.parent?.type === 'MemberExpression' && runsAtStartOnly(file, use);
    })
  );
}

function runsAtStartOnly(file: FileFacts, node: Node): boolean {
  if (paceOf(file, node) !== 'startup') return false;
  const fn = runOf(node);
  const name = fn && nameNodeOf(fn);
  const references = (name && file.variableOf(name)?.references) ?? [];
  // `setInterval(refresh, 60_000)` passes it on.
  return references.every((it) => {
    const { parent } = it.identifier as Node;
    return it.init || (parent?.type === 'CallExpression' && parent.callee === it.identifier);
  });
}

function isForTests(file: FileFacts, call: Call): boolean {
  return conditionsOn(call, file.ast).some(
    ({ test }) => test && /\btest\b|['"]testing['"]/i.test(file.textOf(test)),
  );
}

/** `let pool = new Pool(); if (…) pool = new Pool(config);` */
function isReplaced(file: FileFacts, call: Call): boolean {
  const { parent } = call;
  if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return false;
  const variable = file.variableOf(parent.id);
  return !!variable && (writesTo(variable) ?? []).some((it) => isCall(it));
}
