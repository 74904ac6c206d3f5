import { getterOf, type FunctionNode, type Node } from '../syntax/ast.ts';
import type { Call } from '../syntax/calls.ts';
import { onLoan } from '../connections/loans.ts';
import { isCacheFill } from '../effects/cache-fills.ts';
import type { Effect } from '../effects/effects.ts';
import { isCopied } from '../effects/held-builders.ts';
import { type Location, locationOf, writtenLocation } from '../effects/memory.ts';
import { firstOfEach } from '../effects/repeated.ts';
import type { FileFacts } from '../file/file.ts';
import type { FunctionValue } from '../file/value.ts';
import type { Behaviour, Collected } from './collected.ts';
import type { View } from './views.ts';

/** A piece of code, and what has been found of its behaviour so far. */
export interface Code {
  readonly file: FileFacts;
  readonly root: Node;
  /** The function around it. */
  readonly scope: Node;
  readonly view: View;
  /** Its callers decide what its parameters are; else they are what all callers give, as far as that is resolved. */
  readonly isCallee: boolean;
  /** What is in a `return` of this function is left out. */
  readonly left: FunctionNode | undefined;
  readonly found: Collected;
  readonly behaviourOf: (fn: FunctionValue, view: View) => Behaviour;
  /** A `throw` here ends in a catch clause. */
  readonly isCaught: boolean;
  /** Callers that ask later are answered from memory. */
  readonly isAnsweredOnce: boolean;
  /** It is left running: no code waits for it. */
  readonly isBeside: boolean;
}

/** More different effects than this in one function say nothing that a reader could check. */
const MAX_EFFECTS = 60;

export function addEffect({ file, root, found, ...code }: Code, given: Effect, call?: Call): void {
  // What it reads, nobody waits for; what it writes still counts.
  if (code.isBeside && given.op === 'read') return;
  const seen = onLoan(file, root, given, call);
  const effect = code.isAnsweredOnce ? { ...seen, memo: true } : seen;
  if (found.effects.length === MAX_EFFECTS) leaveOutRepeated(found);
  if (found.effects.length < MAX_EFFECTS) {
    found.effects.push(effect);
    found.reached.push({ effect, call });
  } else found.unknown ??= effect.at;
  if (effect.mayVeto) found.mayVeto = true;
}

/** Helpers that many ways lead to do the same each time. */
function leaveOutRepeated({ effects, reached }: Collected): void {
  const areFirst = firstOfEach(effects);
  const different = reached.filter((_, i) => areFirst[i]);
  // no veto: spares the exchange.
  if (different.length === reached.length) return;
  reached.splice(0, reached.length, ...different);
  effects.splice(0, effects.length, ...different.map((it) => it.effect));
}

/** What is at `node` could have any effect. */
export function addUnknownAt({ file, found }: Code, node: Node): void {
  found.unknown ??= { file, node };
}

export function addWrite({ file, scope, found }: Code, node: Node): void {
  const written = writtenLocation(file, node, scope);
  if (!written) return;
  found.memoryWrites.add(written);
  if (!isCacheFill(file, node)) found.memoryChanges.add(written);
}

export function addRead(code: Code, node: Node): void {
  const { file, scope, view, found } = code;
  // no veto: the copy is made at once, and its question is another.
  if (isCopied(node)) return;
  const location = locationOf(file, node, scope);
  if (location) found.memoryReads.add(location);
  const getter = getterOf(node);
  if (getter)
    addMemory(code, code.behaviourOf({ kind: 'function', file, node: getter }, view), (it) => it);
}

/** The memory of a function that is called; `seenAs` returns its locations as seen from here. */
export function addMemory(
  { found }: Code,
  inner: Behaviour,
  seenAs: (it: Location) => Location | undefined,
): void {
  for (const kind of ['memoryWrites', 'memoryChanges', 'memoryReads'] as const)
    for (const it of inner[kind]) {
      const seen = seenAs(it);
      if (seen) found[kind].add(seen);
    }
}
