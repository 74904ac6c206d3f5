import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { assignmentsOf } from './assignments.ts';
import { bare, type FunctionNode, isNamed, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { UNKNOWN, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';
import { exportsOf } from './exports.ts';

/**
 * The value of `name` in an object whose members a loop loads from the files of a folder, as the generator of Sequelize writes
 * it: `db[model.name] = require(path.join(__dirname, file))(sequelize, DataTypes)`. The file has the name of the member;
 * `places` declare the object.
 */
export function loadedMember(file: FileFacts, places: readonly Node[], name: string): Value {
  // No file is called after nothing: `db['']`.
  if (name === '') return UNKNOWN;
  for (const written of places.flatMap((it) => assignmentsOf(file).toAny(it))) {
    const made = initialized(file, written);
    const isMade = made.type === 'CallExpression' && !folderOf(file, made);
    const folder = folderOf(file, isMade ? bare(made.callee) : made);
    // no veto: nothing is loaded.
    if (folder === undefined) continue;
    for (const it of spellings(name)) {
      const loaded = mutual.importedValue(file, folder + it, 'require');
      const value = isMade ? mutual.resultFor(file, loaded, made.arguments, made) : loaded;
      if (value.kind !== 'unknown') return value;
    }
  }
  return UNKNOWN;
}

/** The calls by which the `index` of its folder, or of the one above, calls what each file of the folder exports: `fn`. */
export function callsOfFolder(
  file: FileFacts,
  fn: FunctionNode,
): readonly { readonly file: FileFacts; readonly call: TSESTree.CallExpression }[] {
  const whole = exportsOf(file).get('require');
  // no veto: spares the question.
  if (whole?.kind !== 'local' || bare(whole.node) !== fn) return [];
  const folder = file.path.split(/[\\/]/).at(-2);
  const places = [
    ['./index', './'],
    ['../index', `./${folder}/`],
  ] as const;
  return places.flatMap(([specifier, path]) => {
    const index = file.modules?.resolve(specifier, file.path);
    const calls = index?.nodes.all('CallExpression') ?? [];
    return calls
      .filter(({ callee }) => folderOf(index!, bare(callee)) === path)
      .map((call) => ({ file: index!, call }));
  });
}

/** `const model = require(…)(…); db[model.name] = model;` */
function initialized(file: FileFacts, node: Node): Node {
  const it = bare(node);
  const [definition] = it.type === 'Identifier' ? (file.variableOf(it)?.defs ?? []) : [];
  return definition?.type === 'Variable' && definition.node.init ? bare(definition.node.init) : it;
}

/** Of `require(path.join(__dirname, 'tables', file))`: `./tables/`. */
function folderOf(file: FileFacts, node: Node): string | undefined {
  const [path] = node.type === 'CallExpression' && isRequire(file, node) ? node.arguments : [];
  if (path?.type !== 'CallExpression') return undefined;
  const { callee } = path;
  const method = callee.type === 'MemberExpression' ? propertyName(callee) : nameOf(callee);
  const [start, ...parts] = path.arguments;
  // no veto: another way to a path.
  if (!/^(?:join|resolve)$/.test(method ?? '') || !start || !isNamed(start, '__dirname')) {
    return undefined;
  }
  const folders = parts.slice(0, -1).map((it) => (it.type === 'Literal' ? it.value : undefined));
  return folders.every((it) => typeof it === 'string')
    ? ['.', ...folders, ''].join('/')
    : undefined;
}

export function isRequire(file: FileFacts, { callee }: TSESTree.CallExpression): boolean {
  const value = valueOf(file, callee);
  return value.kind === 'global' && value.name === 'require';
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

/** `OrderItem`, `orderItem`, `order-item`, `order_item`, and `orderitem` as the generator has it; with `.model`, too. */
function spellings(name: string): readonly string[] {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ').split(' ');
  const names = [
    name,
    name[0]!.toLowerCase() + name.slice(1),
    words.join('-').toLowerCase(),
    words.join('_').toLowerCase(),
    name.toLowerCase(),
  ];
  return [...new Set(names.flatMap((it) => [it, `${it}.model`]))];
}
