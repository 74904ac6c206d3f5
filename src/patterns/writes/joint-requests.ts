import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName, shownName } from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Together } from '../../analysis/model/schema.ts';

/** A request of which the service accepts several in one. */
export interface JointRequest {
  /** `PutCommand`, `openai.embeddings.create()`. */
  readonly name: string;
  /** How it takes them. */
  readonly how: string;
}

/** The request of an effect, where several could be sent as one and it has no option that only a single request supports. */
export function jointRequestOf({ env, at: { file, node } }: Effect): JointRequest | undefined {
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  // no veto: spares the look at what no service is asked.
  if (env !== 'http' || !isCall(call)) return undefined;
  const request = commandOf(file, call) ?? callOf(file, call);
  return request && isForOne(request)
    ? { name: request.name, how: request.together.how }
    : undefined;
}

interface Request {
  readonly file: FileFacts;
  readonly call: Call;
  readonly name: string;
  readonly together: Together;
}

/** `client.send(new PutCommand({ … }))` */
function commandOf(file: FileFacts, call: Call): Request | undefined {
  const [given] = argumentsOf(call);
  const command = given && valueOf(file, given);
  const made = command?.kind === 'library' ? command.origin : undefined;
  if (command?.kind !== 'library' || !made || !isCall(made.node)) return undefined;
  const together = command.type.awaited?.effect.together;
  const name = shownName(calleeOf(made.node)) ?? '';
  return together && { file: made.file, call: made.node, name, together };
}

/** `openai.embeddings.create({ … })` */
function callOf(file: FileFacts, call: Call): Request | undefined {
  const together = libraryCallOf(file, call)?.signature.effect?.together;
  const name = `${(shownName(calleeOf(call)) ?? '').replace(/^this\./, '')}()`;
  return together && { file, call, name, together };
}

function isForOne({ file, call, together }: Request): boolean {
  const { option, except } = together;
  const [given] = argumentsOf(call);
  const options = given && valueOf(file, given);
  if (options?.kind !== 'object') return false;
  const { properties } = options.node;
  // veto: the options of the request contain a spread, so the code does not show all of them
  if (!properties.every((it) => it.type === 'Property')) return false;
  // veto: an option of the request, such as a condition, works only with a single item
  if (properties.some((it) => except?.test(propertyName(it) ?? ''))) return false;
  if (option === undefined) return true;
  const list = properties.find((it) => propertyName(it) === option)?.value;
  return list !== undefined && isOneText(options.file, list);
}

/** A text, or a list of one: what nobody knows may be a list of many. */
function isOneText(file: FileFacts, node: Node): boolean {
  const it = bare(node);
  switch (it.type) {
    case 'TemplateLiteral':
      return true;
    case 'ArrayExpression':
      return it.elements.length === 1 && it.elements[0]?.type !== 'SpreadElement';
    case 'CallExpression':
      return TEXTS.test(shownName(it.callee) ?? '');
    case 'MemberExpression':
      return !MANY.test(propertyName(it) ?? 's');
    case 'Identifier':
      return isText(file, it);
    default:
      return false;
  }
}

const TEXTS =
  /^String$|^JSON\.stringify$|\.(?:trim|replace|replaceAll|toLowerCase|toUpperCase|toString|normalize|join)$/;

// veto: the value has a plural name, so the request can already contain several items
const MANY = /(?:s|list|batch)$/i;

/** By its type, by that of the list that it is an element of, or by what it is made of. */
function isText(file: FileFacts, name: TSESTree.Identifier): boolean {
  const [definition] = file.variableOf(name)?.defs ?? [];
  if (!definition) return false;
  if (typeSaidOf(file, definition.name as Node) === 'string') return true;
  if (definition.type !== 'Variable') return false;
  const { node } = definition;
  const loop = node.parent.parent;
  if (loop?.type === 'ForOfStatement' && loop.left === node.parent) {
    return isNamed(node.id, name.name) && isListOfTexts(file, bare(loop.right));
  }
  return node.id.type === 'Identifier' && node.init !== null && isOneText(file, node.init);
}

function isListOfTexts(file: FileFacts, list: Node): boolean {
  const [definition] = (list.type === 'Identifier' && file.variableOf(list)?.defs) || [];
  const said = definition && typeSaidOf(file, definition.name as Node);
  return /^(?:readonly )?string\[\]$|^(?:Readonly)?Array<string>$/.test(said ?? '');
}

function typeSaidOf(file: FileFacts, name: Node): string | undefined {
  const annotation = 'typeAnnotation' in name ? name.typeAnnotation : undefined;
  return annotation?.type === 'TSTypeAnnotation'
    ? file.textOf(annotation.typeAnnotation)
    : undefined;
}
