import { bare, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isKeys } from '../../analysis/flow/loop-bounds.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { conditionOf } from '../../analysis/effects/row-conditions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { isTarget } from '../../analysis/provenance/spelled-lists.ts';

/** Whether a loop iterates over the fields of an object from outside: these are kinds, mostly few, and seldom rows. */
export function isOverFields(file: FileFacts, loop: Loop, effects: readonly Effect[]): boolean {
  const { node, over, variables } = loop;
  if (!over) return false;
  // Objects with such keys hold rows.
  if ([...variables].some(({ name }) => /(?:^id|_id|Id|ID|sku|uuid)$/.test(name))) return false;
  const key = keyOf(file, loop);
  if (key && effects.some((it) => isRowOf(file, key, it))) return false;
  const object = node.type === 'ForInStatement' ? over : objectBehind(file, over);
  return object !== undefined && isGiven(file, bare(object)) && !isFilled(file, bare(object));
}

/** `product` of `for (const [product, count] of Object.entries(cart))`. */
function keyOf(file: FileFacts, { node }: Loop): Variable | undefined {
  if (node.type !== 'ForOfStatement' && node.type !== 'ForInStatement') return undefined;
  const declared =
    node.left.type === 'VariableDeclaration' ? node.left.declarations[0].id : node.left;
  const key = declared.type === 'ArrayPattern' ? declared.elements[0] : declared;
  return key?.type === 'Identifier' ? file.variableOf(key) : undefined;
}

/** What settings and columns are called by: a row for each of these is still one of few. */
const FIELD = /^(?:k|key|name|field|column|option|prop|property|setting)$/i;

/** Whether the key says which row is written: there are as many keys as rows. */
function isRowOf(file: FileFacts, key: Variable, effect: Effect): boolean {
  if (FIELD.test(key.name)) return false;
  const isMeant = (it: Node) => mentions(file, it, new Set([key]));
  const where = conditionOf(effect);
  if (where) return isMeant(where);
  return textsBefore(effect, isMeant).some((it) => /\bwhere\b[^;]*=\s*$/i.test(it));
}

/** What stands in a statement before each place of such a value: `[product]` for `$1` or `?`, or `${product}`. */
function textsBefore(effect: Effect, isMeant: (value: Node) => boolean): readonly string[] {
  const { node } = effect.at;
  const call = node.type === 'AwaitExpression' ? bare(node.argument) : node;
  if (call.type === 'TaggedTemplateExpression') {
    const { quasis, expressions } = call.quasi;
    const texts = quasis.map((_, i) =>
      quasis
        .slice(0, i + 1)
        .map((it) => it.value.raw)
        .join('0'),
    );
    return texts.filter((_, i) => expressions[i] && isMeant(expressions[i]));
  }
  const values = call.type === 'CallExpression' ? call.arguments[1] : undefined;
  const text = sqlAt(effect);
  if (values?.type !== 'ArrayExpression' || text === undefined) return [];
  return [...text.matchAll(/\$(\d+)|\?/g)]
    .filter(({ 1: number }, i) => {
      const value = values.elements[number === undefined ? i : Number(number) - 1];
      return value && isMeant(value);
    })
    .map(({ index }) => text.slice(0, index));
}

/** `prices` of `Object.entries(prices).filter(…)`. */
function objectBehind(file: FileFacts, list: Node, distance = 0): Node | undefined {
  // no veto: ends what goes round in circles.
  if (distance > 3) return undefined;
  const it = bare(list);
  if (it.type === 'Identifier') {
    const [definition] = file.variableOf(it)?.defs ?? [];
    const made = definition?.type === 'Variable' && definition.node.id === definition.name;
    const { init } = made ? definition.node : {};
    return init ? objectBehind(file, init, distance + 1) : undefined;
  }
  const callee = it.type === 'CallExpression' ? bare(it.callee) : undefined;
  if (it.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined;
  if (isKeys(callee)) return it.arguments[0];
  return /^(?:filter|map|sort|toSorted)$/.test(propertyName(callee) ?? '')
    ? objectBehind(file, callee.object, distance + 1)
    : undefined;
}

/** A parameter, a field of something, or a part that is taken out of it. */
function isGiven(file: FileFacts, object: Node): boolean {
  if (object.type === 'MemberExpression') return !object.computed;
  const [definition] = (object.type === 'Identifier' && file.variableOf(object)?.defs) || [];
  if (definition?.type === 'Parameter') return true;
  return definition?.type === 'Variable' && definition.node.id !== definition.name;
}

/** `counts[name] = 1`: by keys that come with the data, it is a table. */
function isFilled(file: FileFacts, object: Node): boolean {
  const name = file.textOf(object);
  return file.nodes
    .all('MemberExpression')
    .some((it) => it.computed && isTarget(it) && file.textOf(it.object) === name);
}
