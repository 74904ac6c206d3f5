import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { packageOf } from '../model/index.ts';
import {
  changingMembers,
  keepingMembers,
  readingMembers,
  type SettingsPackage,
  settingsPackages,
} from '../model/settings.ts';
import { exportsOf } from '../provenance/exports.ts';
import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  calledName,
  chainStart,
  importedName,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import { byDefault, type Folded, type Folding, unknown } from './quantity.ts';
import { calledWith, folded, numeric } from './values.ts';

/** Names and calls are followed this far. */
const FARTHEST = 8;

/**
 * `env.POLL_MS` of `const env = z.object({ POLL_MS: z.coerce.number().default(500) }).parse(process.env)`: its default. Undefined
 * where the object is no such one, and where a setting has none.
 */
export function settingQuantity(at: Folding, object: Node, name: string): Folded | undefined {
  for (const declared of settingsAt({ file: at.file, node: object }, 0)) {
    const setting = propertyOf(declared.node, name);
    if (!setting) continue;
    const value = defaultIn({ ...at, file: declared.file, depth: at.depth + 1 }, setting.value);
    return value && byDefault([unknown('environment'), value], value.constant);
  }
  return undefined;
}

interface Settings extends Place {
  readonly node: TSESTree.ObjectExpression;
}

function propertyOf(
  object: TSESTree.ObjectExpression,
  name: string,
): TSESTree.Property | undefined {
  return object.properties.find(
    (it): it is TSESTree.Property => it.type === 'Property' && propertyName(it) === name,
  );
}

/** The objects that declare the settings which the expression has read. */
function settingsAt({ file, node }: Place, distance: number): readonly Settings[] {
  const it = bare(node);
  // no veto: ends names that lead to each other.
  if (distance > FARTHEST) return [];
  const further = (place: Place) => settingsAt(place, distance + 1);
  switch (it.type) {
    case 'Identifier':
      return meaningOf(file, it).flatMap(further);
    case 'AwaitExpression':
      return further({ file, node: it.argument });
    case 'AssignmentExpression':
      return further({ file, node: it.right });
    case 'MemberExpression':
      return propertyName(it) === 'data' ? further({ file, node: it.object }) : [];
    case 'CallExpression': {
      const callee = bare(it.callee);
      if (callee.type === 'MemberExpression' && readingMembers.test(propertyName(callee) ?? ''))
        return schemaAt({ file, node: callee.object }, distance + 1);
      const own = valueOf(file, callee);
      if (own.kind !== 'function') return declaredIn(file, it);
      return returnedExpressions(own.node).flatMap((given) =>
        further({ file: own.file, node: given }),
      );
    }
    default:
      return [];
  }
}

/** `z.object({ … }).strict()` and what it is called. */
function schemaAt({ file, node }: Place, distance: number): readonly Settings[] {
  const it = bare(node);
  // no veto: ends names that lead to each other.
  if (distance > FARTHEST) return [];
  if (it.type === 'Identifier')
    return meaningOf(file, it).flatMap((place) => schemaAt(place, distance + 1));
  if (it.type !== 'CallExpression') return [];
  const callee = bare(it.callee);
  const isStep =
    callee.type === 'MemberExpression' && keepingMembers.test(propertyName(callee) ?? '');
  if (!isStep) return declaredIn(file, it);
  const [added] = it.arguments;
  const own = added?.type === 'ObjectExpression' ? [{ file, node: added }] : [];
  return [...own, ...schemaAt({ file, node: callee.object }, distance + 1)];
}

/** What a name is set to, once and for all, here or in the file that it comes from. */
function meaningOf(file: FileFacts, name: TSESTree.Identifier): readonly Place[] {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  if (definition?.type === 'Variable') {
    const { init } = definition.node;
    const written = writesTo(variable!) ?? [];
    // What is read once is kept: `cached ??= schema.parse(process.env)`.
    if (!init) return written.length === 1 ? [{ file, node: written[0]! }] : [];
    return variable!.writes.length === 0 ? [{ file, node: init }] : [];
  }
  const source = definition?.type === 'ImportBinding' ? definition.parent?.source.value : undefined;
  const imported = source !== undefined ? importedName(definition!.node) : undefined;
  return imported === undefined ? [] : exportedAs(file, source!, imported, 0);
}

function exportedAs(
  file: FileFacts,
  source: string,
  name: string,
  distance: number,
): readonly Place[] {
  const target = file.modules?.resolve(source, file.path, name);
  // no veto: ends files that hand on each other's names.
  if (!target || distance > FARTHEST) return [];
  const found = exportsOf(target).get(name);
  if (found?.kind === 'local') return [{ file: target, node: found.node }];
  const handedOn = found ? [found.source] : exportsOf(target).everythingFrom;
  return handedOn.flatMap((it) => exportedAs(target, it, found?.name ?? name, distance + 1));
}

/** The settings that a call of a package is given. */
function declaredIn(file: FileFacts, call: TSESTree.CallExpression): readonly Settings[] {
  const library = packageAround(file, call.callee);
  const index = library?.readers[calledName(call.callee) ?? ''];
  const given = index === undefined ? undefined : call.arguments[index];
  if (!library || given?.type !== 'ObjectExpression') return [];
  if (library.groups.length === 0) return [{ file, node: given }];
  return library.groups.flatMap((group) => {
    const value = propertyOf(given, group)?.value;
    return value?.type === 'ObjectExpression' ? [{ file, node: value }] : [];
  });
}

function packageAround(file: FileFacts, callee: Node): SettingsPackage | undefined {
  const start = chainStart(callee);
  const definition = start.type === 'Identifier' ? file.variableOf(start)?.defs[0] : undefined;
  const source = definition?.type === 'ImportBinding' ? definition.parent?.source.value : undefined;
  return source === undefined
    ? undefined
    : settingsPackages.find(({ name }) => name === packageOf(source));
}

/** `500` of `integer(500)`, where `integer` returns `z.coerce.number().default(fallback)`. */
function ownDefault(at: Folding, call: TSESTree.CallExpression): Folded | undefined {
  const { inside, returned = [] } = calledWith(at, call) ?? {};
  const [only, ...others] = returned;
  return inside && only && others.length === 0 ? defaultIn(inside, only) : undefined;
}

/** `500` of `z.coerce.number().default(500)` and of `num({ default: 500 })`. */
function defaultIn(at: Folding, setting: Node): Folded | undefined {
  let isNumber = false;
  for (let it = bare(setting); it.type === 'CallExpression';) {
    const callee = bare(it.callee);
    const [given] = it.arguments;
    const name = calledName(callee) ?? '';
    if (name === 'default' && given) {
      const value = folded(at, given);
      return isNumber ? numeric(value) : value;
    }
    if (name === 'transform' && isNamed(given, 'Number')) isNumber = true;
    else if (changingMembers.test(name)) return undefined;
    if (callee.type !== 'MemberExpression') {
      const option = given?.type === 'ObjectExpression' ? propertyOf(given, 'default') : undefined;
      return option ? folded(at, option.value) : ownDefault(at, it);
    }
    it = bare(callee.object);
  }
  return undefined;
}
