import {
  areOneAnother,
  changedObject,
  isOfLibrary,
  type Location,
  namedPart,
  placeOf,
  writtenTarget,
} from '../effects/memory.ts';
import { contains, functionAround, type Node, rootOf, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Iteration } from './iteration-variables.ts';
import { mentions, mentionsSome } from '../syntax/mentions.ts';
import { wholesOf } from '../effects/wholes.ts';

/**
 * Whether an iteration asks with a part of a shared object that it changes under a name of its own:
 * `const group = groups.get(row.group); await save(group.total); group.total += row.sum`.
 */
export function asksWithSharedParts(
  file: FileFacts,
  { loop, own }: Iteration,
  awaits: readonly Node[],
): boolean {
  const scope = functionAround(loop.node) ?? file.ast;
  const elements = new Set(
    [...own].filter(({ defs }) => !defs.some((it) => contains(loop.body, it.name))),
  );
  const changed = new Set<Location>();
  walk(loop.body, (it) => {
    const target = writtenTarget(it);
    const object = target && !isOfLibrary(file, it, target) ? changedObject(it, target) : undefined;
    if (!target || !object) return;
    const wholes = wholesOf(file, object);
    // veto of an exclusion: the changed object is a part of the loop's element, and no other iteration uses it
    if (wholes.some((whole) => mentions(file, rootOf(whole), elements))) return;
    // veto of an exclusion: the changed object is the element at the loop's index, and no other iteration uses it
    if (loop.node.type === 'ForStatement' && wholes.some((it) => mentions(file, it, elements)))
      return;
    const roots = wholes.map((whole) => rootOf(whole));
    // no veto: what it knows by its own name is looked at with all that grows.
    if (!roots[0] || !isDeclaredIn(file, roots[0], loop.body)) return;
    const shared = wholes.filter((_, i) => !isDeclaredIn(file, roots[i]!, loop.body));
    for (const whole of shared.length > 0 ? [target, ...shared] : []) {
      const place = placeOf(file, whole, scope);
      if (place) changed.add(place);
    }
  });
  return awaits.some((node) =>
    mentionsSome(file, node, (it, name) => {
      const part = namedPart(file, name, it, scope);
      return [...changed].some((place) => areOneAnother(part, place));
    }),
  );
}

function isDeclaredIn(file: FileFacts, root: Node, body: Node): boolean {
  const variable = root.type === 'Identifier' ? file.variableOf(root) : undefined;
  return variable !== undefined && variable.defs.some((it) => contains(body, it.name));
}
