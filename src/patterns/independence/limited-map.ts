import { bare, propertyName } from '../../analysis/syntax/ast.ts';
import type { FanOut } from '../load/fan-outs.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { rangeOf, type TextEdit } from '../../analysis/syntax/places.ts';

/** `Promise.all(xs.map(fn))` as `pMap(xs, fn, { concurrency })`; undefined for what settles all, or is started before. */
export function limitedMapEdit(
  file: FileFacts,
  { all, map }: FanOut,
  name: string,
  concurrency: number,
): TextEdit | undefined {
  const callee = bare(all.callee);
  const mapped = map && bare(map.callee);
  if (mapped?.type !== 'MemberExpression' || propertyName(mapped) !== 'map') return undefined;
  // It has members, and is nothing to hand on.
  if (mapped.object.type === 'Super') return undefined;
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'all') return undefined;
  // A list that has a name of its own is used elsewhere, too.
  const [argument] = all.arguments;
  const [fn] = map!.arguments;
  if (!fn || !argument || bare(argument) !== map) return undefined;
  const text = `${name}(${file.textOf(mapped.object)}, ${file.textOf(fn)}, { concurrency: ${concurrency} })`;
  return { range: rangeOf(all), text };
}
