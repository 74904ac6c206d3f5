import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collectFrom } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, functionAround, type Node, walk, walkOwn } from '../../analysis/syntax/ast.ts';
import { isAwaited } from '../../analysis/flow/awaited.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { paceOf } from '../../analysis/contexts/contexts.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isItemLoop } from '../../analysis/loops/item-loops.ts';
import type { Library } from '../../analysis/model/schema.ts';
import { type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { poolOf } from '../../analysis/effects/pool-origins.ts';
import {
  alternativesOf,
  type FunctionValue,
  type LibraryValue,
} from '../../analysis/file/value.ts';
import { groupsOf } from '../../analysis/syntax/grouped.ts';

/** A query through a pg pool whose unique violation is an ordinary outcome, once per element of a loop. */
export interface ExpectedViolation {
  /** In this file: the query, or the call that leads to it. */
  readonly at: Node;
  readonly caught: Violation;
  readonly loop: Loop | undefined;
}

/** `try { query } catch (error) { if (error.code === '23505') … }`. */
export interface Violation {
  readonly file: FileFacts;
  readonly query: Node;
  readonly test: Node;
  readonly code: Code;
  /** The driver whose pool closes the connection on which it happens; undefined where the connection stays open. */
  readonly closedBy: string | undefined;
}

export type Code = '23505' | 'P2002';

export function expectedViolationsOf(file: FileFacts): readonly ExpectedViolation[] {
  return allOf(file).filter(({ caught }) => caught.closedBy !== undefined);
}

/** Whether a row of the loop may already exist: in one transaction, that would abort all other rows. */
export function expectsDuplicates(file: FileFacts, loop: Loop): boolean {
  return loopsOfViolations(file).has(loop) || calledIn(file, loop).length > 0;
}

const loopsOfViolations = queryOfFile(
  'loops of violations',
  (file: FileFacts): ReadonlySet<Loop | undefined> => new Set(allOf(file).map((it) => it.loop)),
  { whileCyclic: new Set() },
);

const allOf = queryOfFile(
  'expected violations',
  (file: FileFacts): readonly ExpectedViolation[] => [...ownOnes(file), ...calledOnes(file)],
  { whileCyclic: [] },
);

function ownOnes(file: FileFacts): ExpectedViolation[] {
  return violationsOf(file).flatMap((caught) => {
    const loop = loopAround(file, caught.test);
    const isPerItem = loop ? isItemLoop(file, loop) : paceOf(file, caught.test) === 'per-item';
    return isPerItem ? [{ at: caught.query, caught, loop }] : [];
  });
}

/** Loops that call a function of another file in which a violation is caught. */
const calledOnes = collectFrom(
  'called violations of loops',
  loopsOf,
  (file: FileFacts, loop: Loop): readonly ExpectedViolation[] => {
    const others = calledIn(file, loop).filter((it) => it.caught.file !== file);
    // Last, because it asks where the elements come from.
    // veto: the loop polls, retries, handles batches or has at most three iterations
    return others.length > 0 && isItemLoop(file, loop) ? others : [];
  },
);

/** The calls in the loop of functions that catch a violation, of a query that they wait for. */
const calledIn = query(
  'called violations',
  (file: FileFacts, loop: Loop): readonly ExpectedViolation[] => violationsCalledIn(file, loop),
  { whileCyclic: [] },
);

function violationsCalledIn(file: FileFacts, loop: Loop): readonly ExpectedViolation[] {
  const found: ExpectedViolation[] = [];
  walk(loop.body, (at) => {
    if (at.type !== 'CallExpression' || loopAround(file, at) !== loop) return;
    // no veto: what nobody waits for holds up no round, and this spares most calls the next question.
    if (!isAwaited(file, at)) return;
    for (const callee of alternativesOf(valueOf(file, at.callee))) {
      if (callee.kind !== 'function') continue;
      for (const caught of violationsWithin(callee)) found.push({ at, caught, loop });
    }
  });
  return found;
}

function violationsWithin({ file, node }: FunctionValue): readonly Violation[] {
  return violationsByFunction(file).get(node) ?? [];
}

const violationsByFunction = groupsOf(
  'violations by function',
  (file: FileFacts) => violationsOf(file),
  (it) => functionAround(it.test),
);

/** By the code of a database, or by a name. */
const VIOLATED = [/23505|P2002/, /unique.?violation/i];

const violationsOf = queryOfFile(
  'violations',
  (file: FileFacts): readonly Violation[] =>
    VIOLATED.some((it) => file.says(it))
      ? file.nodes.all('CatchClause').flatMap((it) => violationIn(file, it) ?? [])
      : [],
  { whileCyclic: [] },
);

function violationIn(file: FileFacts, clause: TSESTree.CatchClause): Violation | undefined {
  const asked = testsIn(file, clause.body);
  if (!asked) return undefined;
  // veto: the catch block throws on a unique violation, or tests for it outside of an if or switch
  if (isRethrown(clause, asked)) return undefined;
  const queries = queriesIn(file, (clause.parent as TSESTree.TryStatement).block);
  const closing = queries
    // What the statement itself looks for first comes here when two are at it at once.
    // veto: the statement itself excludes rows that exist (WHERE NOT EXISTS)
    .filter(({ text }) => !/\bwhere\s+not\s+exists\b/i.test(text))
    .map(({ effect }) => ({ effect, driver: closerOf(effect, asked.code) }))
    .find(({ driver }) => driver !== undefined);
  const query = (closing ?? queries[0])?.effect;
  if (!query) return undefined;
  const isHere = query.at.file === file;
  return {
    file,
    query: isHere ? query.at.node : asked.test,
    test: asked.test,
    code: asked.code,
    closedBy: closing?.driver?.name,
  };
}

/** The queries of a block that may fail on a duplicate, each with the code around it and its SQL. */
function queriesIn(file: FileFacts, { body }: TSESTree.BlockStatement) {
  const found: { readonly effect: Effect; readonly text: string }[] = [];
  for (const statement of body) {
    const { effects } = behaviourOf(file, statement, functionAround(statement) ?? file.ast);
    // veto: the call only reads, or it uses no database, so it causes no unique violation
    for (const effect of effects.filter((it) => it.env === 'db' && it.op !== 'read')) {
      const text = `${file.textOf(statement)}\n${sqlAt(effect) ?? ''}`;
      // The statement ignores the duplicates that it expects; this is another constraint.
      // veto: the statement itself ignores duplicates (ON CONFLICT, skipDuplicates)
      if (/\bon\s+conflict\b|skipDuplicates/i.test(text)) continue;
      found.push({ effect, text });
    }
  }
  return found;
}

/** A held connection stays open; a pool that closes failed ones does so for its own queries, and for those of a mapper through its adapter. */
function closerOf(effect: Effect, code: Code): Library | undefined {
  const pool = poolOf(effect);
  if (!pool) return undefined;
  if (code === 'P2002') return closingAdapterOf(pool);
  const isOwn = pool.type.role === 'pool' && effect.method === 'query';
  return isOwn && pool.library.closesFailed ? pool.library : undefined;
}

/** `new PrismaClient({ adapter: new PrismaPg(…) })`. */
function closingAdapterOf({ origin }: LibraryValue): Library | undefined {
  const made = origin?.node;
  if (made?.type !== 'NewExpression') return undefined;
  const [options] = made.arguments;
  const value = options && valueOf(origin!.file, options);
  if (value?.kind !== 'object') return undefined;
  return value.node.properties
    .filter((it) => it.type === 'Property')
    .map((it) => valueOf(value.file, it.value))
    .filter((it) => it.kind === 'library')
    .map((it) => it.library)
    .find((it) => it.closesFailed);
}

interface Asked {
  readonly test: Node;
  readonly code: Code;
  /** The test is true for other errors: `error.code !== '23505'`. */
  readonly isNegated: boolean;
}

/** Where the clause asks whether the error is a unique violation. */
function testsIn(file: FileFacts, body: Node): Asked | undefined {
  let asked: Asked | undefined;
  walkOwn(body, (it) => {
    if (asked) return false;
    const code =
      it.type === 'BinaryExpression'
        ? (codeOf(file, it.left) ?? codeOf(file, it.right))
        : it.type === 'SwitchCase' && it.test
          ? codeOf(file, it.test)
          : it.type === 'CallExpression'
            ? codeAskedBy(file, it)
            : undefined;
    if (!code) return true;
    const isUnequal = it.type === 'BinaryExpression' && it.operator.startsWith('!');
    asked = { test: it, code, isNegated: isUnequal !== isInverted(it) };
    return false;
  });
  return asked;
}

function isInverted(node: Node): boolean {
  return node.parent?.type === 'UnaryExpression' && node.parent.operator === '!';
}

function codeOf(file: FileFacts, node: Node): Code | undefined {
  const it = bare(node);
  if (it.type === 'Literal')
    return it.value === '23505' || it.value === 'P2002' ? it.value : undefined;
  const definition = it.type === 'Identifier' ? file.variableOf(it)?.defs[0] : undefined;
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init?.type === 'Literal' ? codeOf(file, init) : undefined;
}

/** `isUniqueViolation(error)`, where that compares the code. */
function codeAskedBy(file: FileFacts, call: TSESTree.CallExpression): Code | undefined {
  const callee = valueOf(file, call.callee);
  if (callee.kind !== 'function') return undefined;
  let code: Code | undefined;
  walk(bodyOf(callee.node), (it) => {
    if (it.type === 'BinaryExpression' && it.operator.startsWith('=')) {
      code ??= codeOf(callee.file, it.left) ?? codeOf(callee.file, it.right);
    }
  });
  return code;
}

/** Whether a duplicate leaves the clause as an error again: then it is a failure, no ordinary outcome. */
function isRethrown(clause: TSESTree.CatchClause, { test, isNegated }: Asked): boolean {
  const statement = statementAround(test, clause);
  if (statement?.type === 'SwitchCase') return statement.consequent.some(throws);
  if (statement?.type !== 'IfStatement') return true;
  const taken = isNegated ? statement.alternate : statement.consequent;
  if (taken && throws(taken)) return true;
  if (taken && leaves(taken)) return false;
  const { parent } = statement;
  const after =
    parent.type === 'BlockStatement' ? parent.body.slice(parent.body.indexOf(statement) + 1) : [];
  return after.some((it) => throws(it));
}

function statementAround(test: Node, clause: Node) {
  for (let it: Node | undefined = test; it && it !== clause; it = it.parent) {
    if (it.type === 'IfStatement' || it.type === 'SwitchCase') return it;
  }
  return undefined;
}

function throws(node: Node): boolean {
  let found = false;
  walkOwn(node, (it) => {
    found ||= it.type === 'ThrowStatement';
    return !found;
  });
  return found;
}

function leaves(node: Node): boolean {
  const last = node.type === 'BlockStatement' ? node.body.at(-1) : node;
  return /^(?:Return|Continue|Break)Statement$/.test(last?.type ?? '');
}
