import { collect } from '../../engine/regions.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { isFunction, type Node, walkStatements } from '../../analysis/syntax/ast.ts';
import { awaitsIn, type AwaitShape } from './await-shapes.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Region } from '../../engine/regions.ts';
import { questionOf } from './group.ts';
import { mentions, variablesIn } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';

/** A statement with the awaits that it always runs. */
export interface Step {
  readonly statement: TSESTree.Statement;
  readonly shapes: readonly AwaitShape[];
}

/** A list of statements. */
export type Block = TSESTree.BlockStatement | TSESTree.SwitchCase;

export function statementsIn(it: Block): readonly TSESTree.Statement[] {
  return it.type === 'BlockStatement' ? it.body : it.consequent;
}

/** Those that hold at least two awaits of their own; the module's own list runs once, at start. */
export const blocksWithAwaits: (file: FileFacts) => readonly Block[] = collect(
  'blocks with awaits',
  (_: FileFacts, region) => blocksIn(region),
);

function blocksIn({ all }: Region): readonly Block[] {
  const counts = new Map<Block, number>();
  for (const node of all('AwaitExpression')) {
    for (let it: Node | undefined = node.parent; it && !isFunction(it); it = it.parent) {
      // no veto: not a list of statements.
      if (it.type !== 'BlockStatement' && it.type !== 'SwitchCase') continue;
      counts.set(it, (counts.get(it) ?? 0) + 1);
      // no veto: a branch may hold one of the reads of the block around it, a loop or a try may not.
      if (it.parent?.type !== 'IfStatement') break;
    }
  }
  return [...counts].flatMap(([block, count]) => (count > 1 ? block : []));
}

/**
 * The statements between those that end every run (a bare await, an exit of the block), where they contain two awaits: syntax
 * alone excludes the rest, before any call is resolved.
 */
export function stretchesOf(
  file: FileFacts,
  statements: readonly TSESTree.Statement[],
): readonly (readonly Step[])[] {
  const stretches: Step[][] = [[]];
  for (const statement of statements) {
    const shapes = awaitsIn(file, statement);
    if (shapes !== 'barrier') stretches.at(-1)!.push({ statement, shapes });
    if (endsRuns(statement, shapes)) stretches.push([]);
  }
  return stretches.filter((it) => it.reduce((sum, { shapes }) => sum + shapes.length, 0) > 1);
}

function endsRuns(statement: TSESTree.Statement, shapes: ReturnType<typeof awaitsIn>): boolean {
  return shapes === 'barrier' || leaves(statement);
}

/** Whether a statement can end the block early: what stands after it may be meant not to run. */
function leaves(statement: TSESTree.Statement): boolean {
  let found = false;
  walkStatements(statement, (node) => {
    if (/^(?:Return|Throw|Break|Continue)Statement$/.test(node.type)) found = true;
    return !found;
  });
  return found;
}

/** So far an await is compared with those after it: this bounds the time, and people write a handful. */
const MAXIMUM_LOOK = 12;

/**
 * Whether an await after the await at `at` needs neither its result nor a value derived from it: else no other is in one run
 * with it.
 */
export function mayBeginRun(
  file: FileFacts,
  stretch: readonly Step[],
  at: number,
  first: AwaitShape,
): boolean {
  const results = new Set(first.results);
  for (const { statement, shapes } of stretch.slice(at, at + MAXIMUM_LOOK)) {
    const later = statement === first.statement ? shapes.slice(shapes.indexOf(first) + 1) : shapes;
    const needs = (it: AwaitShape) => questionOf(it).some((node) => mentions(file, node, results));
    if (!later.every(needs)) return true;
    for (const it of declaredWith(file, statement, results)) results.add(it);
  }
  return stretch.length > at + MAXIMUM_LOOK;
}

/** Variables of a statement that names one of `results`. */
function declaredWith(
  file: FileFacts,
  statement: TSESTree.Statement,
  results: ReadonlySet<Variable>,
): readonly Variable[] {
  // no veto: what it sets is computed without them.
  if (statement.type !== 'VariableDeclaration' || !mentions(file, statement, results)) return [];
  return statement.declarations.flatMap(({ id }) => variablesIn(file, id));
}
