import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { query } from '../../engine/query.ts';
import {
  bare,
  calledName,
  dottedName,
  type FunctionNode,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { type Call, returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { awaited } from '../file/value.ts';

/** `client` of `listening(client)`, where that function only works with it, and answers with the very same, or with what it holds. */
export function handedBack(file: FileFacts, call: Call): Node | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const raced = racedHandle(file, call);
  if (raced) return raced;
  const callee = valueOf(file, call.callee);
  const index = callee.kind === 'function' ? answeredParameter(callee.file, callee.node) : -1;
  // veto: a spread list precedes the argument, so the position of the argument is unresolved
  if (call.arguments.slice(0, index + 1).some((it) => it.type === 'SpreadElement')) {
    return undefined;
  }
  return call.arguments[index];
}

/** `taken` of `Promise.race([taken, deadline])`, where nothing else in it is an object of a library. */
function racedHandle(file: FileFacts, call: TSESTree.CallExpression): Node | undefined {
  return onlyRaced(call, (it) => awaited(valueOf(file, it)).kind === 'library');
}

/** The one of what a race is given that is looked for, where there is no other. */
function onlyRaced(
  { callee, arguments: args }: TSESTree.CallExpression,
  isIt: (element: TSESTree.Node) => boolean,
): TSESTree.Node | undefined {
  const [list] = args;
  // no veto: the shape of a race.
  if (dottedName(callee) !== 'Promise.race' || list?.type !== 'ArrayExpression') return undefined;
  const found = list.elements.flatMap((it) => (it && isIt(it) ? it : []));
  return found.length === 1 ? found[0] : undefined;
}

const answeredParameter = query(
  'answers with',
  (file: FileFacts, node: FunctionNode): number => {
    const answers = returnedExpressions(node).map((it) => answeredName(file, it));
    const variables = answers.map((it) => (it ? file.variableOf(it) : undefined));
    const [variable] = variables;
    // veto: the function also returns values other than this parameter
    if (!variables.every((it) => it === variable)) return -1;
    const references = variable?.references.map((it) => it.identifier as Node) ?? [];
    // veto: the function passes the parameter to other code, or releases it
    if (
      !references.every(
        (it) => answers.includes(it as TSESTree.Identifier) || isTest(it) || isWorkedWith(it),
      )
    )
      return -1;
    return node.params.findIndex((it) => it === variable?.defs[0]?.name);
  },
  { whileCyclic: -1 },
);

/**
 * `tx` of what a function returns where it is given one: `tx`, `tx.client`, `tx ? tx.client : pool`, `tx ?? pool`, and a promise that
 * is in time: `Promise.race([taken, deadline])`.
 */
function answeredName(file: FileFacts, returned: Node): TSESTree.Identifier | undefined {
  const it = bare(returned);
  switch (it.type) {
    case 'Identifier':
      return it;
    case 'MemberExpression':
      return it.object.type === 'Identifier' ? it.object : undefined;
    case 'ConditionalExpression':
      return it.test.type === 'Identifier' ? answeredName(file, it.consequent) : undefined;
    case 'LogicalExpression':
      return it.operator === '&&' ? undefined : answeredName(file, it.left);
    case 'AwaitExpression':
      return answeredName(file, it.argument);
    case 'CallExpression':
      return racedName(file, it);
    default:
      return undefined;
  }
}

/** `taken` of `Promise.race([taken, deadline]).finally(stop)`, where nothing else of it is given. */
function racedName(
  file: FileFacts,
  call: TSESTree.CallExpression,
): TSESTree.Identifier | undefined {
  const it = bare(call.callee);
  const before = it.type === 'MemberExpression' ? bare(it.object) : undefined;
  if (before?.type === 'CallExpression' && calledName(it) === 'finally')
    return racedName(file, before);
  const given = onlyRaced(call, (one) => one.type === 'Identifier' && isParameter(file, one));
  return given?.type === 'Identifier' ? given : undefined;
}

function isParameter(file: FileFacts, name: TSESTree.Identifier): boolean {
  return file.variableOf(name)?.defs[0]?.type === 'Parameter';
}

function isTest(node: Node): boolean {
  return node.parent?.type === 'ConditionalExpression' && node.parent.test === node;
}

const ENDS = /release|close|end|destroy|done|dispose|return|commit|rollback|disconnect|quit/i;

/** `client.on('error', log)`: a method of it, which is no end of it. */
function isWorkedWith({ parent }: Node): boolean {
  const member = parent?.type === 'MemberExpression' ? propertyName(parent) : undefined;
  return member !== undefined && !ENDS.test(member);
}
