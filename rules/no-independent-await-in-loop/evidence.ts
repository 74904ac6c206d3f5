import { isOnceIn } from '../../src/analysis/loops/effect-places.ts';
import type { Effect } from '../../src/analysis/effects/effects.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { Importance } from '../../src/analysis/contexts/importance.ts';
import { choosesTable } from '../../src/patterns/writes/iteration-writes.ts';
import { awaitedBy } from '../../src/analysis/flow/given-waits.ts';
import type { IndependentIterations } from '../../src/patterns/independence/iterations.ts';
import { isOverFields } from '../../src/patterns/writes/fields.ts';
import { libraryNamed } from '../../src/analysis/model/index.ts';
import { jointRequestOf } from '../../src/patterns/writes/joint-requests.ts';
import { isLookedUp } from '../../src/patterns/writes/named-rows.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { loopSize } from '../loop-size.ts';

export interface Remedy {
  readonly messageId: 'batch' | 'inOne' | 'fanOut' | 'fanOutFiles' | 'writes';
  readonly remedy: string;
}

export function remedyOf(
  file: FileFacts,
  { loop, effects, awaits, isMostlyWriting }: IndependentIterations,
): Remedy {
  if (isMostlyWriting) return { messageId: 'writes', remedy: 'writes' };
  const envs = new Set(effects.map((it) => it.env));
  const isOne = awaits.length === 1 && envs.size === 1;
  const [effect, ...others] = effects;
  const isQuery = isOne && others.length === 0 && effect!.env === 'db';
  // One query for keys of several nodes is slower than many.
  const isOfOne = isQuery && !libraryNamed(effect!.library)?.isPartitioned;
  if (isOfOne && isLookedUp(file, loop, effect!, awaits[0]!)) {
    return { messageId: 'batch', remedy: 'batch' };
  }
  if (isOne && others.length === 0 && jointRequestOf(effect!)) {
    return { messageId: 'inOne', remedy: 'batch' };
  }
  if (isOne && envs.has('redis')) return { messageId: 'batch', remedy: 'batch' };
  const remedy =
    envs.has('db') || envs.has('redis') ? 'fanOutDb' : envs.has('http') ? 'fanOutHttp' : 'fanOutFs';
  return { messageId: remedy === 'fanOutFs' ? 'fanOutFiles' : 'fanOut', remedy };
}

export function evidenceOf(
  file: FileFacts,
  iterations: IndependentIterations,
  { remedy, limit }: { readonly remedy: string; readonly limit: number },
): Evidence {
  const { loop, awaits } = iterations;
  const main = mainEffect(iterations);
  // The loop selects a different table in each iteration.
  const effect = choosesTable(file, loop, main) ? { ...main, keys: [] } : main;
  const table = effect.env === 'db' ? effect.keys[0] : undefined;
  const joint = remedy === 'batch' ? jointRequestOf(effect) : undefined;
  if (joint) {
    const { name: what, how: bulk } = joint;
    return {
      what,
      remedy,
      limit,
      bulk,
      ...loopSize('count', file, loop),
    };
  }
  return {
    what:
      remedy === 'batch' && !isOnceIn(file, awaits[0]!, effect) ? groupOf(effect) : whatOf(effect),
    remedy,
    limit,
    ...(remedy === 'batch' ? { bulk: bulkOf(effect) } : {}),
    ...(table === undefined ? {} : { table }),
    ...loopSize('count', file, loop),
  };
}

function mainEffect({ effects, isMostlyWriting }: IndependentIterations): Effect {
  return (isMostlyWriting ? effects.find((it) => it.op === 'write') : undefined) ?? effects[0]!;
}

function whatOf({ env, op, keys, method, library }: Effect): string {
  const called = libraryNamed(library)?.called;
  if (called) return `request to ${called}`;
  switch (env) {
    case 'db':
      return `${op === 'write' ? 'write' : 'query'}${keys[0] ? ` of ${keys[0]}` : ''}`;
    case 'redis':
      return `Redis ${method.toUpperCase()}`;
    case 'http':
      return 'HTTP request';
    default:
      return `file operation (${method})`;
  }
}

/** `Promise.all(ids.map(load))`: the number per element is unresolved. */
function groupOf(effect: Effect): string {
  return `group of ${whatOf(effect).replace(/^query\b/, 'queries')}`;
}

function bulkOf({ env, library, method }: Effect): string {
  if (env === 'db')
    return libraryNamed(library)?.remedies?.reads ?? 'one query (WHERE id = ANY, in)';
  return /^get$/i.test(method) ? 'one MGET' : 'one pipeline';
}

/** Too small for a warning: few rows as far as the code shows; it runs once, or memory is a reason to go one at a time. */
export function isSmall(
  file: FileFacts,
  { loop, effects, writes, keepsPayloads }: IndependentIterations,
  importance: Importance,
): boolean {
  if (writes && isOverFields(file, loop, effects)) return true;
  return importance === 'once' || importance === 'beside' || keepsPayloads;
}

export function relatedOf(
  file: FileFacts,
  { loop, effects, awaits }: IndependentIterations,
): readonly Related[] {
  const elsewhere = effects
    .filter((it) => !awaits.some((node) => it.at.file === file && it.at.node === awaitedBy(node)))
    .filter((it, i, all) => all.findIndex((other) => other.at.node === it.at.node) === i)
    .slice(0, 3);
  return [
    { path: file.path, range: loop.head, message: 'the loop' },
    ...elsewhere.map((it) => ({
      path: it.at.file.path,
      range: rangeOf(it.at.node),
      message: `${it.op === 'read' ? 'read' : 'written'} here: ${it.library} ${it.method}`,
    })),
  ];
}
