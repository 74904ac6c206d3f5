/** One of `count` parts of the files; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/4`; undefined for anything else. */
export function shardFrom(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Why these are not all the parts of one run; undefined when they are, or when no report is marked as a part. */
export function mistakeIn(shards: readonly (string | undefined)[]): string | undefined {
  const known = shards.map((it) => (it === undefined ? undefined : shardFrom(it)));
  const [first] = known;
  if (known.every((it) => it === undefined)) return undefined;
  if (known.some((it) => it?.count !== first?.count)) {
    return 'the reports are parts of different runs';
  }
  const found = known.map((it) => it!.index);
  const all = Array.from({ length: first!.count }, (_, i) => i + 1);
  const missing = all.filter((it) => !found.includes(it));
  if (missing.length > 0) return `shard ${missing.join(', ')} of ${first!.count} is missing`;
  const twice = all.find((it) => found.indexOf(it) !== found.lastIndexOf(it));
  return twice === undefined ? undefined : `shard ${twice} is there twice`;
}
