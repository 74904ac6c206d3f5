import type { TSESTree } from '@typescript-eslint/utils';
import { keepsDocuments } from '../model/index.ts';
import type { FileFacts } from '../file/file.ts';
import { bare, calledName, chainStart, type Node, propertyName } from '../syntax/ast.ts';
import { chainOf, wholeChain } from '../syntax/call-chains.ts';
import { type Effect, sqlAt } from './effects.ts';
import { builderNamed } from './held-builders.ts';

/** The conditions that a mapper or a builder gets for the rows, where a single condition is written out. */
export function conditionOf({ library, at: { node } }: Effect): Node | undefined {
  if (keepsDocuments(library)) return whereOf(node) ?? filterOf(node);
  return whereOf(node) ?? chainedWhereOf(node);
}

/**
 * `.where({ id })`, `.where('id', id)`, `.where('id = :id', { id })` of a builder, where it is the only one: what it is
 * compared with comes last, or after it: `.where('id = :id').setParameter('id', id)`.
 */
function chainedWhereOf(node: Node): Node | undefined {
  const [where, ...others] = callsIn(node, /where(?!Null|NotNull)/i);
  // no veto: one of several, and nobody knows which
  if (!where || others.length > 0) return undefined;
  const { arguments: given } = where;
  if (given.length > 1 || !given[0] || !hasParameters(given[0])) return given.at(-1);
  const [parameters, ...more] = callsIn(node, /^setParameters?$/);
  return more.length === 0 ? parameters?.arguments.at(-1) : undefined;
}

/**
 * The values that rows must equal, where a mapper or a builder gets conditions: all of them have to hold. Those that only compare
 * (`.where('total', '>', least)`) are left out. Undefined where no condition is spelled out.
 */
export function equalitiesOf(effect: Effect): readonly Node[] | undefined {
  const { file, node } = effect.at;
  const stated = statementEqualities(effect);
  if (stated) return stated;
  const single = whereOf(node) ?? conditionGiven(effect);
  if (single) return [single];
  const wheres = [node, ...chainsOnBuilder(file, node)].flatMap((it) =>
    callsIn(it, /where(?!Null|NotNull|Raw)/i),
  );
  return wheres.length === 0 ? undefined : wheres.flatMap((it) => equalityIn(it) ?? []);
}

/** The values that a statement compares with `=`, where its call lists them: `query('… WHERE id = $1 AND at > $2', [id, since])`. */
function statementEqualities(effect: Effect): readonly Node[] | undefined {
  const text = sqlAt(effect);
  const call = bare(effect.at.node);
  const given = call.type === 'CallExpression' ? call.arguments[1] : undefined;
  const values = given && bare(given);
  if (text === undefined || values?.type !== 'ArrayExpression') return undefined;
  const places = [
    ...text.matchAll(/((?<![<>!])=\s*(?:any\s*\(\s*)?|\bin\s*\(\s*)?(?:\$(\d+)|\?)/gi),
  ];
  const equal = places.flatMap(([, equals, number], i) =>
    equals ? [number === undefined ? i : Number(number) - 1] : [],
  );
  return equal.flatMap((i) => values.elements[i] ?? []);
}

/** A condition that is an argument by itself: `users.findBy({ team })`, `Post.find({ author })`. */
function conditionGiven({ library, at }: Effect): Node | undefined {
  const names = keepsDocuments(library) ? FILTERED : BY;
  const call = chainOf(at.node).find(({ callee }) => names.test(calledName(callee) ?? ''));
  return call?.arguments.findLast(({ type }) => /^(?:ObjectExpression|Identifier)$/.test(type));
}

const BY = /^(?:find|count|exist)\w*By(?:OrFail)?$/;
const FILTERED = /^(?:find|findOne|countDocuments|exists)$/;

/** `.where('id', id)`, `.where('id', '=', id)`, `.andWhere('id = :id', { id })`, `.where(eq(users.id, id))`, `.where({ id })` */
function equalityIn({ arguments: given }: TSESTree.CallExpression): Node | undefined {
  const [first, second] = given;
  if (given.length === 3 && second?.type === 'Literal')
    return /^(?:=|in)$/i.test(String(second.value)) ? given[2] : undefined;
  if (first && hasParameters(first))
    return EQUALS.test(textOf(first)) ? (second ?? first) : undefined;
  return given.at(-1);
}

/** `id = :id`, `lower(name) = :name`, `id IN (:...ids)` */
const EQUALS = /=\s*:\w|\bin\s*\(\s*:/i;

/** The other statements on the builder that a chain starts with: `query.andWhere('id = :id', { id })` before `await query.getMany()`. */
function chainsOnBuilder(file: FileFacts, node: Node): readonly Node[] {
  // no veto: most chains start with the pool, the repository or the table.
  const variable = builderNamed(file, chainStart(node));
  const [definition] = variable?.defs ?? [];
  // no veto: the shape of a declaration.
  if (definition?.type !== 'Variable' || !definition.node.init) return [];
  const uses = variable!.references.map((it) => wholeChain(it.identifier as Node));
  return [definition.node.init, ...uses.filter((it) => it.type === 'CallExpression')];
}

/** The calls of a chain by the name of their method. */
function callsIn(node: Node, name: RegExp): readonly TSESTree.CallExpression[] {
  return chainOf(node).filter(
    ({ callee }) => callee.type === 'MemberExpression' && name.test(propertyName(callee) ?? ''),
  );
}

/** `'id = :id'` */
function hasParameters(node: Node): boolean {
  return /(?<!:):(?:\.{3})?\w/.test(textOf(node));
}

function textOf(node: Node): string {
  if (node.type === 'TemplateLiteral') return node.quasis.map((it) => it.value.raw).join('?');
  return node.type === 'Literal' ? String(node.value) : '';
}

/** `where` of the options that a mapper's call is given. */
export function whereOf(call: Node): Node | undefined {
  const it = bare(call);
  // no veto: no arguments.
  if (it.type !== 'CallExpression') return undefined;
  for (const argument of it.arguments) {
    if (argument.type !== 'ObjectExpression') continue;
    const where = argument.properties.find(
      (property) => property.type === 'Property' && propertyName(property) === 'where',
    );
    if (where?.type === 'Property') return where.value;
  }
  return undefined;
}

/** `Model.updateOne(filter, change)`, whatever is chained to it. */
function filterOf(node: Node): Node | undefined {
  const call = chainOf(node).find(({ callee, arguments: given }) => {
    const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (name === 'findOne') return given.length > 0;
    return name !== undefined && CHANGES.test(name) && given.length > 1;
  });
  return call?.arguments[0];
}

const CHANGES = /^(?:(?:update|replace)One|updateMany|find(?:OneAnd|ByIdAnd)(?:Update|Replace))$/;
