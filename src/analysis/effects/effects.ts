import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { isAmbient, mayBeOfSession } from './ambient.ts';
import { bare, calledName, dottedName, type Node, propertyName } from '../syntax/ast.ts';
import {
  type CallOptions,
  optionsOfArgument,
  optionsOfCall,
  type PassedOptions,
} from './call-options.ts';
import { type LibraryCall } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall, passedBy } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import {
  builtAroundHandle,
  type Handle,
  handleOf,
  handleOfMaker,
  optionHandle,
  passedHandle,
} from './handles.ts';
import { typeOf } from '../model/index.ts';
import type { Effect as EffectModel, Environment } from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';
import { subscriberOf } from '../flow/observables.ts';
import { pipelineOf, type PipelineParameter } from '../provenance/pipelines.ts';
import { builtElsewhere } from './returned-builders.ts';
import { effectOfStatement, sqlEffect, type StatementParameter } from './statement-effects.ts';
import type { StatementRows } from '../sql/rows.ts';
import type { Verb } from '../sql/sql.ts';
import {
  type GivenMethod,
  operationByDocument,
  operationByOptions,
  operationByVerb,
  operationGiven,
  optionsOfRequest,
  type RequestOperation,
} from '../provenance/request-methods.ts';
import { sqlOf, sqlTextOf } from '../provenance/sql-text.ts';
import { type StoreKey, storeKeyOf } from '../values/store-keys.ts';
import type { FunctionValue, LibraryValue, Value } from '../file/value.ts';
import { isAnswerUsed } from '../flow/waits.ts';

/**
 * What one call does to the world outside the process, with the chain of calls that leads to it.
 * Only calls that wait are effects here: a synchronous driver costs time but no dead time.
 */
export interface Effect {
  /** 'declared': an external system that only the project's configuration names. */
  readonly env: Environment | 'declared';
  readonly op: Operation;
  readonly handle: Handle;
  /** Tables, keys or paths, where the source spells them; empty: could be any. */
  readonly keys: readonly string[];
  /** `WHERE id = ?` or `findUnique`: the call reads or writes by a key from outside. */
  readonly keyed: boolean;
  readonly mayVeto: boolean;
  /** Answers may come from memory or in a batch: waiting for it is no wait of its own. */
  readonly memo: boolean;
  /** The driver sends what is asked in one tick of the event loop together. */
  readonly isBatched?: true | undefined;
  readonly work: boolean;
  readonly threadPool: 'cpu' | 'fs' | 'dns' | undefined;
  /** The library and method that are called in the end: `pg query`. */
  readonly library: string;
  readonly method: string;
  /** The call that touches the world, and where: the innermost place of the chain. */
  readonly at: Place;
  /** The effect of an SQL statement on rows. */
  readonly verb?: Verb | undefined;
  /** The rows that its statement is about, where the statement is resolved. */
  readonly rows?: StatementRows | undefined;
  /** It reads a cached value in Redis, or stores the value loaded because there was none (read-through.ts). */
  readonly readThrough?: boolean;
  /** The key in Redis, where the code contains its start. */
  readonly storeKey?: StoreKey | undefined;
  /** The SQL text comes from this parameter of an enclosing function: its callers resolve it. */
  readonly sqlParameter?: StatementParameter | undefined;
  /** The value that determines whether a request reads comes from an enclosing function: its callers resolve it. */
  readonly givenMethod?: GivenMethod | undefined;
  /** The stages of an aggregation come from this parameter of an enclosing function: its callers resolve it. */
  readonly pipelineParameter?: PipelineParameter | undefined;
  /** An observable's request: it is sent at the first subscription. */
  readonly isUnsent?: boolean;
  /** A later call of the same request that asks for the same gets the answer of the first: React's `cache`. */
  readonly isRemembered?: true | undefined;
  /** The assumption that it rests on, as part of a sentence: "`rates.latest()` only reads". */
  readonly assumed?: string | undefined;
  /** Options that the function which holds the call was given: any of them may name a transaction. */
  readonly passedOptions?: readonly PassedOptions[] | undefined;
}

/** The effect of a call that the project's configuration speaks of, on the connection that it is given, if it is given one. */
export function declaredEffect(file: FileFacts, call: Call, op: 'read' | 'write'): Effect {
  const callee = bare(calleeOf(call));
  const receiver = callee.type === 'MemberExpression' ? [callee.object] : [];
  const handles = [...receiver, ...argumentsOf(call)].map((it) => handleOfValue(valueOf(file, it)));
  const name = dottedName(callee) ?? '';
  return {
    env: 'declared',
    op,
    handle: handles.find((it) => it !== 'pool') ?? 'pool',
    keys: [],
    keyed: false,
    mayVeto: /Or(?:Fail|Throw)$/.test(name),
    memo: false,
    work: false,
    threadPool: undefined,
    library: 'declared',
    method: name,
    at: { file, node: call },
  };
}

function handleOfValue(value: Value): Handle {
  return value.kind === 'library' ? handleOf(value) : 'pool';
}

/** Whether the call is proved to use any free connection. */
export function isOnPool({ handle, passedOptions }: Effect): boolean {
  return handle === 'pool' && (passedOptions ?? []).length === 0;
}

/** The effect of a call of a modelled library; undefined when it has none or does not wait. */
export function libraryEffect(
  file: FileFacts,
  call: Call,
  library: LibraryCall,
): Effect | undefined {
  const model = library.signature.effect;
  if (!model || model.sync) return undefined;
  const own = model.op === 'argument' ? ofArgument(file, call, model) : model;
  const effect = effectOf(file, call, library, own);
  const { returns } = library.signature;
  const isLazy = returns !== undefined && typeOf(library.callee.library, returns)?.isLazy;
  return isLazy ? subscribed({ ...effect, isUnsent: true }, file, call) : effect;
}

/** The effect of the call as seen around it; undefined where the observable that it gives is left alone. */
function subscribed(effect: Effect, file: FileFacts, call: Call): Effect | undefined {
  if (!effect.isUnsent) return effect;
  const subscriber = subscriberOf(file, call);
  return subscriber && { ...effect, isUnsent: subscriber === 'caller' };
}

/** What the object does that the call is given: `client.send(new GetCommand(…))`. */
function ofArgument(file: FileFacts, call: Call, model: EffectModel): EffectModel {
  const argument = argumentsOf(call)[model.argument ?? 0];
  const value = argument ? valueOf(file, argument) : undefined;
  const own =
    value?.kind === 'callable'
      ? value.signature.effect
      : value?.kind === 'library'
        ? value.type.awaited?.effect
        : undefined;
  return own ?? { ...model, op: 'unknown' };
}

/** The effect of awaiting a query builder (`await knex('users').where(...)`), which runs it. */
export function awaitedEffect(file: FileFacts, node: TSESTree.AwaitExpression): Effect | undefined {
  const effect = builderEffect(file, node.argument);
  const value = effect && valueOf(file, node.argument);
  const built = value?.kind === 'library' && builtElsewhere(file, node.argument, value);
  return effect && { ...effect, at: built || { file, node } };
}

/** The effect of a query builder that is waited for in another way: as an element of `Promise.all`, returned. */
export function builderEffect(file: FileFacts, node: Node): Effect | undefined {
  const value = valueOf(file, node);
  const model = value.kind === 'library' ? value.type.awaited?.effect : undefined;
  if (value.kind !== 'library' || !model) return undefined;
  // no veto: what needs no wait is embedded, which is known by other signs, too.
  if (model.sync) return undefined;
  const call = bare(node);
  const effect: Effect = {
    ...described(model, value.library.name, 'await'),
    op: value.built?.op ?? 'unknown',
    handle: (isCall(call) && builtAroundHandle(file, call)) || handleFor(model, value, file),
    keys: value.built?.table ? [value.built.table] : [],
    keyed: value.built?.keyed ?? false,
    verb: value.built?.verb,
    rows: value.built?.rows,
    pipelineParameter: value.built?.pipelineParameter,
    at: { file, node },
  };
  return model.options && call.type === 'CallExpression'
    ? withOptions(effect, optionsOfCall(file, call, model.options, Infinity))
    : effect;
}

/** A client of requests has no transaction to give, whoever passes it. */
function handleFor(
  { env }: EffectModel,
  receiver: LibraryValue | undefined,
  file: FileFacts,
): Handle {
  const handle = handleOf(receiver, file);
  return env === 'http' && typeof handle !== 'string' && !handle.isSerial ? 'pool' : handle;
}

function effectOf(file: FileFacts, call: Call, library: LibraryCall, model: EffectModel): Effect {
  const { callee } = library;
  const options = model.options && optionsOfCall(file, call, model.options, model.optionsAt);
  const base = described(model, callee.library.name, callee.name);
  const isStatement = model.op === 'sql' || model.op === 'cypher';
  const statement = isStatement ? sqlEffect(file, call, model) : undefined;
  const request = model.op === 'method' ? requestOperation(file, call, model) : undefined;
  const built = callee.receiver?.built;
  // `db.prepare('SELECT …').bind(id).first()`: the statement is that of an earlier step.
  const { keyed, rows } = statement ?? (model.op === 'builder' ? built : undefined) ?? {};
  const effect: Effect = {
    ...base,
    memo: base.memo || (model.env === 'http' && isWithinProgram(file, call)),
    work: base.work && (model.env !== 'db' || takesNext(call)),
    op: statement?.op ?? request?.op ?? operationOf(file, call, library, model),
    givenMethod: request?.given,
    handle:
      // veto: the query may run in an ambient transaction or session that the call does not name
      (callee.receiver && isAmbient(file, callee.receiver)) ||
      mayBeOfSession(callee.receiver, file, call)
        ? 'unknown'
        : (builtAroundHandle(file, call) ?? handleFor(model, callee.receiver, file)),
    keys: statement?.keys ?? (built?.table ? [built.table] : keyOf(file, call, model)),
    keyed: keyed ?? model.keyed ?? /^find(?:Unique|ByPk|ById|One)/.test(callee.name),
    at: { file, node: call },
    assumed: library.signature.assumed,
    verb: statement?.verb ?? model.verb ?? built?.verb,
    rows,
    sqlParameter: statement?.parameter,
    pipelineParameter: model.op === 'builder' ? built?.pipelineParameter : undefined,
    storeKey:
      model.env === 'redis' && !SEVERAL_KEYS.test(calledName(calleeOf(call)) ?? '')
        ? storeKeyAt(file, call, model)
        : undefined,
  };
  return options ? withOptions(effect, options) : effect;
}

/** A document that nobody looks at, or that was known by its key, has been changed, and not taken to be worked off. */
function takesNext(call: Call): boolean {
  const [filter] = argumentsOf(call);
  const isKnown =
    filter?.type === 'ObjectExpression' &&
    filter.properties.some((it) => it.type === 'Property' && propertyName(it) === '_id');
  return !isKnown && isAnswerUsed(call);
}

/** The effect of a call with these options; what only the caller knows of them is left to the caller. */
function withOptions(effect: Effect, options: CallOptions): Effect {
  const named = options.handle && optionHandle(options.handle.file, options.handle.node);
  return {
    ...effect,
    op: options.locks ? 'sync' : effect.op,
    mayVeto: effect.mayVeto || options.mayVeto,
    handle: options.isUnknown ? 'unknown' : (named ?? effect.handle),
    passedOptions: options.passed,
  };
}

function described(model: EffectModel, library: string, method: string) {
  return {
    env: model.env,
    mayVeto: model.mayVeto ?? false,
    memo: model.memo ?? false,
    isBatched: model.isBatched,
    work: model.work ?? false,
    threadPool: model.threadPool,
    library,
    method,
  };
}

function operationOf(
  file: FileFacts,
  call: Call,
  { callee }: LibraryCall,
  model: EffectModel,
): Operation {
  switch (model.op) {
    case 'builder':
      return callee.receiver?.built?.op ?? 'unknown';
    case 'verb':
      return operationByVerb(file, argumentsOf(call)[model.argument ?? 0]);
    case 'document':
      return operationByDocument(file, argumentsOf(call)[model.argument ?? 0]);
    case 'sql':
    case 'cypher':
    case 'method':
    case 'argument':
      return 'unknown';
    default:
      return model.op;
  }
}

/**
 * `fetch('data:…')`, `page.goto('about:blank')` and `fetch(new URL('font.ttf', import.meta.url))`: what is asked for came with
 * the program.
 */
function isWithinProgram(file: FileFacts, call: Call): boolean {
  const [address] = argumentsOf(call);
  if (!address) return false;
  const it = bare(address);
  // veto: the address is relative to the module, so it names a file of the program
  if (it.type === 'NewExpression' && it.arguments.length === 2)
    return file.textOf(it.arguments[1]!) === 'import.meta.url';
  const text = sqlTextOf(file, it);
  return text.kind === 'text' && /^(?:about|data|blob|file):/i.test(text.text);
}

function requestOperation(file: FileFacts, call: Call, model: EffectModel): RequestOperation {
  return operationByOptions(file, optionsOfRequest(argumentsOf(call), model.argument ?? 1));
}

/** The statement, as far as the call that runs it is given it as a text. */
export function sqlAt({ at }: Effect): string | undefined {
  const call = at.node.type === 'AwaitExpression' ? bare(at.node.argument) : at.node;
  return isCall(call) ? sqlOf(at.file, call) : undefined;
}

/** The effect for the caller, which resolves the statement and the handle; undefined when it passes no handle to use. */
export function substituted(
  effect: Effect,
  caller: FileFacts,
  call: Call,
  fn: FunctionValue,
): Effect | undefined {
  const { node: callee, self } = fn;
  let result = subscribed(effect, caller, call);
  if (!result) return undefined;
  const args = passedBy(call, callee);
  // veto: the document may belong to a session, which the call of its method does not name
  if (mayBeOfSession(self, caller, call)) result = { ...result, handle: 'unknown' };
  if (result.sqlParameter?.fn === callee) {
    const { index, isCypher } = result.sqlParameter;
    const argument = args[index];
    const text = argument ? sqlTextOf(caller, argument) : undefined;
    result = { ...result, sqlParameter: undefined };
    if (text?.kind === 'text') result = { ...result, ...effectOfStatement(text.text, isCypher) };
    else if (text?.kind === 'parameter')
      result = { ...result, sqlParameter: { ...text, isCypher } };
  }
  if (result.givenMethod?.fn === callee) {
    const { op, given } = operationGiven(caller, args, result.givenMethod);
    result = { ...result, op, givenMethod: given };
  }
  const pipeline = result.pipelineParameter;
  if (pipeline?.fn === callee) {
    const given = pipelineOf(caller, args[pipeline.index]);
    result = { ...result, pipelineParameter: undefined, ...given };
  }
  const { storeKey } = result;
  if (storeKey?.kind === 'parameter' && storeKey.fn === callee) {
    const argument = args[storeKey.index];
    result = { ...result, storeKey: argument && storeKeyOf(caller, argument) };
  }
  for (const passed of result.passedOptions ?? []) {
    if (passed.fn !== callee) continue;
    const options = optionsOfArgument(caller, args[passed.index], passed.meanings);
    const others = result.passedOptions!.filter((it) => it !== passed);
    result = withOptions(result, { ...options, passed: [...others, ...options.passed] });
  }
  if (typeof result.handle === 'string') return result;
  const handle =
    result.handle.fn === callee
      ? passedHandle(caller, args, fn, result.handle)
      : handleOfMaker(fn, result.handle, { file: caller, node: call });
  return handle && { ...result, handle };
}

/** Commands that look at more keys than the first, or at all that fit a pattern. */
const SEVERAL_KEYS =
  /^(?:m[gs]et(?:nx)?|exists|keys|scan|sort(?:_?ro)?|lcs|pfcount|[sz](?:diff|inter|union)\w*)$/i;

function storeKeyAt(file: FileFacts, call: Call, model: EffectModel): StoreKey | undefined {
  const argument = model.key === undefined ? undefined : argumentsOf(call)[model.key];
  return argument && storeKeyOf(file, argument);
}

function keyOf(file: FileFacts, call: Call, model: EffectModel): readonly string[] {
  const argument = model.key === undefined ? undefined : argumentsOf(call)[model.key];
  if (!argument || (model.keyOrRow && isRow(argument))) return [];
  return [file.textOf(argument)];
}

/** Classes have names of their own, and some tables are named by their text. */
function isRow(argument: Node): boolean {
  const it = bare(argument);
  if (it.type === 'Literal' || it.type === 'TemplateLiteral') return false;
  const name =
    it.type === 'Identifier' ? it.name : it.type === 'MemberExpression' ? propertyName(it) : '';
  return !/^[A-Z]/.test(name ?? '');
}
