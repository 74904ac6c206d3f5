import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName } from '../../analysis/syntax/ast.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import { argumentsOf, calleeOf, isCall, returnedExpressions } from '../../analysis/syntax/calls.ts';
import { constantAt } from '../../analysis/provenance/spelled-lists.ts';
import { storeKeyOf } from '../../analysis/values/store-keys.ts';

/** Deeper than this an address is unknown: it bounds the time. */
const MOST_STEPS = 5;

const HOST = String.raw`(?!localhost\b|127\.|10\.|192\.168\.)(?:[\w-]+\.)+(?!(?:local|internal|lan|svc|cluster)\b)[a-z]{2,}`;
const PUBLIC = new RegExp(String.raw`^https?:\/\/${HOST}(?=[:/?#]|$)`, 'i');
const PUBLIC_HOST = new RegExp(String.raw`^${HOST}$`, 'i');

/**
 * Whether a request goes to a public address, according to its arguments, or to the creation of its client (`axios.create({
 * baseURL: 'https://api.maps.example' })`). An address from the environment may be internal.
 */
export function asksPublicAddress({ env, at }: Effect): boolean {
  if (env !== 'http' || !isCall(at.node)) return false;
  const callee = bare(calleeOf(at.node));
  const client = valueOf(at.file, callee.type === 'MemberExpression' ? callee.object : callee);
  const made = client.kind === 'library' ? client.origin : undefined;
  const given = argumentsOf(at.node).map((node) => ({ file: at.file, node }));
  const options =
    made && isCall(made.node)
      ? argumentsOf(made.node).map((node) => ({ file: made.file, node }))
      : [];
  return [...given, ...options].some((it) => isPublic(it));
}

function isPublic({ file, node }: Place, steps = 0): boolean {
  // no veto: bounds the time.
  if (steps > MOST_STEPS) return false;
  const it = bare(node);
  const text = storeKeyOf(file, it);
  if (text?.kind === 'text' && PUBLIC.test(text.head)) return true;
  const isSo = (part: Node) => isPublic({ file, node: part }, steps + 1);
  switch (it.type) {
    case 'ObjectExpression':
      return it.properties.some(
        (property) => property.type === 'Property' && isPublicPart(property),
      );
    case 'NewExpression':
      return isNamed(it.callee, 'URL') && it.arguments.some(isSo);
    case 'LogicalExpression':
      return isSo(it.right);
    case 'TemplateLiteral':
      return (
        it.quasis[0]?.value.raw === '' && it.expressions[0] !== undefined && isSo(it.expressions[0])
      );
    case 'BinaryExpression':
      return it.operator === '+' && isSo(it.left);
    case 'Identifier': {
      const fallback = defaultOf(file, it);
      return (fallback !== undefined && isSo(fallback)) || isPublicConstant();
    }
    case 'MemberExpression':
      return isPublicConstant();
    case 'CallExpression': {
      const fn = valueOf(file, it.callee);
      return (
        fn.kind === 'function' &&
        returnedExpressions(fn.node).some((back) =>
          isPublic({ file: fn.file, node: back }, steps + 1),
        )
      );
    }
    default:
      return false;
  }

  function isPublicPart(property: TSESTree.Property): boolean {
    const name = propertyName(property) ?? '';
    if (/^(?:url|uri|baseURL|baseUrl|prefixUrl|origin)$/.test(name)) return isSo(property.value);
    const host = /^host(?:name)?$/.test(name) ? storeKeyOf(file, property.value) : undefined;
    return host?.kind === 'text' && host.isWhole && PUBLIC_HOST.test(host.head);
  }

  function isPublicConstant(): boolean {
    const constant = constantAt(file, it);
    return constant !== undefined && isPublic(constant, steps + 1);
  }
}

/** `'https://api.maps.example'` of `({ base = 'https://api.maps.example' })`. */
function defaultOf(file: FileFacts, name: TSESTree.Identifier): Node | undefined {
  const binding = file.variableOf(name)?.defs[0]?.name as Node | undefined;
  const pattern = binding?.parent;
  return pattern?.type === 'AssignmentPattern' && pattern.left === binding
    ? pattern.right
    : undefined;
}
