import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isFunction, isNamed, type Node, propertyName, walk } from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, isCall } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { verifiedName } from '../model/index.ts';
import type { PoolFacts } from '../model/pool-facts.ts';
import type { LibraryValue, Value } from '../file/value.ts';
import { folded } from './values.ts';

/** How many connections a pool has at most: as configured where it is made, else the driver's default. */
export function limitOf(source: LibraryValue): number | undefined {
  return poolLimitOf(source)?.max;
}

export interface PoolLimit {
  readonly max: number;
  /** The library whose default it is, with its version; undefined where the code configures the number. */
  readonly defaultOf: string | undefined;
}

/** Undefined where the creation of the pool is unresolved: the driver's default holds only for options without the number. */
export function poolLimitOf(
  source: LibraryValue,
  above: ReadonlySet<Node> = new Set(),
): PoolLimit | undefined {
  const { pool } = source.type;
  // veto: the call that creates the pool is unresolved, and so are its options
  if (!pool || !isMade(source)) return undefined;
  const all = new Set([...above, source.origin!.node]);
  const below = poolBelow(source, all);
  if (below) return poolLimitOf(below, all);
  const engine = engineOf(source, pool);
  const options = [engine?.maxOption, pool.maxOption];
  const configured = firstOf(options.map((it) => it && optionOf(source, it)));
  const defaultOf = verifiedName(source.library);
  if (configured) {
    const max = sizeIn(pool, configured);
    return max === undefined
      ? undefined
      : { max, defaultOf: configured.value === 0 ? defaultOf : undefined };
  }
  // veto: the options pass an existing pool or connection, whose size is set elsewhere
  if (pool.poolOption && optionOf(source, pool.poolOption)) return undefined;
  const max = engine?.max ?? pool.max;
  return max === undefined ? undefined : { max, defaultOf };
}

/** What the driver below makes of the options that leave the number out. */
function engineOf(source: LibraryValue, { engineOption, engines }: PoolFacts) {
  const engine = engineOption && engines ? optionOf(source, engineOption)?.value : undefined;
  return engines?.[String(engine)];
}

function firstOf<T>(values: readonly (T | '' | undefined)[]): T | undefined {
  return values.find((it): it is T => it !== undefined && it !== '');
}

/** How many connections an option asks for; no driver has a pool of none. */
export function sizeIn(pool: PoolFacts, { value }: ConfiguredOption): number | undefined {
  if (value === 0) return pool.isZeroDefault ? pool.max : undefined;
  return typeof value === 'number' ? value : undefined;
}

function isMade({ origin }: LibraryValue): boolean {
  const made = origin && isCall(origin.node) ? libraryCallOf(origin.file, origin.node) : undefined;
  return made !== undefined && made.signature.lender === undefined;
}

/**
 * The driver's pool that a query builder is made with: `drizzle(pool)`, `new PrismaClient({ adapter: new PrismaPg(pool) })`.
 * What is `above` it is not below as well: `const pool = new Pool({ log: pool })`.
 */
function poolBelow({ origin }: LibraryValue, above: ReadonlySet<Node>): LibraryValue | undefined {
  if (!origin || !isCall(origin.node)) return undefined;
  const { file } = origin;
  let below: LibraryValue | undefined;
  for (const argument of argumentsOf(origin.node)) {
    walk(argument, (it) => {
      // What it calls later is no part of it.
      if (isFunction(it)) return false;
      if (
        below ||
        isKey(it) ||
        !/^(?:Identifier|MemberExpression|NewExpression|CallExpression)$/.test(it.type)
      )
        return !below;
      const value = valueOf(file, it);
      const isPool = value.kind === 'library' && value.type.pool !== undefined;
      if (isPool && !(value.origin && above.has(value.origin.node))) below = value;
      // What is read off a pool, as its address, makes no pool of another one's size.
      return !below && (it.type !== 'MemberExpression' || isListening(it));
    });
  }
  return below;
}

/** `new Pool(…).on('error', log)` is that pool. */
function isListening(callee: TSESTree.MemberExpression): boolean {
  return /^(?:on|once|addListener)$/.test(propertyName(callee) ?? '');
}

function isKey(node: Node): boolean {
  return node.parent?.type === 'Property' && node.parent.key === node && !node.parent.shorthand;
}

/** Whether a wait for a connection ends by the driver's default or the pool's options, or may end as far as the code shows. */
export function isWaitBounded(source: LibraryValue): boolean {
  const { pool } = source.type;
  if (pool?.waitMs !== Number.POSITIVE_INFINITY) return true;
  const options = [pool.waitOption, pool.queueOption, pool.queueOption && 'waitForConnections'];
  return options.some((it) => it !== undefined && isSet(optionOf(source, it)));
}

/** To something other than "no limit", also where the environment may set it: what it is without that counts. */
function isSet(option: ConfiguredOption | undefined): boolean {
  const value = option?.value ?? option?.fallback;
  return option !== undefined && value !== 0 && value !== true;
}

/** Whether the options name the wait, and leave it without an end unless the environment sets one. */
export function isWaitLeftToEnvironment(source: LibraryValue): boolean {
  const { waitOption } = source.type.pool ?? {};
  return waitOption !== undefined && optionOf(source, waitOption)?.fallback !== undefined;
}

/** `knex({ client: 'pg' })`, without a server: it only builds statements. */
export function opensNothing(source: LibraryValue): boolean {
  const openedBy = source.type.pool?.openedBy ?? [];
  return openedBy.length > 0 && openedBy.every((it) => optionOf(source, it) === undefined);
}

/** The value of an option as the source spells it; `value` is undefined where it is only resolved at run time. */
export interface ConfiguredOption {
  readonly value: string | number | boolean | undefined;
  /** Where the environment sets it: what the code falls back to, as in `Number(process.env.WAIT_MS ?? 0)`. */
  readonly fallback?: ConfiguredOption['value'];
  /** Where it is one of several, selected at run time. */
  readonly alternatives?: readonly ConfiguredOption['value'][];
}

const UNKNOWN_OPTION: ConfiguredOption = { value: undefined };

/** The options of a pool at its creation; undefined when the option is absent. */
export function optionOf(source: LibraryValue, option: string): ConfiguredOption | undefined {
  const { origin } = source;
  const made = origin?.node;
  if (made?.type !== 'NewExpression' && made?.type !== 'CallExpression') return undefined;
  // `createPool(…).promise()` is the same pool.
  const inner = libraryCallOf(origin!.file, made)?.callee.receiver;
  if (inner?.type.pool && inner.origin?.node !== made) return optionOf(inner, option);
  const { file } = origin!;
  const { urlAt } = source.type.pool ?? {};
  const url = urlAt === undefined ? undefined : made.arguments[urlAt];
  // veto: the address of the database may contain the option
  if (url && mayHold(file, url, option)) return UNKNOWN_OPTION;
  // no veto: an address alone.
  if (isGivenText(source)) return undefined;
  const options = optionsOf(source);
  return options && optionAt(file, options, option);
}

function optionsOf({ origin, type }: LibraryValue): Node | undefined {
  if (!origin || !isCall(origin.node)) return undefined;
  const { optionsAt = 0 } = type.pool ?? {};
  return argumentsOf(origin.node).at(optionsAt === 'last' ? -1 : optionsAt);
}

/** `new Sequelize(process.env.DATABASE_URL)`, where options might stand. */
function isGivenText(source: LibraryValue): boolean {
  const options = optionsOf(source);
  return source.type.pool?.takesTexts === true && !!options && isText(source.origin!.file, options);
}

function isText(file: FileFacts, node: Node): boolean {
  const { constant, traits } = folded({ file, args: new Map(), depth: 0 }, node);
  return typeof constant === 'string' || (traits.has('environment') && !traits.has('unresolved'));
}

function mayHold(file: FileFacts, url: Node, option: string): boolean {
  const { constant, traits } = folded({ file, args: new Map(), depth: 0 }, url);
  return typeof constant !== 'string' || traits.has('environment') || constant.includes(option);
}

/** What the expression, an object or the name of one, says of the option. */
function optionAt(file: FileFacts, node: Node, option: string): ConfiguredOption | undefined {
  const it = bare(node);
  const value = valueOf(file, it);
  if (value.kind === 'union') return oneOf(value.of.map((each) => optionOfObject(each, option)));
  if (value.kind !== 'object') return UNKNOWN_OPTION;
  // veto: the options object is a parameter, and the literal is only its default
  if (it.type === 'Identifier' && isParameter(file, it)) return UNKNOWN_OPTION;
  const configured = optionIn(value.file, value.node, option);
  // veto: code may set the option after the object literal is created
  if (!configured && it.type === 'Identifier' && isChanged(file, it, option)) return UNKNOWN_OPTION;
  return configured;
}

function optionOfObject(value: Value, option: string): ConfiguredOption | undefined {
  return value.kind === 'object' ? optionIn(value.file, value.node, option) : UNKNOWN_OPTION;
}

function oneOf(options: readonly (ConfiguredOption | undefined)[]): ConfiguredOption {
  return { value: undefined, alternatives: options.map((it) => it?.value) };
}

function isParameter(file: FileFacts, name: TSESTree.Identifier): boolean {
  return file.variableOf(name)?.defs[0]?.type === 'Parameter';
}

/** `config.max = 5`, `Object.assign(config, …)`: what stands in the literal is not all. */
function isChanged(file: FileFacts, name: TSESTree.Identifier, option: string): boolean {
  const [first] = option.split('.');
  return (file.variableOf(name)?.references ?? []).some(({ identifier }) => {
    const use = identifier as Node;
    const { parent } = use;
    if (parent?.type === 'MemberExpression' && parent.object === use) {
      const isWritten =
        parent.parent.type === 'AssignmentExpression' && parent.parent.left === parent;
      const changed = propertyName(parent);
      return isWritten && (changed === undefined || changed === first);
    }
    return (
      parent?.type === 'CallExpression' &&
      parent.arguments[0] === use &&
      parent.callee.type === 'MemberExpression' &&
      isNamed(parent.callee.property, 'assign')
    );
  });
}

function optionIn(
  file: FileFacts,
  object: TSESTree.ObjectExpression,
  option: string,
): ConfiguredOption | undefined {
  // `pool.max` of the libraries that nest their pool's options.
  const [name, rest] = option.split(/\.(.*)/s);
  for (const property of object.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = optionAt(file, property.argument, option);
      if (spread) return spread;
      continue;
    }
    const key = propertyName(property);
    // veto: the options have a computed name, which only run time resolves
    if (key === undefined) return UNKNOWN_OPTION;
    if (key !== name) continue;
    const { value } = property;
    // no veto: `connection: process.env.DATABASE_URL` says nothing more.
    if (rest && isText(file, value)) return undefined;
    if (rest && value.type === 'ObjectExpression') return optionIn(file, value, rest);
    const { constant, traits, isDefault } = folded({ file, args: new Map(), depth: 0 }, value);
    // veto: the value of the option is only a default, or only run time resolves it
    if (constant === undefined || traits.size > (isDefault ? 1 : 0)) return UNKNOWN_OPTION;
    if (!isDefault) return { value: constant };
    return traits.has('environment') ? { value: undefined, fallback: constant } : UNKNOWN_OPTION;
  }
  return undefined;
}
