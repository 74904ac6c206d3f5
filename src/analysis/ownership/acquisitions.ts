import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import type { Variable } from '../syntax/names.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type FunctionNode,
  functionAround,
  type Node,
  propertyName,
  wrapped,
} from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import { type LibraryCall, libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { isChain } from '../flow/callbacks.ts';
import { implementationsOf } from '../provenance/implementations.ts';
import { referredValue } from '../provenance/library-values.ts';
import { poolGiven, poolOfCall } from '../effects/pool-origins.ts';
import type { Member, Signature } from '../model/schema.ts';
import { type HandedOn, handedOnBy, keptInField } from './handed-on.ts';
import { ownershipOf } from './ownership.ts';
import type { Alias, State, Subject, Truth } from './state.ts';
import { awaited, type LibraryValue } from '../file/value.ts';

/** A place where this function acquires a resource that some code must release. */
export interface Acquisition {
  readonly file: FileFacts;
  readonly call: Call;
  /** The function (or module) that must release it, unless it passes it on. */
  readonly root: FunctionNode | TSESTree.Program;
  readonly kind: NonNullable<Signature['acquires']>;
  /** Its source, where the library names it: the pool. */
  readonly source: LibraryValue | undefined;
  readonly subject: Subject;
  readonly start: State;
  /** The driver calls the function with the handle, and an exception in it has no handler. */
  readonly isCallback: boolean;
}

/**
 * The resource that a call acquires: by the library's model, or through a function of the project that acquires and returns it.
 */
export const acquisitionAt = query(
  'acquires',
  (file: FileFacts, call: Call): Acquisition | undefined => found(file, call),
  { whileCyclic: undefined, isCompared: false },
);

function found(file: FileFacts, call: Call): Acquisition | undefined {
  const library = libraryCallOf(file, call);
  if (!library) return throughProject(file, call) ?? throughClass(file, call);
  const { signature, callee } = library;
  const source = callee.receiver ?? poolOfCall(library, { file, node: call });
  if (signature.isShared && !isOnlyCall(file, call)) return undefined;
  if (signature.acquires && signature.callback) return inCallback(file, call, library);
  const promised = promisedBy(file, call);
  if (promised) {
    const { kind, node } = promised;
    const handle = awaited(valueOf(file, node));
    return handle.kind === 'library'
      ? { ...base(file, call, handle, node), kind, source, isCallback: false }
      : undefined;
  }
  const made = valueOf(file, call);
  const handle = awaited(made);
  if (handle.kind !== 'library') return undefined;
  if (signature.acquires === 'body' && mayBeBodiless(file, call)) return undefined;
  if (signature.acquires) {
    return { ...base(file, call, handle), kind: signature.acquires, source, isCallback: false };
  }
  const begins = call.type === 'NewExpression' || made === handle ? beginningOf(handle) : undefined;
  if (!begins || signature.returns === 'this') return undefined;
  return lazily({ ...base(file, call, handle), kind: begins, source, isCallback: false });
}

/** The answer to HEAD has no body, and options that nobody can read may ask for that. */
function mayBeBodiless(file: FileFacts, call: Call): boolean {
  const [, options] = argumentsOf(call);
  if (!options) return false;
  const value = valueOf(file, options);
  if (value.kind !== 'object') return true;
  return value.node.properties.some((it) => {
    if (it.type === 'SpreadElement') return true;
    if (propertyName(it) !== 'method') return false;
    const method = bare(it.value);
    return method.type !== 'Literal' || /^(?:head|connect)$/i.test(String(method.value));
  });
}

/** The function is made for this one call of it: nobody else can give back, or go on with, what it gives. */
function isOnlyCall(file: FileFacts, call: Call): boolean {
  const callee = bare(calleeOf(call));
  if (callee.type !== 'Identifier') return callee.type === 'CallExpression';
  const variable = file.variableOf(callee);
  return (
    variable?.defs.length === 1 &&
    functionAround(variable.defs[0]!.node) === functionAround(call) &&
    variable.references.every((it) => it.init === true || it.identifier === callee)
  );
}

/** `pool.acquire().promise`, and `request.promise` after `const request = pool.acquire()`. */
function promisedBy(
  file: FileFacts,
  call: Call,
): { readonly kind: Acquisition['kind']; readonly node: Node } | undefined {
  const made = valueOf(file, call);
  const members = made.kind === 'library' ? (made.type.members ?? {}) : {};
  const { parent } = call;
  const variable =
    parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
      ? file.variableOf(parent.id)
      : undefined;
  const uses = variable ? variable.references.map((it) => it.identifier as Node) : [call];
  const promised = uses.flatMap(({ parent: node }) => {
    const name = node?.type === 'MemberExpression' ? propertyName(node) : undefined;
    const member = name !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
    return node && member && isPromised(member) ? [{ kind: member.acquires!, node }] : [];
  });
  return promised.length === 1 ? promised[0] : undefined;
}

function isPromised({ type, acquires }: Member): boolean {
  return type !== undefined && acquires !== undefined;
}

/** Made now, taken at its first use. */
function lazily(acquisition: Acquisition): Acquisition {
  const { subject, call } = acquisition;
  return {
    ...acquisition,
    subject: { ...subject, begins: call, beginsAt: 'expression', isLazy: true },
  };
}

/** What a lazy object takes once it is used: runners, clients before `connect()`. */
function beginningOf(handle: LibraryValue): Signature['begins'] {
  const members = Object.values(handle.type.members ?? {});
  return members.some((it) => it.releases === 'this')
    ? members.find((it) => it.begins !== undefined)?.begins
    : undefined;
}

/** `made` is the expression that is the handle, or a promise of it. */
function base(
  file: FileFacts,
  call: Call,
  handle: LibraryValue,
  made: Node = call,
): Pick<Acquisition, 'file' | 'call' | 'root' | 'subject' | 'start'> {
  const { parent } = wrapped(made);
  const isLinked =
    parent?.type === 'MemberExpression' &&
    parent.parent.type === 'CallExpression' &&
    isChain(parent.parent);
  const begins = parent?.type === 'AwaitExpression' ? parent : made;
  return {
    file,
    call,
    root: functionAround(call) ?? file.ast,
    subject: {
      handle,
      made: new Set([made, ...linksThatPassOn(made)]),
      begins,
      beginsAt: isLinked ? 'settle' : 'expression',
      isLazy: false,
    },
    start: startOf('none'),
  };
}

/** `.catch(…)` and `.finally(…)`: the chain gives what the promise at its beginning gives. */
function linksThatPassOn(made: Node): readonly Node[] {
  const links: Node[] = [];
  for (let it = made; ; it = links.at(-1)!) {
    const member = wrapped(it).parent;
    const call = member?.parent;
    const isLink =
      member?.type === 'MemberExpression' &&
      /^(?:catch|finally)$/.test(propertyName(member) ?? '') &&
      call?.type === 'CallExpression' &&
      call.callee === member;
    if (!isLink) return links;
    links.push(call);
  }
}

function startOf(
  phase: State['phase'],
  aliases: State['aliases'] = new Map(),
  facts: State['facts'] = new Map(),
): State {
  return { phase, aliases, facts, failure: 'none', isThrown: false, sawError: false };
}

/** `pool.getConnection((err, connection) => …)`: held from the first line of the callback on. */
function inCallback(
  file: FileFacts,
  call: Call,
  { callee, signature }: LibraryCall,
): Acquisition | undefined {
  const { callback, acquires } = signature;
  const args = argumentsOf(call);
  const argument = callback && (callback.at === 'last' ? args.at(-1) : args[callback.at]);
  const value = argument && valueOf(file, argument);
  if (!callback || !acquires || value?.kind !== 'function') return undefined;
  const aliases = new Map<Variable, Alias>();
  const facts = new Map<string, Truth>();
  let handle: LibraryValue | undefined;
  for (const [i, type] of callback.params.entries()) {
    const parameter = value.node.params[i];
    const variable = parameter?.type === 'Identifier' ? file.variableOf(parameter) : undefined;
    if (!variable) continue;
    if (type === 'error') facts.set(`v${variableKey(variable)}`, 'nullish');
    else if (type === 'release') aliases.set(variable, 'releaser');
    else {
      const lent = referredValue(callee.library, type, { file, node: call });
      if (lent.kind === 'library') handle = lent;
      aliases.set(variable, 'handle');
    }
  }
  if (!handle) return undefined;
  const subject: Subject = {
    handle,
    made: new Set(),
    begins: undefined,
    beginsAt: 'expression',
    isLazy: false,
  };
  const start = startOf('held', aliases, facts);
  const root = value.node;
  return {
    file,
    call,
    root,
    kind: acquires,
    source: callee.receiver,
    subject,
    start,
    isCallback: true,
  };
}

/** `await getConnection()`, where getConnection takes a connection and hands it on. */
function throughProject(file: FileFacts, call: Call): Acquisition | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const given = awaited(valueOf(file, call));
  // no veto: what gives neither an object of a library nor one of the project hands none on.
  if (!/^(?:library|instance|interface|object|union)$/.test(given.kind)) return undefined;
  const callees = implementationsOf(file, call);
  const inner = callees?.map((it) => handedOnBy(it.file, it.node));
  if (!inner || inner.some((it) => it === undefined)) return undefined;
  const [{ acquisition, keeper }] = inner as [HandedOn];
  // veto: the connection is in a returned object, and how the object releases it is unresolved
  if (given.kind !== 'library' && !keeper) return undefined;
  const { kind, source: lender, subject } = acquisition;
  const source = poolGiven(file, argumentsOf(call), callees![0]!.node, lender);
  const own = base(file, call, subject.handle);
  const taken = { ...own, subject: { ...own.subject, keeper }, kind, source, isCallback: false };
  return ownershipOf(acquisition)?.isBegun === false ? lazily(taken) : taken;
}

/** `new Unit(source)`, whose constructor makes a runner for a field: its methods acquire and release the connection. */
function throughClass(file: FileFacts, call: Call): Acquisition | undefined {
  const made = call.type === 'NewExpression' ? valueOf(file, call.callee) : undefined;
  // veto of an exclusion: the call creates no object of a resolved class, or its base class may release the connection
  if (made?.kind !== 'class' || made.node.superClass) return undefined;
  const { acquisition, keeper } = keptInField(made.file, made.node) ?? {};
  if (!acquisition || !keeper) return undefined;
  const { kind, source, subject } = acquisition;
  const own = base(file, call, subject.handle);
  const taken = { ...own, subject: { ...own.subject, keeper }, kind, source, isCallback: false };
  return subject.isLazy ? lazily(taken) : undefined;
}
