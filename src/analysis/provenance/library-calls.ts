import { valueOf } from './value-of.ts';
import type { FileFacts } from '../file/file.ts';
import type { Signature } from '../model/schema.ts';
import type { Node } from '../syntax/ast.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import { alternativesOf, type CallableValue, type Value } from '../file/value.ts';

/** A call of a modelled library: the signature that holds for these arguments. */
export interface LibraryCall {
  readonly callee: CallableValue;
  readonly signature: Signature;
}

/** The modelled signature behind a call, or undefined for the project's own and unresolved functions. */
export function libraryCallOf(file: FileFacts, call: Call): LibraryCall | undefined {
  return libraryCallAs(file, call, valueOf(file, calleeOf(call)));
}

/** The same, when the callee is `value`: one of the alternatives that it may be. */
export function libraryCallAs(file: FileFacts, call: Call, value: Value): LibraryCall | undefined {
  let callee = value;
  const promisified = callee.kind === 'promisified';
  if (callee.kind === 'promisified') callee = callee.of;
  if (callee.kind === 'library') {
    const { call: signature, construct } = callee.type;
    const made = call.type === 'NewExpression' && construct ? { construct } : signature;
    if (!made) return undefined;
    const { library } = callee;
    callee = { kind: 'callable', library, name: '', signature: made, receiver: callee };
  }
  if (callee.kind !== 'callable') return undefined;
  if (call.type === 'NewExpression') {
    const { construct } = callee.signature;
    return construct && { callee, signature: construct };
  }
  if (promisified) return { callee, signature: promisedSignature(callee.signature) };
  const { withCallback, acquires } = callee.signature;
  const argument = withCallback && callbackArgument(call, withCallback);
  const hasCallback =
    isFunctionLike(file, argument) || (acquires !== undefined && mayBeFunction(file, argument));
  return { callee, signature: withCallback && hasCallback ? withCallback : callee.signature };
}

/** The argument at the index of the signature's callback. */
export function callbackArgument(call: Call, { callback }: Signature): Node | undefined {
  const args = argumentsOf(call);
  return callback === undefined || callback.at === 'last' ? args.at(-1) : args[callback.at];
}

function isFunctionLike(file: FileFacts, argument: Node | undefined): boolean {
  if (!argument) return false;
  // no veto: what a list holds may take long to find out.
  if (argument.type === 'ArrayExpression') return false;
  return alternativesOf(valueOf(file, argument)).some(({ kind }) =>
    /^(?:function|declared)$/.test(kind),
  );
}

/** `knex.transaction(resolve)`: a parameter of which nothing is known, where options might stand, too. */
function mayBeFunction(file: FileFacts, argument: Node | undefined): boolean {
  if (argument?.type !== 'Identifier' || OPTIONS.test(argument.name)) return false;
  const [definition] = file.variableOf(argument)?.defs ?? [];
  return definition?.type === 'Parameter' && valueOf(file, argument).kind === 'unknown';
}

const OPTIONS = /(?:opt|option|config|conf|cfg|setting|arg|param|level)s?$/i;

/** The signature of `promisify(fn)`: the argument of the callback is the value of the promise. */
export function promisedSignature(signature: Signature): Signature {
  const { callback, withCallback, ...rest } = signature.withCallback ?? signature;
  return callback ? { ...rest, returns: `Promise<${callback.params[1] ?? 'any'}>` } : signature;
}
