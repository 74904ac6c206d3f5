import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, classAround, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import { libraryCallAs } from '../provenance/library-calls.ts';
import { type Call, calleeOf, isCall, isSpreadUpTo } from '../syntax/calls.ts';
import { type Effect, libraryEffect } from './effects.ts';
import type { FileFacts } from '../file/file.ts';
import { givenField } from '../provenance/given-fields.ts';
import { givenFor, parameterAt, parameterNamed, type Part } from '../provenance/given-parts.ts';
import { memberOf } from '../provenance/members.ts';
import { alternativesOf, type FunctionValue, type Value } from '../file/value.ts';

/** A call of a function that was passed in. */
export interface CalledPart extends Part {
  /** The method of the part: of `client` in `save({ client, row })`. That of a whole parameter is its `member`. */
  readonly method?: string;
}

/**
 * A call of a function that was passed in: `load()` in `cached(key, load)`, `queries[kind]()`. The caller resolves which
 * function it is.
 */
export interface ParameterCall extends CalledPart {
  /** `fn` is around the function that calls it, and has returned that: `const cached = (load) => () => load()`. */
  readonly isCaptured?: true | undefined;
  /** It is a promise, and waited for: what started it is the caller's. */
  readonly isPromise?: true | undefined;
  /** It is called where its answer is kept for later calls. */
  readonly isAnsweredOnce?: boolean;
  /** What all callers give, where that is resolved: one of these runs also where the caller at hand is not understood. */
  readonly otherwise?: readonly FunctionValue[] | undefined;
  /** The callers of `fn` must also wait for it; else `fn` itself does. */
  readonly isHandedOn: boolean;
  readonly place: Place;
}

type Calls = readonly ParameterCall[];

/** Adds a call to the list, unless the list contains a call of the same function, or of a method with the same arguments. */
export function note(calls: ParameterCall[], called: ParameterCall): void {
  const isNoted = calls.some(
    (it) =>
      isSameFunction(it, called) &&
      (it.member === undefined || it.place.node === called.place.node),
  );
  if (!isNoted) calls.push(called);
}

/** Whether none of the others before it calls the same function. */
export function isFirst(calls: Calls, called: ParameterCall): boolean {
  return calls.find((it) => isSameFunction(it, called)) === called;
}

function isSameFunction(a: ParameterCall, b: ParameterCall): boolean {
  return (
    a.fn === b.fn &&
    a.index === b.index &&
    a.member === b.member &&
    a.method === b.method &&
    a.isHandedOn === b.isHandedOn
  );
}

/** The function that a call runs: `work` of `work()` and of `work.apply(this, values)`. */
export function calledIn(call: Call): Node {
  const callee = bare(calleeOf(call));
  const isIndirect =
    callee.type === 'MemberExpression' && /^(?:apply|call)$/.test(propertyName(callee) ?? '');
  return isIndirect ? bare(callee.object) : callee;
}

/** The parameter of `scope` that a call runs, if it runs one that nothing else is ever assigned to. */
export function parameterCalled(file: FileFacts, call: Call, scope: Node): CalledPart | undefined {
  // no veto: what is made of a class, or the tag of a template.
  if (call.type !== 'CallExpression') return undefined;
  const callee = calledIn(call);
  if (callee.type !== 'MemberExpression') return parameterNamed(file, callee, scope);
  const given = parameterNamed(file, bare(callee.object), scope);
  return given && withMethod(given, propertyName(callee) ?? '*');
}

/** The same of what the constructor of the class was given: `this.db.query(…)` of `constructor(private db: Queryable)`. */
export function constructedCalled(file: FileFacts, call: Call): CalledPart | undefined {
  const callee = bare(calleeOf(call));
  const field = callee.type === 'MemberExpression' ? bare(callee.object) : undefined;
  if (field?.type !== 'MemberExpression' || field.object.type !== 'ThisExpression')
    return undefined;
  const name = propertyName(field);
  const owner = classAround(field)?.node;
  const given = owner && name !== undefined ? givenField(file, owner, name) : undefined;
  return given && withMethod(given, propertyName(callee as TSESTree.MemberExpression) ?? '*');
}

/** The same of a function around `scope`, as a function that it returns calls what it was given. */
export function capturedCalled(file: FileFacts, call: Call, scope: Node): CalledPart | undefined {
  const callee = calledIn(call);
  const definition = callee.type === 'Identifier' ? file.variableOf(callee)?.defs[0] : undefined;
  return definition?.type === 'Parameter' && definition.node !== scope
    ? parameterNamed(file, callee, definition.node)
    : undefined;
}

/**
 * The same of a method of `executor: Queryable = this.db`: what its default does is resolved, and is all that runs for a caller
 * without that argument.
 */
export function optionalCalled(file: FileFacts, call: Call, scope: Node): CalledPart | undefined {
  const callee = bare(calleeOf(call));
  const place =
    callee.type === 'MemberExpression' ? parameterAt(file, bare(callee.object)) : undefined;
  return place?.fn === scope && callee.type === 'MemberExpression'
    ? withMethod({ ...place, member: undefined }, propertyName(callee) ?? '*')
    : undefined;
}

function withMethod(part: Part, method: string): CalledPart {
  return part.member === undefined ? { ...part, member: method } : { ...part, method };
}

/**
 * What a caller passes to be called: functions that are not visited at their place; its own parameter; a pool or a connection,
 * of which a method is called; nothing.
 */
export type Passed =
  | { readonly kind: 'functions'; readonly of: readonly FunctionValue[] }
  | { readonly kind: 'parameter'; readonly of: CalledPart }
  | { readonly kind: 'method'; readonly does: Effect };

/** The functions that a name or an expression may be, where nothing else can be called. */
export function functionsAt(file: FileFacts, node: Node): readonly FunctionValue[] | undefined {
  const values = alternativesOf(valueOf(file, node));
  return values.every((it) => it.kind === 'function') ? values : undefined;
}

/** undefined where the called function is unresolved. */
export function passedTo(
  file: FileFacts,
  args: readonly TSESTree.CallExpressionArgument[],
  called: ParameterCall,
  scope: Node,
): Passed | undefined {
  const { index, member, method } = called;
  if (isSpreadUpTo(args, index)) return undefined;
  const argument = args[index];
  // Left out, it is not called.
  if (!argument) return { kind: 'functions', of: [] };
  const it = bare(argument);
  if (method !== undefined) {
    const whole = parameterNamed(file, it, scope);
    // no veto: handed on as it was given.
    if (whole?.member === undefined && whole) {
      return { kind: 'parameter', of: { ...whole, member: member!, method } };
    }
    const part = givenFor(args, called);
    return part && passedMethod(file, bare(part), method, called, scope);
  }
  if (member !== undefined)
    return passedMember(file, it, member) ?? passedMethod(file, it, member, called, scope);
  // Visited where it stands, unless it is kept for later.
  if (isFunction(it))
    return {
      kind: 'functions',
      of: called.isCaptured ? [{ kind: 'function', file, node: it }] : [],
    };
  const own = parameterNamed(file, it, scope);
  if (own) return { kind: 'parameter', of: own };
  const value = valueOf(file, it);
  if (value.kind === 'nullish') return { kind: 'functions', of: [] };
  return value.kind === 'function' ? { kind: 'functions', of: [value] } : undefined;
}

/** What is asked for the rows of others, and a statement that asks. */
const ASKED = /^(?:builder|pool|connection|transaction|client|orm)$/;

/** What the call does if it calls this method; undefined for one that only begins a statement. */
function methodEffect({ place }: ParameterCall, method: Value): Effect | undefined {
  const { file, node } = place;
  const library = isCall(node) ? libraryCallAs(file, node, method) : undefined;
  return library && libraryEffect(file, node as Call, library);
}

/** `query` of `save(client, row)`, where `save` asks what it is given first; a client that the caller was given is passed on. */
function passedMethod(
  file: FileFacts,
  argument: Node,
  method: string,
  called: ParameterCall,
  scope: Node,
): Passed | undefined {
  const value = valueOf(file, argument);
  if (value.kind === 'library') {
    // A document that is given away is changed and saved there, as seldom as nobody says here.
    // veto: the argument is a document or another object with rows of its own, and no pool or connection
    if (!ASKED.test(value.type.role ?? '')) return undefined;
    const does = methodEffect(called, memberOf(value, method, { file, node: argument }));
    return does && { kind: 'method', does };
  }
  const own = parameterNamed(file, argument, scope);
  return own && { kind: 'parameter', of: withMethod(own, method) };
}

function passedMember(file: FileFacts, argument: Node, member: string): Passed | undefined {
  if (argument.type !== 'ObjectExpression') return undefined;
  const functions: FunctionValue[] = [];
  for (const property of argument.properties) {
    if (property.type !== 'Property') return undefined;
    const name = property.computed ? '*' : (propertyName(property) ?? '*');
    if (member !== '*' && name !== '*' && name !== member) continue;
    const value = valueOf(file, property.value);
    if (value.kind !== 'function') return undefined;
    functions.push(value);
  }
  return { kind: 'functions', of: functions };
}
