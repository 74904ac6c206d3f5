// vetoes of no-sequential-independent-awaits
import { query } from '../../engine/query.ts';
import type { FunctionNode, Node } from '../syntax/ast.ts';
import { bare, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { libraryNamed } from '../model/index.ts';
import { UNKNOWN, type Value, NULLISH } from '../file/value.ts';
import { mutual } from './mutual.ts';

/** By what a function does with its parameters, whose handler it is, where the project has that framework. */
interface Shape {
  readonly library: string;
  /** What it is given, in order. */
  readonly params: readonly (string | undefined)[];
  /** Which of them it is known by, and the methods that are called of it, or the properties that are set. */
  readonly by: number;
  readonly called: RegExp;
  readonly calls?: RegExp;
  readonly sets?: RegExp;
  /** Where these are there as well, it may be theirs. */
  readonly unless: readonly string[];
}

const ANSWERS =
  /^(?:json|send|sendStatus|status|end|render|redirect|sendFile|download|cookie|setHeader)$/;

const REPLY = /^_?(?:res|resp|response|rep|reply)$/;
const INSTANCE = /^_?(?:app|fastify|f|instance|server|scope)$/;

const SHAPES: readonly Shape[] = [
  {
    library: 'express',
    params: ['Request', 'Response', undefined],
    by: 1,
    called: REPLY,
    calls: ANSWERS,
    unless: ['fastify', 'next', 'restify', 'polka'],
  },
  {
    library: 'fastify',
    params: ['FastifyRequest', 'FastifyReply'],
    by: 1,
    called: REPLY,
    calls: /^(?:send|code|status|redirect|header|type)$/,
    unless: ['express', 'next', 'restify', 'polka'],
  },
  {
    library: 'fastify',
    params: ['FastifyInstance', undefined, undefined],
    by: 0,
    called: INSTANCE,
    calls: /^(?:register|decorate|decorateRequest|addHook|addSchema|route)$/,
    unless: [],
  },
  {
    library: 'fastify',
    params: ['FastifyInstance', undefined, undefined],
    by: 0,
    called: INSTANCE,
    calls: /^(?:get|post|put|patch|delete)$/,
    unless: ['express', 'restify', 'polka', '@koa/router', 'hono'],
  },
  {
    library: 'koa',
    params: ['Context', undefined],
    by: 0,
    called: /^_?(?:ctx|context)$/,
    calls: /^throw$/,
    sets: /^(?:body|status)$/,
    unless: [],
  },
];

/**
 * The arguments that a framework passes to a function of a file that does not show its registration: `exports.list = async
 * (req, res) => …`.
 */
export const servedParameter = query(
  'served parameter',
  (file: FileFacts, fn: FunctionNode, index: number): Value => {
    const { modules } = file;
    const parameter = fn.params[index];
    // Its type says something else.
    const isTyped = parameter && 'typeAnnotation' in parameter && parameter.typeAnnotation;
    if (!modules || isTyped) return UNKNOWN;
    const isThere = (name: string) => modules.versionOf(name, file.path) !== undefined;
    // With an error before all else: `(error, req, res, next) => …`.
    for (const shape of SHAPES) {
      const shift = shape.library === 'express' && fn.params.length === 4 ? 1 : 0;
      const type = shape.params[index - shift];
      // no veto: nothing is known of it anyway.
      if (type === undefined) continue;
      if (!isOfShape(file, fn, shape, shape.by + shift)) continue;
      // veto: a framework that the project does not have, or has beside another like it
      if (!isThere(shape.library)) continue;
      if (shape.unless.some(isThere)) continue;
      return mutual.referredValue(libraryNamed(shape.library)!, type, undefined);
    }
    return UNKNOWN;
  },
  { whileCyclic: NULLISH, isCompared: false, tooDeep: () => UNKNOWN },
);

function isOfShape(
  file: FileFacts,
  fn: FunctionNode,
  { called, calls, sets }: Shape,
  at: number,
): boolean {
  const name = fn.params[at];
  if (name?.type !== 'Identifier') return false;
  // veto: something else that is sent to, or that has a status
  if (!called.test(name.name)) return false;
  return (file.variableOf(name)?.references ?? []).some(({ identifier }) => {
    const it = (identifier as Node).parent;
    // no veto: what is read off it.
    if (it?.type !== 'MemberExpression' || bare(it.object) !== identifier) return false;
    const member = propertyName(it) ?? '';
    const { parent } = it;
    if (parent.type === 'CallExpression') {
      // veto: what is waited for is another's answer: `await instance.get(url)`, `await response.json()`
      const isAwaited = parent.parent.type === 'AwaitExpression';
      return parent.callee === it && calls?.test(member) === true && !isAwaited;
    }
    return (
      parent.type === 'AssignmentExpression' && parent.left === it && sets?.test(member) === true
    );
  });
}
