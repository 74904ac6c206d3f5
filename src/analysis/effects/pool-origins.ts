import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type ClassNode,
  type FunctionNode,
  isFunction,
  propertyName,
} from '../syntax/ast.ts';
import { type LibraryCall, libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../syntax/calls.ts';
import { callbackOf } from '../provenance/contextual.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from '../file/file.ts';
import { injectedSourceOf } from '../provenance/injections.ts';
import { referredValue } from '../provenance/library-values.ts';
import { alternativesOf, handlesOf, type LibraryValue, type Value } from '../file/value.ts';

/** Chains are followed this far back: `pool.request().input(…).query(…)`. */
const LONGEST_CHAIN = 6;

/** The pool whose connection runs this one query; undefined for queries on a connection, and where it is unresolved. */
export function poolOf({ at, handle }: Effect): LibraryValue | undefined {
  if (handle !== 'pool' && handle !== 'embedded') return undefined;
  const { file, node } = at;
  if (node.type === 'AwaitExpression') return poolBehind(valueOf(file, node.argument), 0);
  if (!isCall(node)) return undefined;
  const library = libraryCallOf(file, node);
  return poolOfModel(file, node) ?? poolAmong(file, node) ?? (library && poolOfCall(library, at));
}

/** `executor(options).query(…)` of what is a connection that was given, else the pool: what runs on no connection asks the pool. */
function poolAmong(file: FileFacts, call: Call): LibraryValue | undefined {
  const callee = bare(calleeOf(call));
  // no veto: one of a kind is resolved below.
  if (callee.type !== 'MemberExpression') return undefined;
  const [pool, ...others] = alternativesOf(valueOf(file, callee.object)).filter(
    (it) => it.kind === 'library' && it.type.role === 'pool' && it.origin !== undefined,
  );
  return pool?.kind === 'library' && others.length === 0 ? pool : undefined;
}

/** The pool of `class Order extends Model {}` after `Order.init({ … }, { sequelize })`. */
function poolOfModel(user: FileFacts, call: Call): LibraryValue | undefined {
  const callee = bare(calleeOf(call));
  const model = callee.type === 'MemberExpression' ? valueOf(user, callee.object) : undefined;
  if (model?.kind !== 'class') return undefined;
  return initialisedOn(model.file, model.node);
}

const initialisedOn = query(
  'initialised on',
  (file: FileFacts, node: ClassNode): LibraryValue | undefined => {
    for (const call of file.nodes.all('CallExpression')) {
      const init = bare(call.callee);
      // no veto: the shape of the call
      if (init.type !== 'MemberExpression' || propertyName(init) !== 'init') continue;
      const initialised = valueOf(file, init.object);
      // no veto: only a class has that node.
      if (initialised.kind !== 'class' || initialised.node !== node) continue;
      const options = argumentsOf(call).at(-1);
      const source = options && sourceIn(valueOf(file, options));
      if (source) return source;
    }
    return undefined;
  },
  { whileCyclic: undefined },
);

/** `{ sequelize }`: the data source under the option that its library reads. */
function sourceIn(options: Value): LibraryValue | undefined {
  if (options.kind !== 'object') return undefined;
  for (const it of options.node.properties) {
    if (it.type !== 'Property') continue;
    const value = valueOf(options.file, it.value);
    if (value.kind === 'library' && value.library.modelOption === propertyName(it)) return value;
  }
  return undefined;
}

/**
 * The pool from which a connection or transaction was acquired, by a call or for a callback; undefined where it is unresolved.
 */
export function lenderOf({ origin }: LibraryValue): LibraryValue | undefined {
  if (!origin) return undefined;
  const { file, node } = origin;
  const call = isFunction(node) ? callbackOf(file, node)?.call : isCall(node) ? node : undefined;
  const library = call && libraryCallOf(file, call);
  return library && poolOfCall(library, { file, node: call });
}

/**
 * The pool from which a library's function acquires its connection, through the objects in between:
 * `db.transaction().execute(…)`.
 */
export function poolOfCall(
  { callee, signature }: LibraryCall,
  at: Place,
): LibraryValue | undefined {
  if (callee.receiver) return poolBehind(callee.receiver, 0);
  // `oracledb.getConnection()`
  const lender = signature.lender ? referredValue(callee.library, signature.lender, at) : undefined;
  // veto: the call of the library opens a connection of its own, outside a shared pool
  return lender?.kind === 'library' && injectedSourceOf(lender) !== undefined ? lender : undefined;
}

/** `inTransaction(source, async (manager) => …)`: the pool that the function uses is the argument of this call. */
export function poolGiven(
  file: FileFacts,
  args: readonly TSESTree.CallExpressionArgument[],
  fn: FunctionNode,
  pool: LibraryValue | undefined,
): LibraryValue | undefined {
  const { parameter } = pool ?? {};
  if (parameter?.fn !== fn) return pool;
  const argument = parameter.member === undefined ? args[parameter.index] : undefined;
  const value = argument && valueOf(file, argument);
  return value?.kind === 'library' ? value : undefined;
}

function poolBehind(value: Value, distance: number): LibraryValue | undefined {
  if (value.kind !== 'library') return undefined;
  // no veto: ends what goes round in circles.
  if (distance > LONGEST_CHAIN) return undefined;
  const { role, pool } = value.type;
  if (role === 'pool' || pool) return value;
  const lender = lenderBehind(value, distance + 1);
  return lender ?? (role === 'orm' ? value : undefined);
}

function lenderBehind(value: LibraryValue, distance: number): LibraryValue | undefined {
  // A delegate has no connection of its own: `prisma.user` has those of `prisma`.
  const [whole, ...others] = handlesOf(value);
  if (whole && whole !== value && others.length === 0) return poolBehind(whole, distance);
  const { origin } = value;
  if (!origin || !isCall(origin.node)) return undefined;
  const made = libraryCallOf(origin.file, origin.node);
  const { receiver } = made?.callee ?? {};
  if (receiver) return poolBehind(receiver, distance);
  const handle = made?.signature.step?.handle;
  const argument = handle === undefined ? undefined : argumentsOf(origin.node)[handle];
  return argument && poolBehind(valueOf(origin.file, argument), distance);
}
