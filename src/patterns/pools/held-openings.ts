import {
  bare,
  classAround,
  type ClassNode,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
} from '../../analysis/syntax/ast.ts';
import type { HotContext } from '../../analysis/contexts/contexts.ts';
import { isMadeOnce } from '../../analysis/contexts/made-once.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Place } from '../../analysis/file/place.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { type Making, makingsOf } from '../../analysis/provenance/makings.ts';
import type { Call } from '../../analysis/syntax/calls.ts';
import { constructorOf } from '../../analysis/syntax/constructors.ts';
import { isOneServer } from './one-server.ts';
import { type Opened, openedByLibrary } from './opened-handles.ts';
import {
  isDedicated,
  isLocalTo,
  isOneShot,
  isPassing,
  ownUsesOf,
  variableOf,
  wholeOf,
} from './opened-uses.ts';
import { heatByCallers, heatOf } from './opening-heat.ts';

/** What an object of the project opens for itself, and the place that makes that object so often. */
export interface HeldOpening extends Opened {
  readonly context: HotContext;
  readonly by: Place;
}

/**
 * `new Redis(url)` in a field of a class, or in a function that returns functions around it, where an object of that class, or
 * what that function returns, is made for each element, job or request and used up there.
 */
export function heldOpeningOf(file: FileFacts, call: Call): HeldOpening | undefined {
  // no veto: spares the question.
  if (!libraryCallOf(file, call)) return undefined;
  const opened = openedByLibrary(file, call);
  const owner = opened && ownerOf(file, call);
  // veto: the call opens no connection that an object keeps, or the connection needs a session of its own
  if (!owner || isDedicated(file, owner)) return undefined;
  for (const by of makingsOf(file, owner)) {
    const context = heatOfMaking(by, { file, call, owner });
    if (context) return { ...opened, context, by };
  }
  return undefined;
}

type Owner = FunctionNode | ClassNode;

/** The class that keeps it in a field of each object, or the function that returns an object of functions around it. */
function ownerOf(file: FileFacts, call: Call): Owner | undefined {
  const { parent } = wholeOf(file, call);
  const around = classAround(call)?.node;
  if (around && parent?.type === 'PropertyDefinition') return parent.static ? undefined : around;
  const fn = functionAround(call);
  if (!fn) return undefined;
  if (around && isFieldWrite(parent)) return isStatic(fn) ? undefined : around;
  return isClosedOver(file, call, fn) ? fn : undefined;
}

function isStatic({ parent }: FunctionNode): boolean {
  return parent.type === 'MethodDefinition' && parent.static;
}

/** `this.redis = …`, `this.redis ??= …` */
function isFieldWrite(node: Node | undefined): boolean {
  const target = node?.type === 'AssignmentExpression' ? bare(node.left) : undefined;
  return target?.type === 'MemberExpression' && target.object.type === 'ThisExpression';
}

/** A local name that only the functions of the object use which `fn` returns, and `fn` itself. */
function isClosedOver(file: FileFacts, call: Call, fn: FunctionNode): boolean {
  const variable = variableOf(file, call);
  // veto: the connection has no single name, or its variable is outside of the function that opens it
  if (!variable || !isLocalTo(fn, variable)) return false;
  const uses = variable.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
  const others = uses.filter((it) => !isPassing(file, it, fn, variable));
  return others.length > 0 && others.every((it) => isInReturnedObject(it, fn));
}

/** `return { async get(key) { … } }` of `fn`, around a use in one of its functions. */
function isInReturnedObject(use: Node, fn: FunctionNode): boolean {
  let inner = functionAround(use);
  while (inner && functionAround(inner) !== fn) inner = functionAround(inner);
  const object = inner?.parent?.type === 'Property' ? inner.parent.parent : undefined;
  return object?.parent.type === 'ReturnStatement';
}

interface Held {
  readonly file: FileFacts;
  readonly call: Call;
  readonly owner: Owner;
}

/** How hot a place is that makes the object, when it is made for that run alone. */
function heatOfMaking({ file, node: call }: Making, held: Held): HotContext | undefined {
  const fn = functionAround(call);
  // veto: the module creates the object that opens the connection once, while the module loads
  if (!fn) return undefined;
  const maker = isFunction(held.owner) ? held.owner : constructorOf(held.owner);
  const given = maker && { file, call, fn: maker };
  // veto: the objects that open a connection may each connect to a different server
  if (!isOneServer(held.file, held.call, held.owner, { given })) return undefined;
  // veto: by its name the function is a check, a migration or a set-up, or it ends the process
  if (isOneShot(file, fn)) return undefined;
  // veto: other code keeps or receives the object that opens the connection, so it may outlive this run
  if (!ownUsesOf(file, call, fn)) return undefined;
  const heat = heatOf(file, call) ?? heatByCallers(file, call);
  // veto: the object is not created per element, job or request, or only the first run creates it
  return heat && !isMadeOnce(file, call) ? heat : undefined;
}
