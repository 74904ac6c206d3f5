import { bodyOf } from '../../engine/tracked-tree.ts';
import { assignmentsOf } from '../provenance/assignments.ts';
import {
  bare,
  classAround,
  functionAround,
  isConstructor,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { isKept } from './cache-fills.ts';

/**
 * Whether a promise that is waited for was started by the object or the module for good: `await this.ready` of a constructor's
 * `this.ready = this.open()`, `await connecting` after `connecting ??= connect()`. Only what comes first ever waits.
 */
export function isStartedOnce(file: FileFacts, awaited: Node): boolean {
  const starts = startsOf(file, bare(awaited));
  return starts.length > 0 && starts.every((it) => isOnce(file, it));
}

function isOnce(file: FileFacts, start: Node): boolean {
  const { parent } = start;
  if (parent?.type === 'PropertyDefinition') return true;
  if (parent?.type !== 'AssignmentExpression') return false;
  const fn = functionAround(parent);
  return fn === undefined || isConstructor(fn) || isKept(file, parent);
}

/** What the file stores where the promise is read. */
function startsOf(file: FileFacts, place: Node): readonly Node[] {
  if (place.type === 'Identifier') {
    const variable = file.variableOf(place);
    const isVariable = variable?.defs.every((it) => it.type === 'Variable') === true;
    const written = variable?.references.flatMap((it) => it.writeExpr ?? []) ?? [];
    return isVariable ? written.filter((it) => !isNothing(it)) : [];
  }
  const name = place.type === 'MemberExpression' ? propertyName(place) : undefined;
  if (place.type !== 'MemberExpression' || name === undefined) return [];
  const owner = place.object.type === 'ThisExpression' ? classAround(place)?.node : undefined;
  if (owner) {
    const declared = bodyOf(owner.body).flatMap((it) =>
      it.type === 'PropertyDefinition' && propertyName(it) === name && it.value ? [it.value] : [],
    );
    return [...declared, ...(assignmentsOf(file).to(owner).get(name) ?? [])].filter(
      (it) => !isNothing(it),
    );
  }
  const text = file.textOf(place);
  return file.nodes
    .all('AssignmentExpression')
    .filter(({ left }) => left.type === 'MemberExpression' && file.textOf(left) === text)
    .flatMap(({ right }) => (isNothing(right) ? [] : [right]));
}

/** `this.opening = undefined` once it is over, for the next failure to start it again. */
function isNothing(node: Node): boolean {
  return node.type === 'Literal' || isNamed(node, 'undefined');
}
